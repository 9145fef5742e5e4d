"""What is shown of models side by side: each a function from rows to blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sphinx_llmsize.blocks import Block, Document
from sphinx_llmsize.charts import Scale
from sphinx_llmsize.views.comparison.comparison import Compared, comparison, ordered
from sphinx_llmsize.views.comparison.composition import compositions


@dataclass(frozen=True)
class ComparisonOptions:
    """What an author can ask of a comparison.

    Attributes:
        columns: of the table; the usual ones if there are none.
        sort: the number by which the models are ordered, with a minus the largest first.
        scale: of the composition.
    """

    columns: tuple[str, ...] = ()
    sort: str = ""
    scale: Scale = Scale.ABSOLUTE


COMPARISONS: dict[str, Callable[[Sequence[Compared], ComparisonOptions], tuple[Block, ...]]] = {
    "table": lambda rows, options: (comparison(rows, options.columns),),
    "composition": lambda rows, options: compositions(rows, options.scale),
}
DEFAULT_COMPARISONS = ("table",)


def side_by_side(
    rows: Sequence[Compared], views: tuple[str, ...], options: ComparisonOptions
) -> Document:
    """What these views say about the models, in their order.

    Raises:
        ConfigError: a number that is asked for is none of any model.
    """
    rows = ordered(rows, options.sort)
    return tuple(block for name in views for block in COMPARISONS[name](rows, options))
