"""Views that compare several models: each is a function from rows to blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sphinx_llmsize.blocks import Block, Document
from sphinx_llmsize.charts import Scale
from sphinx_llmsize.views.comparison.comparison import Compared, comparison, ordered
from sphinx_llmsize.views.comparison.composition import compositions
from sphinx_llmsize.views.options import choice, option, read_names


@dataclass(frozen=True)
class ComparisonOptions:
    """Values of the options that change the content of a comparison."""

    columns: tuple[str, ...] = option(
        (),
        read_names,
        "columns",
        "Columns of the table: numbers as in the role llm-size, or keys of the configuration. "
        "By default hidden dimension, layers, heads, vocabulary, total, and active parameters if "
        "they differ from it.",
        example="total, mlp:share, kv_cache:8192",
    )
    sort: str = option(
        "",
        str,
        "column",
        "Column to sort by, with a minus for descending order. Unknown numbers come last.",
        example="-total",
    )
    scale: Scale = choice(
        Scale,
        "Length of the bars of the composition: parameters, linear or logarithmic, or shares.",
        Scale.ABSOLUTE,
    )


COMPARISONS: dict[str, Callable[[Sequence[Compared], ComparisonOptions], tuple[Block, ...]]] = {
    "table": lambda rows, options: (comparison(rows, options.columns),),
    "composition": lambda rows, options: compositions(rows, options.scale),
}
DEFAULT_COMPARISONS = ("table",)


def side_by_side(
    rows: Sequence[Compared], views: tuple[str, ...], options: ComparisonOptions
) -> Document:
    """The blocks of these views, in order.

    Raises:
        ConfigError: a column or its format is unknown; it has the option or the line at fault.
    """
    rows = ordered(rows, options.sort)
    return tuple(block for name in views for block in COMPARISONS[name](rows, options))
