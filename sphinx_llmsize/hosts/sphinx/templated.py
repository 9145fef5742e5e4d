"""One use of ``llm-template``: from its body to the nodes of what that becomes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from docutils import nodes
from docutils.statemachine import StringList

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import language, locate, page_models, problems
from sphinx_llmsize.hosts.sphinx.origins import Offset
from sphinx_llmsize.sandbox import Rendered, render
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment
    from sphinx.util.docutils import SphinxDirective

    from sphinx_llmsize.model import Model

WITHIN = "llmsize_within_template"
"""Whether what the page is being read from was itself made by the directive."""

MAX_DEPTH = 20
"""Of elements within each other; few builders can write many more."""


@dataclass(frozen=True)
class Templated:
    """A directive that is being run."""

    directive: SphinxDirective

    def run(self) -> list[nodes.Node]:
        """What the body says, or a notice in its place."""
        try:
            with _not_within_another(self.directive.env):
                return self._parsed(render("\n".join(self.directive.content), self._named))
        except ConfigError as error:
            return [problems.report(error, self.directive)]

    def _named(self, name: str) -> Model:
        try:
            return page_models.named(self.directive.env, name)
        except ConfigError as error:
            if error.line is not None:
                raise
            # as a whole it is at fault where it is asked for, not in its file
            raise ConfigError(error.message, error.problem, error.hint) from None

    def _parsed(self, rendered: Rendered) -> list[nodes.Node]:
        """The nodes of the text, in the page's own markup; headings where a page has them."""
        directive = self.directive
        origins = rendered.origins
        if locate.is_markdown(directive):
            offset: int = Offset(directive.content_offset, origins)
        else:
            # of an inline mistake docutils only counts the lines, from the first
            offset = directive.content_offset + origins[0]
        places = (locate.content_line(directive, origin) for origin in origins)
        items = [(source, line - 1) for source, line in places]
        text = StringList(list(rendered.lines), items=items)
        try:
            parsed = _parse(directive, text, offset)
        except RecursionError:
            raise _too_deep() from None
        if any(_depth(node) > MAX_DEPTH for node in parsed):
            raise _too_deep()
        language.exclude(directive.env, parsed)
        return parsed


def _parse(directive: SphinxDirective, text: StringList, offset: int) -> list[nodes.Node]:
    """The nodes of a text in the page's own markup; headings begin subsections."""
    around = directive.state_machine.node
    headings = isinstance(around, (nodes.document, nodes.section))
    sections = [(section, len(section)) for section in _with_ancestors(around)]
    # it takes a StringList as well, as its description says
    parsed = directive.parse_text_to_nodes(
        cast("str", text), offset=offset, allow_section_headings=headings
    )
    # MyST puts them at the end of the page at once, above the text before them
    for section, length in sections:
        parsed += section[length:]
        del section[length:]
    return parsed


def _depth(node: nodes.Node) -> int:
    deepest, level = 0, [node]
    while level:
        deepest += 1
        level = [child for parent in level for child in parent.children]
    return deepest


def _too_deep() -> ConfigError:
    return ConfigError(_("what this becomes nests too deep"), Problem.EXPRESSION)


def _with_ancestors(node: nodes.Element | None) -> Iterator[nodes.Element]:
    while node is not None:
        yield node
        node = node.parent


@contextmanager
def _not_within_another(env: BuildEnvironment) -> Iterator[None]:
    """Refuse what a template makes to be a template: the bounds would multiply.

    Raises:
        ConfigError: one is being parsed.
    """
    if env.temp_data.get(WITHIN):
        hint = _("write the outer one's text without it")
        raise ConfigError(_("llm-template in llm-template"), Problem.EXPRESSION, hint)
    env.temp_data[WITHIN] = True
    try:
        yield
    finally:
        env.temp_data[WITHIN] = False
