"""Directive ``llm-size``: views of one model, such as its parameters and its pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx import problems
from sphinx_llmsize.hosts.sphinx.model_directive import ModelDirective
from sphinx_llmsize.hosts.sphinx.model_objects import register_model
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_llmsize.blocks import Document
    from sphinx_llmsize.directives.page import Page
    from sphinx_llmsize.hosts.sphinx.directive_options import SizeOptions
    from sphinx_llmsize.model import Model


class LlmSize(ModelDirective):
    """Views of one model, given by name, by configuration or both."""

    def output(self) -> list[nodes.Node]:
        """The model's views, below notices of a name that is taken and of an unexpected total."""
        # imported here and in llm-compare, so that projects without them start 0.1 s faster
        from sphinx_llmsize.hosts.sphinx import directive_options
        from sphinx_llmsize.hosts.sphinx.directive_output import DirectiveOutput
        from sphinx_llmsize.hosts.sphinx.misplaced_lines import refuse_misplaced
        from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage

        page = SphinxPage(self.env, self)
        options = directive_options.from_directive(self, directive_options.SizeOptions)
        refuse_misplaced(self, directive_options.SizeOptions)
        model = page.select_model(self.argument, self.body, options.config)
        output = DirectiveOutput(self, self._blocks(model, options), options).build()
        notices = [self._define(page, model), self._check_total(model, options)]
        return [*register_model(self, model), *filter(None, notices), *output]

    def _blocks(self, model: Model, options: SizeOptions) -> Document:
        """The views that the options select."""
        # imported here, as in output()
        from sphinx_llmsize.views import document

        views = options.view_options
        if not options.interactive:
            return document(model, options.show, views)
        from sphinx_llmsize.interactive.directive_source import source_of
        from sphinx_llmsize.interactive.document import interactive_document

        source = source_of(model, self.options)
        # the static views get the caption as nodes, with its markup
        return interactive_document(
            model, options.show, views, source, options.caption, captions_static_views=False
        )

    def _define(self, page: Page, model: Model) -> nodes.Node | None:
        """Define a model that is configured here; return a notice if its name is taken."""
        if self.arguments and not (model.preset or model.changes):
            try:
                page.define(model)
            except ConfigError as error:
                return problems.report(error, self)
        return None

    def _check_total(self, model: Model, options: SizeOptions) -> nodes.Node | None:
        """A notice, after a warning, if the total differs from ``:expect:``."""
        # imported here, as in output()
        from sphinx_llmsize.model_errors import unexpected_total

        hint = _("correct :expect: or the text that relies on it")
        error = unexpected_total(model, options.expect, hint)
        return problems.report(error, self) if error else None


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-size", LlmSize)
