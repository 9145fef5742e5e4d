"""Documents that HTML can show as an explorer, and every other host as they are."""

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
    """The blocks of the static views, with the explorer, which is made on first use.

    Attributes:
        source: source of the directive.
    """

    source: Source
    _explore: Callable[[], Explorer]

    @cached_property
    def explorer(self) -> Explorer:
        """The same views, for other sizes too."""
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
    found = InteractiveDocument(blocks)
    found.source = source
    found._explore = lambda: with_caption(explore(model, views, options), caption)
    return found


def with_caption(explorer: Explorer, caption: str) -> Explorer:
    """The explorer with a caption for its first table, unless that is empty."""
    for name, (first, *others) in explorer.views.items() if caption else ():
        if any(isinstance(block, Table) for block in first.blocks):
            documents = (_captioned(variant.blocks, caption) for variant in (first, *others))
            return explorer.with_blocks({name: tuple(documents)})
    return explorer


def _captioned(blocks: Document, caption: str) -> Document:
    """The blocks with a caption for the first table."""
    tables = [block for block in blocks if isinstance(block, Table)]
    return tuple(
        replace(block, caption=(caption,), label="")
        if isinstance(block, Table) and block is tables[0]
        else block
        for block in blocks
    )
