"""Interactive documents: HTML shows them with controls, every other host as static views.

The static views are those of the same directive without controls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from sphinx_llmsize.blocks import Block, Table, with_caption
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.explorer import Explorer, explore
from sphinx_llmsize.model import Model
from sphinx_llmsize.views import document
from sphinx_llmsize.views.option_declarations import check_options
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
        """The views as expressions, so that a page can recompute them for other sizes."""
        return self._explore()


def interactive_document(
    model: Model,
    views: tuple[str, ...],
    options: ViewOptions,
    source: Source,
    caption: str = "",
    *,
    captions_static_views: bool = True,
) -> InteractiveDocument:
    """The views of a model with their explorer.

    Args:
        model: the model.
        views: names of the views.
        options: options of the views.
        source: source of the directive.
        caption: caption of the first table; empty for the generated one.
        captions_static_views: False if the host adds the caption to the static views itself.

    Raises:
        ConfigError: an option's value is invalid for the model.
    """
    # check before explore(), which sets options for the controls that must not be reported as the
    # author's
    check_options(model, options)
    options = replace(options, shown=views)
    blocks = document(model, views, options)
    if captions_static_views:
        blocks = with_caption(blocks, caption)
    interactive = InteractiveDocument(blocks)
    interactive.source = source
    interactive._explore = lambda: _captioned_explorer(explore(model, views, options), caption)
    return interactive


def _captioned_explorer(explorer: Explorer, caption: str) -> Explorer:
    """The explorer with a caption for its first table; an empty one changes nothing."""
    for name, variants in explorer.views.items():
        if any(isinstance(block, Table) for block in variants[0].blocks):
            documents = (with_caption(variant.blocks, caption) for variant in variants)
            return explorer.with_blocks({name: tuple(documents)})
    return explorer
