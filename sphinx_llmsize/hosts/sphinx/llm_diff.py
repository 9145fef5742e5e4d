"""Directive ``llm-diff``: what changed between two models, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.hosts.sphinx.model_directive import ModelDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx


class LlmDiff(ModelDirective):
    """The difference of two models: in sentences, in a table and in a diagram."""

    def output(self) -> list[nodes.Node]:
        """The views of the difference."""
        # imported here, so that projects without the directive start faster
        from sphinx_llmsize.directives.misplaced import refuse_options
        from sphinx_llmsize.directives.registry import two_models
        from sphinx_llmsize.hosts.sphinx import directive_options
        from sphinx_llmsize.hosts.sphinx.directive_output import DirectiveOutput
        from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage
        from sphinx_llmsize.views.difference.difference_view import difference_blocks
        from sphinx_llmsize.views.option_declarations import options_of

        options = directive_options.from_directive(self, directive_options.DiffOptions)
        refuse_options(self.content, options_of(directive_options.DiffOptions))
        models = two_models(SphinxPage(self.env), self.argument, self.body)
        blocks = difference_blocks(*models, options.show, options.difference_options)
        return DirectiveOutput(self, blocks, options).build()


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-diff", LlmDiff)
