"""One use of ``llm-compare``: from the names an author wrote to tables and charts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import directive_options, locate, page_models, problems
from sphinx_llmsize.hosts.sphinx.page import Page
from sphinx_llmsize.model import changed
from sphinx_llmsize.sources.comparison_text import Line, Said, parse_comparison
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.comparison.comparison import Compared, compared, stated
from sphinx_llmsize.views.comparison.side_by_side import side_by_side

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.util.docutils import SphinxDirective


@dataclass(frozen=True)
class Comparison:
    """A directive that is being run."""

    directive: SphinxDirective

    def run(self) -> list[nodes.Node]:
        """What the author asked for, or a notice in its place."""
        try:
            wanted = directive_options.of(self.directive, directive_options.CompareOptions)
            rows = (*self._in_argument(), *self._in_body())
            if not rows:
                hint = _(
                    "write their names, one a line, or after the directive with commas between"
                )
                raise ConfigError(_("no models to compare"), Problem.MODEL, hint)
            blocks = side_by_side(rows, wanted.show, wanted.comparison)
            return Page(self.directive, blocks, wanted).build()
        except ConfigError as error:
            problems.warn(error, self._location(error))
            return [problems.named_notice(error, self.directive)]

    def _in_argument(self) -> Iterator[Compared]:
        text = " ".join("".join(self.directive.arguments).split())
        return map(self._row, parse_comparison(text, in_lines=False))

    def _in_body(self) -> Iterator[Compared]:
        return map(self._row, parse_comparison("\n".join(self.directive.content)))

    def _row(self, line: Line) -> Compared:
        if isinstance(line.compared, Said):
            return stated(line.compared.name, line.compared.entries, line.line)
        try:
            model = page_models.named(self.directive.env, line.compared.model)
            changes = line.compared.changes
            return compared(changed(model, changes) if changes else model)
        except ConfigError as error:
            raise error.at(line=line.line) from None

    def _location(self, error: ConfigError) -> locate.Location:
        if error.file:
            return locate.start(self.directive)
        return locate.mistake(self.directive, error)
