"""Directive ``llm-compare``: several models in a table or charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx import problems
from sphinx_llmsize.hosts.sphinx.locate import error_location
from sphinx_llmsize.hosts.sphinx.model_directive import ModelDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

    from sphinx_llmsize.views.comparison.compared_rows import ComparedRow


class LlmCompare(ModelDirective):
    """A table with a row for each model and a column for each number, or charts."""

    def output(self) -> list[nodes.Node]:
        """The comparison, below a notice for each mistake in it."""
        from sphinx_llmsize.hosts.sphinx import directive_options
        from sphinx_llmsize.hosts.sphinx.directive_output import DirectiveOutput
        from sphinx_llmsize.views.comparison.side_by_side import side_by_side

        options = directive_options.from_directive(self, directive_options.CompareOptions)
        rows, errors = self._rows()
        comparison = side_by_side(rows, options.show, options.comparison_options)
        errors += comparison.errors
        if not comparison.blocks:
            first, *others = errors
            notices = [problems.report(error, self) for error in others]
            return [problems.report(first, self, takes_name=True), *notices]
        output = DirectiveOutput(self, comparison.blocks, options).build()
        for error_in_cell in comparison.cell_errors:
            problems.warn(error_in_cell, error_location(self, error_in_cell))
        return [*(problems.report(each, self) for each in errors), *output]

    def _rows(self) -> tuple[list[ComparedRow], list[ConfigError]]:
        """Rows of the models in the argument and the body, and errors of those that can't be used.

        Raises:
            ConfigError: there are none, or too many.
        """
        from sphinx_llmsize.directives.misplaced import refuse_option
        from sphinx_llmsize.directives.registry import compared_lines, compared_row
        from sphinx_llmsize.hosts.sphinx.directive_options import CompareOptions
        from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage
        from sphinx_llmsize.views.option_declarations import options_of

        lines = compared_lines(self.argument, self.body)
        page, options = SphinxPage(self.env), options_of(CompareOptions)
        rows, errors = [], []
        for line in lines:
            try:
                refuse_option(line.text, options)
                rows.append(compared_row(page, line))
            except ConfigError as error:
                errors.append(error.at(line=line.number))
        return rows, errors


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("llm-compare", LlmCompare)
