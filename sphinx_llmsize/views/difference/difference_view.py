"""Views of two models' difference: each is a function from the difference to blocks."""

from __future__ import annotations

from collections.abc import Callable

from sphinx_llmsize.blocks import Block, Document, Paragraph, with_ids
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.counted_difference import (
    CountedDifference,
    DifferenceOptions,
    count_difference,
)
from sphinx_llmsize.views.difference.difference_diagram import difference_diagram
from sphinx_llmsize.views.difference.difference_table import difference_table
from sphinx_llmsize.views.difference.notes import notes_on_models
from sphinx_llmsize.views.difference.sentences import sentences
from sphinx_llmsize.views.shared.model_titles import title, title_first, title_in_sentence

DIFFERENCE_VIEWS: dict[str, Callable[[CountedDifference], tuple[Block, ...]]] = {
    "text": sentences,
    "table": difference_table,
    "diagram": difference_diagram,
}
"""Views of a difference by name."""
DEFAULT_DIFFERENCE_VIEWS = ("text", "table", "diagram")
"""Names of the views to show by default, in order."""


def difference_blocks(
    one: Model, other: Model, views: tuple[str, ...], options: DifferenceOptions
) -> Document:
    """The difference of two models in these views; only sentences if they have the same sizes.

    Raises:
        ConfigError: an option doesn't fit the models.
    """
    counted = count_difference(one, other, options)
    if not (counted.difference.config_changes or counted.difference.structure_changes):
        texts = (_same_sizes(one, other), *notes_on_models(counted.difference))
        return tuple(Paragraph((text,)) for text in texts)
    blocks: list[Block] = []
    for name in views:
        blocks += with_ids(name, DIFFERENCE_VIEWS[name](counted))
    return tuple(blocks)


def _same_sizes(one: Model, other: Model) -> str:
    """A sentence on two models with the same sizes, which may be the same model."""
    if title(one) != title(other):
        return _(
            "{one} and {other} have the same sizes.",
            one=title_first(one),
            other=title_in_sentence(other),
        )
    if title(one):
        return _("Both are {model}, so nothing differs.", model=title(one))
    return _("Both models have the same sizes.")
