"""The directive ``llm-template``: the page's own markup, with expressions over models in it.

As with ``llm-size``, what it needs is imported when a build comes to its first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class LlmTemplate(SphinxDirective):
    """Its body, expressions evaluated, parsed as if it had been written so."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """What the body says, or a notice in its place; a mistake is never fatal."""
        from sphinx_llmsize.hosts.sphinx.templated import Templated

        return Templated(self).run()


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-template", LlmTemplate)
