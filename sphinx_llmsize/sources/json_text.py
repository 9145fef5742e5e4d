"""Strict JSON, with the line of every key: a ``config.json`` as it lies on disk.

The standard library decides what is JSON; a walk over the tokens of what it accepted
then finds the lines, which it does not report.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from sphinx_llmsize.sources.located import (
    MAX_DEPTH,
    MAX_DIGITS,
    Entry,
    Section,
    Value,
    refuse_surrogates,
    section,
    syntax_error,
)
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx_llmsize.errors import ConfigError

# a string without an end runs to the end of the text, so that no quote is looked at twice
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)
_COMMA = re.compile(r",\s*")
_TRAILING = re.compile(r",\s*[\]}]\Z")


def read_json(text: str) -> Section:
    """The object that a JSON text is; a byte order mark before it is skipped.

    Raises:
        ConfigError: the text is not strict JSON, not an object, or has a key twice.
    """
    text = text.removeprefix("\ufeff")
    _refuse_deep_nesting(text)
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise _not_json(error, text) from None
    value = _Reader(text).value()
    if not isinstance(value, Section):
        raise syntax_error(_("not a JSON object"), 0, _("the file must hold { … }"))
    return value


def refuse_slashes(text: str) -> None:
    """The comments of other languages, which neither JSON nor YAML nor Python has.

    Raises:
        ConfigError: there is one.
    """
    for token in _TOKEN.finditer(text):
        before = text[token.start() - 1 : token.start()]
        if token[0].startswith(("//", "/*")) and not before.strip(" \t\n,"):
            comment = token[0][:2]
            raise syntax_error(
                _("{what} is not read here", what=_("comment '{text}'", text=comment)),
                _line(text, token.start()),
                _("begin comments with '#'"),
            )


def _not_json(error: json.JSONDecodeError, text: str) -> ConfigError:
    """The error for what the standard library refuses."""
    # Python 3.13 points at a trailing comma, earlier ones at what follows it: so do we
    comma = _COMMA.match(text, error.pos)
    position = comma.end() if comma else error.pos
    if _TRAILING.search(text[: position + 1]):
        what, hint = _("a comma after the last entry"), _("remove it")
        return syntax_error(_("not JSON: {msg}", msg=what), _line(text, position), hint)
    return syntax_error(_("not JSON: {msg}", msg=error.msg), _line(text, position))


def _refuse_deep_nesting(text: str) -> None:
    """Checked first: the standard library's parser recurses."""
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > MAX_DEPTH:
            line = _line(text, token.start())
            raise syntax_error(_("more than {number} levels of nesting", number=MAX_DEPTH), line)


class _Reader:
    """Recursive descent over the tokens of text known to be JSON."""

    def __init__(self, text: str) -> None:
        self.tokens: Iterator[re.Match[str]] = _TOKEN.finditer(text)
        self.token = next(self.tokens)
        self.line_ends = [found.start() for found in re.finditer("\n", text)]

    def take(self) -> str:
        token = self.token[0]
        self.token = next(self.tokens, self.token)
        return token

    def line(self) -> int:
        return bisect_left(self.line_ends, self.token.start())

    def value(self) -> Value:
        if self.token[0] == "{":
            return self.mapping()
        if self.token[0] == "[":
            return self.array()
        line, value = self.line(), _scalar(self.take())
        refuse_surrogates(value, line)
        return value

    def mapping(self) -> Section:
        self.take()
        entries: list[Entry] = []
        while self.token[0] != "}":
            if self.token[0] == ",":
                self.take()
            line = self.line()
            key = _scalar(self.take())
            self.take()  # the colon
            entries.append(Entry(str(key), self.value(), line))
        self.take()
        return section(entries)

    def array(self) -> tuple[object, ...]:
        self.take()
        items: list[object] = []
        while self.token[0] != "]":
            if self.token[0] == ",":
                self.take()
            items.append(self.value())
        self.take()
        return tuple(items)


def _scalar(token: str) -> str | int | float | bool | None:
    if len(token) > MAX_DIGITS and token[0] in "-0123456789":
        return token  # a word to whoever wants a number: int() would refuse its length
    value = json.loads(token)
    assert value is None or isinstance(value, (str, int, float))
    return value


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position)
