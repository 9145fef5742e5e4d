"""The directive ``llm-size``.

What it does is in :mod:`sphinx_llmsize.hosts.sphinx.use`, which a build imports when it comes
to the first use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class AnyOption(dict[str, Callable[[str], Any]]):
    """An option_spec that takes every option as text, so that the directive can judge them.

    What docutils or MyST reject on their own has no type, no line and no way out.
    """

    def __missing__(self, option: str) -> Callable[[str], Any]:
        return directives.unchanged


class LlmSize(SphinxDirective):
    """A model's breakdown, formula and pipeline, by its name or its configuration."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    # not empty: an empty one would mean that there are no options
    option_spec = AnyOption(show=directives.unchanged)

    def run(self) -> list[nodes.Node]:
        """What the author asked for, or a notice in its place; a mistake is never fatal."""
        from sphinx_llmsize.hosts.sphinx.use import Use

        return Use(self).run()


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-size", LlmSize)
