"""The directive ``llm-compare``: models side by side.

As with ``llm-size``, what it needs is imported when a build comes to its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.hosts.sphinx.directive import AnyOption

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class LlmCompare(SphinxDirective):
    """A table with a row for each model and a column for each number that is asked for."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    # not empty: an empty one would mean that there are no options
    option_spec = AnyOption(columns=directives.unchanged)

    def run(self) -> list[nodes.Node]:
        """The table, or a notice in its place; a mistake is never fatal."""
        from sphinx_llmsize.hosts.sphinx.comparison import Comparison

        return Comparison(self).run()


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-compare", LlmCompare)
