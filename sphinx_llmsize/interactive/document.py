"""Interactive documents: HTML shows them with controls, every other host as static views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from sphinx_llmsize.blocks import Block, Document, Table
from sphinx_llmsize.interactive.explorer import Explorer, explore
from sphinx_llmsize.interactive.option_controls import static_options
from sphinx_llmsize.interactive.source import Source
from sphinx_llmsize.model import Model
from sphinx_llmsize.views import document
from sphinx_llmsize.views.view_options import ViewOptions


class InteractiveDocument(tuple[Block, ...]):
    """The blocks of the static views; their explorer is made on first use.

    Attributes:
        source: source of the directive.
    """

    source: Source
    _explore: Callable[[], Explorer]

    @cached_property
    def explorer(self) -> Explorer:
        """The same views as expressions, from which a page computes them for other sizes."""
        return self._explore()


def interactive_document(
    model: Model, views: tuple[str, ...], options: ViewOptions, source: Source, caption: str = ""
) -> InteractiveDocument:
    """The views of a model with their explorer.

    Args:
        model: the model.
        views: names of the views.
        options: options of the views.
        source: source of the directive.
        caption: caption of the first table; empty for the generated one.

    Raises:
        ConfigError: an option's value is invalid for the model.
    """
    blocks = document(model, views, static_options(model, views, options))
    interactive = InteractiveDocument(blocks)
    interactive.source = source
    interactive._explore = lambda: with_caption(explore(model, views, options), caption)
    return interactive


def with_caption(explorer: Explorer, caption: str) -> Explorer:
    """The explorer with a caption for its first table; an empty one changes nothing."""
    if not caption:
        return explorer
    for name, variants in explorer.views.items():
        if any(isinstance(block, Table) for block in variants[0].blocks):
            documents = (_with_caption(variant.blocks, caption) for variant in variants)
            return explorer.with_blocks({name: tuple(documents)})
    return explorer


def _with_caption(blocks: Document, caption: str) -> Document:
    """The blocks with a caption for the first table."""
    for position, block in enumerate(blocks):
        if isinstance(block, Table):
            table = replace(block, caption=(caption,), label="")
            return (*blocks[:position], table, *blocks[position + 1 :])
    return blocks
