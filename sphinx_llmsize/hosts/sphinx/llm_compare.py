"""Directive ``llm-compare``: several models in a table or charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import problems
from sphinx_llmsize.hosts.sphinx.llm_size import ANY_OPTION
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_llmsize.sources.comparison_text import Line
    from sphinx_llmsize.views.comparison.comparison import Compared


class LlmCompare(SphinxDirective):
    """A table with a row for each model and a column for each number, or charts."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = ANY_OPTION

    def run(self) -> list[nodes.Node]:
        """Return the comparison, or an error notice if the input is invalid."""
        from sphinx_llmsize.hosts.sphinx import directive_options
        from sphinx_llmsize.hosts.sphinx.directive_output import DirectiveOutput
        from sphinx_llmsize.views.comparison.side_by_side import side_by_side

        try:
            options = directive_options.from_directive(self, directive_options.CompareOptions)
            blocks = side_by_side(self._models(), options.show, options.comparison)
            return DirectiveOutput(self, blocks, options).build()
        except ConfigError as error:
            return [problems.report(error, self, named=True)]

    def _models(self) -> tuple[Compared, ...]:
        """Models from the argument, separated by commas, and from the body, one per line.

        Raises:
            ConfigError: there are none, or one cannot be used.
        """
        from sphinx_llmsize.sources.comparison_text import parse_comparison

        argument = " ".join("".join(self.arguments).split())
        lines = (
            *parse_comparison(argument, is_body=False),
            *parse_comparison("\n".join(self.content)),
        )
        if not lines:
            hint = _("write their names, one a line, or after the directive with commas between")
            raise ConfigError(_("no models to compare"), Problem.MODEL, hint)
        return tuple(map(self._model, lines))

    def _model(self, line: Line) -> Compared:
        from sphinx_llmsize.hosts.sphinx.page_models import named
        from sphinx_llmsize.sources.comparison_text import Undisclosed
        from sphinx_llmsize.views.comparison.comparison import compared, stated

        if isinstance(line.compared, Undisclosed):
            return stated(line.compared.name, line.compared.entries, line.number)
        try:
            return compared(named(self.env, line.compared.model, line.compared.changes))
        except ConfigError as error:
            if error.file:  # report the line that names the model, not one in its file
                raise ConfigError(error.message, error.problem, error.hint, line.number) from None
            raise error.at(line=line.number) from None


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-compare", LlmCompare)
