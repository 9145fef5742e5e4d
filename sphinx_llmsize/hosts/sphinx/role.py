"""Role ``llm-size``: a number of a model, as text.

A page may name a model before it describes it. Such a number is a placeholder until the whole
page has been read.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, cast

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
SOME_PENDING = "llmsize_some_pending"
"""Key of whether the page has placeholders of numbers."""
NUMBERS = "llmsize_numbers"
"""Key of the text nodes of numbers."""
_EMPTY = re.compile(r":llm-size:`\s*`")
SEARCHED_LINES = 5000
"""Lines searched for a role from its paragraph's first."""


class pending_number(nodes.inline):  # noqa: N801 - docutils names nodes in lower case
    """Placeholder of a number: the role's text, ``wanted``, and its ``location``."""


class LlmSizeRole(SphinxRole):
    """``llama-7b:mlp:share`` → 64.2%."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The number as text; after a warning the role's own text if there is no such number."""
        try:
            return [_text(self.env, number(self.env, self.text, final=False))], []
        except UnknownModel:
            self.env.temp_data[SOME_PENDING] = True
            return [pending_number("", wanted=self.text, location=self._location())], []
        except ConfigError as error:
            return [refused(error, self.text, self._location())], []

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
    """Resolve placeholders, and join numbers with the text around them."""

    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        """Resolve every placeholder, and report empty roles, which docutils takes for text."""
        if line := self.env.temp_data.get(EMPTY_ROLE):
            # in a literal it is an example
            for text in list(self.document.findall(nodes.Text)):
                if ":llm-size:" in text and not _is_literal(text):
                    self._refuse_empty(text, line)
        # most pages have none, and searching a long one takes time
        some = self.env.temp_data.get(SOME_PENDING, False)
        for node in list(self.document.findall(pending_number)) if some else ():
            try:
                node.replace_self(_text(self.env, number(self.env, node["wanted"])))
            except ConfigError as error:
                node.replace_self(refused(error, node["wanted"], node["location"]))
        # one paragraph may have many numbers
        around = {id(text.parent): text.parent for text in _numbers(self.env)}
        for parent in around.values():
            if parent is not None:
                _join_texts(parent)

    def _refuse_empty(self, text: nodes.Text, line: int) -> None:
        try:
            number(self.env, "")
        except ConfigError as error:
            place = str(self.env.doc2path(self.env.docname)), line
            text.parent.replace(text, refused(error, text.astext(), place))


def _text(env: BuildEnvironment, text: str) -> nodes.Text:
    node = nodes.Text(text)
    _numbers(env).append(node)
    return node


def _numbers(env: BuildEnvironment) -> list[nodes.Text]:
    return cast("list[nodes.Text]", env.temp_data.setdefault(NUMBERS, []))


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


def _is_literal(text: nodes.Text) -> bool:
    return isinstance(text.parent, (nodes.literal, nodes.literal_block))


def _find_empty_role(app: Sphinx, page: str, source: list[str]) -> None:
    """Store the line of an empty role, if there is one."""
    if found := _EMPTY.search(source[0]):
        app.env.temp_data[EMPTY_ROLE] = source[0].count("\n", 0, found.start()) + 1


def number(env: BuildEnvironment, text: str, *, final: bool = True) -> str:
    """The number that a role's text means, as text.

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
    from sphinx_llmsize.views.numbers.number import asked_for

    def model(wanted: NumberText) -> Any:
        base = named(env, wanted.model, final=final)
        return changed(base, wanted.changes) if wanted.changes else base

    return asked_for(text, model)


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
