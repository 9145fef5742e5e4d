"""Role ``llm-size``: a number of a model, as text.

A page may name a model before it describes it. Such a number is a placeholder until the whole
page has been read.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxRole

from sphinx_llmsize.errors import ConfigError, UnknownModel

if TYPE_CHECKING:
    from docutils.nodes import Node, system_message
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

    from sphinx_llmsize.hosts.sphinx.locate import Location
    from sphinx_llmsize.sources.number_text import NumberText

EMPTY_ROLE = "llmsize_empty_role"
"""Key in ``env.temp_data`` of the line of a role without text."""
_EMPTY = re.compile(r":llm-size:`\s*`")
SEARCHED_LINES = 5000
"""Most lines of a paragraph that are searched for a role."""


class number_placeholder(nodes.inline):  # noqa: N801 - docutils names nodes in lower case
    """Placeholder with a number's text, or without if its model is not described yet.

    Attributes ``wanted`` and ``location`` are the role's text and its line.
    """


class LlmSizeRole(SphinxRole):
    """``llama-7b:mlp:share`` → 64.2%."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The number; after a warning the role's own text if there is no such number."""
        try:
            shown = number(self.env, self.text, final=False)
        except UnknownModel:
            return [number_placeholder(wanted=self.text, location=self._location())], []
        except ConfigError as error:
            return [refused(error, self.text, self._location())], []
        # with the text, since docutils makes ids of headings before transforms run
        return [number_placeholder("", shown)], []

    def _location(self) -> Location:
        """The role's own line; docutils gives the first line of its paragraph."""
        from sphinx_llmsize.hosts.sphinx.locate import lines_of

        source, line = self.get_source_info()
        # after a block of reStructuredText MyST gives no source
        path = os.path.abspath(source or self.inliner.document["source"])
        line = line or self.lineno
        lines = lines_of(path)[line - 1 : line - 1 + SEARCHED_LINES]
        written = f"`{self.text}`"
        return path, line + next((i for i, text in enumerate(lines) if written in text), 0)


class ResolveNumbers(SphinxTransform):
    """Replace placeholders by their numbers, each joined with the text around it."""

    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        """Resolve every placeholder, and report empty roles, which docutils parses as text."""
        if line := self.env.temp_data.get(EMPTY_ROLE):
            for text in list(self.document.findall(nodes.Text)):
                # an empty role in a literal is an example
                is_literal = isinstance(text.parent, (nodes.literal, nodes.literal_block))
                if ":llm-size:" in text and not is_literal:
                    self._refuse_empty(text, line)
        parents: dict[int, nodes.Element] = {}
        for node in list(self.document.findall(number_placeholder)):
            parents[id(node.parent)] = node.parent
            node.replace_self(self._resolved(node))
        for parent in parents.values():
            _join_texts(parent)

    def _resolved(self, node: number_placeholder) -> nodes.Node:
        if node.children:
            return node.children[0]
        try:
            return nodes.Text(number(self.env, node["wanted"]))
        except ConfigError as error:
            return refused(error, node["wanted"], node["location"])

    def _refuse_empty(self, text: nodes.Text, line: int) -> None:
        try:
            number(self.env, "")
        except ConfigError as error:
            location = str(self.env.doc2path(self.env.docname)), line
            text.parent.replace(text, refused(error, text.astext(), location))


def _join_texts(parent: nodes.Element) -> None:
    """Join adjacent texts, so that a number is like typed text."""
    joined: list[nodes.Node] = []
    for child in parent.children:
        if type(child) is nodes.Text and joined and type(joined[-1]) is nodes.Text:
            joined[-1] = nodes.Text(joined[-1] + child)
        else:
            joined.append(child)
    parent.children = []
    parent.extend(joined)


def _find_empty_role(app: Sphinx, page: str, source: list[str]) -> None:
    """Store the line of an empty role, if there is one."""
    if found := _EMPTY.search(source[0]):
        app.env.temp_data[EMPTY_ROLE] = source[0].count("\n", 0, found.start()) + 1


def number(env: BuildEnvironment, text: str, *, final: bool = True) -> str:
    """The number for a role's text, formatted.

    Args:
        env: the build environment.
        text: the role's text.
        final: the whole page has been read.

    Raises:
        UnknownModel: the model is unknown, or not described yet.
        ConfigError: the text cannot be read, or the model has no such number.
    """
    from sphinx_llmsize.hosts.sphinx.page_models import named
    from sphinx_llmsize.model import changed
    from sphinx_llmsize.views.numbers.number import role_text

    def model(wanted: NumberText) -> Any:
        base = named(env, wanted.model, final=final)
        return changed(base, wanted.changes) if wanted.changes else base

    return role_text(text, model)


def refused(error: ConfigError, text: str, location: Location) -> nodes.inline:
    """The role's text marked as a mistake, after a warning."""
    from sphinx_llmsize.escaping import printable
    from sphinx_llmsize.hosts.sphinx.problems import warn

    warn(error, location)
    shown = printable(text)
    return nodes.inline(shown, shown, classes=["llmsize-error"], title=printable(str(error)))


def setup(app: Sphinx) -> None:
    """Register the role, its transform, and the search for empty roles."""
    app.add_role("llm-size", LlmSizeRole())
    app.add_transform(ResolveNumbers)
    app.connect("source-read", _find_empty_role)
