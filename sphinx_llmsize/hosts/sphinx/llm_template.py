"""Directive ``llm-template``: text with expressions over models, parsed as part of the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.directives.template import TEMPLATE, nested_template_error
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx import language, locate, problems
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.model import Model
    from sphinx_llmsize.sandbox import Rendered

IN_TEMPLATE = "llmsize_within_template"
"""Key in ``env.temp_data``: true while an ``llm-template`` is evaluated and parsed."""
MAX_DEPTH = 20
"""Maximum depth of nested nodes; some builders fail at slightly greater depths."""


class LlmTemplate(SphinxDirective):
    """A template in the directive's body, evaluated and then parsed as part of the page."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the nodes of the evaluated body, or an error notice if it is invalid."""
        # slow imports are in functions, since few projects use this directive
        from sphinx_llmsize.sandbox import render

        try:
            with self._forbid_nesting():
                return self._parse(render("\n".join(self.content), self._find_model))
        except ConfigError as error:
            return [problems.report(error, self)]

    def _find_model(self, name: str) -> Model:
        """The model of an expression, as :meth:`.Page.find_model`."""
        from sphinx_llmsize.hosts.sphinx.page_models import SphinxPage

        try:
            return SphinxPage(self.env).find_model(name)
        except ConfigError as error:
            if error.line is not None:
                raise
            # an error without a line concerns a whole file: it is reported at this directive
            raise error.replace(file="") from None

    def _parse(self, rendered: Rendered) -> list[nodes.Node]:
        """Parse the output of the template in the page's markup, and mark it as generated.

        Raises:
            ConfigError: the nodes are nested too deeply.
        """
        from sphinx_llmsize.hosts.sphinx.myst_line_map import Offset

        origins = rendered.origins
        if locate.is_markdown(self):
            # MyST adds the offset to a line: this one then maps each line to its origin
            offset: int = Offset(self.content_offset, origins)
        else:
            # docutils counts the lines of inline markup from the first line of the text
            offset = self.content_offset + origins[0]
        locations = (locate.content_line(self, origin) for origin in origins)
        items = [(source, line - 1) for source, line in locations]
        try:
            parsed = self._nodes(StringList(list(rendered.lines), items=items), offset)
        except RecursionError:
            raise _depth_error() from None
        if any(_depth(node) > MAX_DEPTH for node in parsed):
            raise _depth_error()
        language.exclude_from_gettext(self.env, parsed)
        return parsed

    def _nodes(self, text: StringList, offset: int) -> list[nodes.Node]:
        """Parse a text; its headings begin subsections where docutils allows sections."""
        parent = self.state_machine.node
        allows_headings = isinstance(parent, (nodes.document, nodes.section))
        lengths = [(section, len(section)) for section in _with_ancestors(parent)]
        # parse_text_to_nodes accepts a StringList, though its annotation says str
        parsed = self.parse_text_to_nodes(
            cast("str", text), offset=offset, allow_section_headings=allows_headings
        )
        # MyST appends sections directly to their ancestors: move them after the preceding nodes
        for section, length in lengths:
            parsed += section[length:]
            del section[length:]
        return parsed

    @contextmanager
    def _forbid_nesting(self) -> Iterator[None]:
        """Raise ConfigError if templates are nested, since their resource limits would multiply."""
        if self.env.temp_data.get(IN_TEMPLATE):
            raise nested_template_error()
        self.env.temp_data[IN_TEMPLATE] = True
        try:
            yield
        finally:
            self.env.temp_data[IN_TEMPLATE] = False


def _with_ancestors(node: nodes.Element | None) -> Iterator[nodes.Element]:
    """The node and its ancestors, from the inside out."""
    while node is not None:
        yield node
        node = node.parent


def _depth(node: nodes.Node) -> int:
    """Number of levels of a node and its descendants."""
    depth, level = 0, [node]
    while level:
        depth += 1
        level = [child for parent in level for child in parent.children]
    return depth


def _depth_error() -> ConfigError:
    """Error for nodes that are nested too deeply."""
    return ConfigError(
        _("the output is nested too deeply"),
        Problem.EXPRESSION,
        _("use fewer lists, quotes and directives inside each other"),
    )


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive(TEMPLATE, LlmTemplate)
