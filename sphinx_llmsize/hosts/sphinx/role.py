"""The role ``llm-size``: a number of a model, as text.

A model of the page may be described below the place where it is named, so what is not known
yet is looked for again when the page has been read.
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
"""Where the page that is being read keeps the line of a role without text."""
SOME_PENDING = "llmsize_some_pending"
"""Whether it has numbers of models that are not known yet."""
NUMBERS = "llmsize_numbers"
"""Where it keeps the numbers that it has, as text nodes."""
_EMPTY = re.compile(r":llm-size:`\s*`")
FAR = 5000
"""How many lines below the one that docutils tells a role is looked for."""


class pending_number(nodes.inline):  # noqa: N801 - nodes are named as docutils names its own
    """A number of a model that is not known yet: its ``wanted`` text and ``location``."""


class LlmSizeRole(SphinxRole):
    """``llama-7b:mlp:share`` → 64.2%."""

    def run(self) -> tuple[list[Node], list[system_message]]:
        """The number as text; what cannot be had is a warning, and stands as it was written."""
        try:
            return [_text(self.env, number(self.env, self.text, final=False))], []
        except UnknownModel:
            self.env.temp_data[SOME_PENDING] = True
            return [pending_number("", wanted=self.text, location=self._place())], []
        except ConfigError as error:
            return [refused(error, self.text, self._place())], []

    def _place(self) -> Location:
        """The line that the role stands in; docutils only knows where its paragraph begins."""
        from sphinx_llmsize.hosts.sphinx.locate import lines_of

        source, line = self.get_source_info()
        # below a passage of reStructuredText MyST no longer knows either
        path = os.path.abspath(source or self.inliner.document["source"])
        line = line or self.lineno
        lines = lines_of(path)[line - 1 : line - 1 + FAR]
        written = f"`{self.text}`"
        return path, line + next((i for i, text in enumerate(lines) if written in text), 0)


class ResolveNumbers(SphinxTransform):
    """Put the numbers in place whose models are described further below; all become plain text."""

    default_priority = 5

    def apply(self, **kwargs: Any) -> None:
        """Replace every pending number by its text, and find roles that docutils overlooks."""
        if line := self.env.temp_data.get(EMPTY_ROLE):
            # what begins with a blank is no role to docutils, but text; so it is in an example
            for text in list(self.document.findall(nodes.Text)):
                if ":llm-size:" in text and not _is_literal(text):
                    self._refuse_empty(text, line)
        # most pages have none, and looking for them takes time on a long one
        some = self.env.temp_data.get(SOME_PENDING, False)
        for node in list(self.document.findall(pending_number)) if some else ():
            try:
                node.replace_self(_text(self.env, number(self.env, node["wanted"])))
            except ConfigError as error:
                node.replace_self(refused(error, node["wanted"], node["location"]))
        # a paragraph may have many
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
    """Make a number one text with the words around it, as if it had been typed."""
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


def _look_for_empty(app: Sphinx, page: str, source: list[str]) -> None:
    """Remember the line of a role without text, should there be one."""
    if found := _EMPTY.search(source[0]):
        app.env.temp_data[EMPTY_ROLE] = source[0].count("\n", 0, found.start()) + 1


def number(env: BuildEnvironment, text: str, *, final: bool = True) -> str:
    """What the role's text asks for.

    Args:
        env: the environment.
        text: the role's.
        final: whether all models of the page are known.

    Raises:
        UnknownModel: it names a model that is not known (yet).
        ConfigError: it cannot be read, or the model has no such number.
    """
    from sphinx_llmsize.hosts.sphinx.page_models import named
    from sphinx_llmsize.model import changed
    from sphinx_llmsize.views.numbers.number import role_text

    def model(wanted: NumberText) -> Any:
        base = named(env, wanted.model, final=final)
        return changed(base, wanted.changes) if wanted.changes else base

    return role_text(text, model)


def refused(error: ConfigError, text: str, location: Location) -> nodes.inline:
    """What was written, marked as a mistake, after a warning."""
    from sphinx_llmsize.escaping import printable
    from sphinx_llmsize.hosts.sphinx.problems import warn

    warn(error, location)
    shown = printable(text)
    return nodes.inline(shown, shown, classes=["llmsize-error"], title=printable(str(error)))


def setup(app: Sphinx) -> None:
    """Register the role and what completes it."""
    app.add_role("llm-size", LlmSizeRole())
    app.add_transform(ResolveNumbers)
    app.connect("source-read", _look_for_empty)
