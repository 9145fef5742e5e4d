"""Reader of strict JSON, such as a ``config.json`` file, with the line of every key."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from typing import Any

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.located import (
    MAX_DEPTH,
    MAX_DIGITS,
    Entry,
    Section,
    checked_section,
    refuse_surrogates,
    syntax_error,
    too_deep,
)
from sphinx_llmsize.translation import _

# an unterminated string matches up to the end of the text, which keeps scanning linear
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[\[\]{}:,]|[^\s"\[\]{}:,]+', re.DOTALL)
"""A string, a bracket, a colon or comma, or another value."""
_STRING = re.compile(r'"(?P<content>(?:[^"\\]|\\.)*)"(?P<colon>\s*:)?')
"""A string, with the colon after it if it is a key."""
_COMMA = re.compile(r",\s*")
_TRAILING_COMMA = re.compile(r",\s*[\]}]\Z")
"""A comma before the closing bracket at the end of a text."""


def read_json(text: str) -> Section:
    """Read a JSON object; a byte order mark is skipped.

    Raises:
        ConfigError: the text is not strict JSON or not an object, or has a key twice.
    """
    text = text.removeprefix("\ufeff")
    _refuse_deep_nesting(text)
    try:
        # parse without line numbers first, so that errors have the original positions; numbers
        # stay text, since int() refuses very long ones
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        raise _not_json(error, text) from None
    value = json.loads(
        _with_lines(text),
        object_pairs_hook=_section_of_pairs,
        # a longer number stays text, which numeric keys reject later
        parse_int=lambda token: int(token) if len(token) <= MAX_DIGITS else token,
        parse_float=lambda token: float(token) if len(token) <= MAX_DIGITS else token,
    )
    if not isinstance(value, Section):
        raise syntax_error(_("not a JSON object"), 0, _("the file must hold { … }"))
    return value


def refuse_slash_comments(text: str) -> None:
    """Reject ``//`` and ``/*`` comments, which neither JSON nor YAML nor Python supports.

    Raises:
        ConfigError: the text contains one.
    """
    for token in _TOKEN.finditer(text):
        # a colon before '//' makes it part of a URL
        before = text[token.start() - 1 : token.start()]
        if token[0].startswith(("//", "/*")) and not before.strip(" \t\n,"):
            comment = _("comment '{text}'", text=token[0][:2])
            message = _("{what} is not supported", what=comment)
            raise syntax_error(message, _line(text, token.start()), _("begin comments with '#'"))


def _with_lines(text: str) -> str:
    """Prefix each key of valid JSON with its 0-based line: ``"12 hidden_size": 64``.

    Raises:
        ConfigError: a string has a lone surrogate.
    """
    line_ends = [found.start() for found in re.finditer("\n", text)]

    def add_line(string: re.Match[str]) -> str:
        line = bisect_left(line_ends, string.start())
        content, colon = string["content"], string["colon"]
        if "\\u" in content:
            refuse_surrogates(json.loads(f'"{content}"'), line)
        is_key = colon is not None
        return f'"{line} {content}"{colon}' if is_key else string[0]

    return _STRING.sub(add_line, text)


def _section_of_pairs(pairs: list[tuple[str, Any]]) -> Section:
    """Make a section of a JSON object whose keys begin with their lines: ``12 hidden_size``."""
    entries = []
    for line_and_key, value in pairs:
        line, _space, key = line_and_key.partition(" ")
        entries.append(Entry(key, _as_tuples(value), int(line)))
    return checked_section(entries)


def _as_tuples(value: Any) -> Any:
    """The value with tuples in place of lists, at any depth."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def _not_json(error: json.JSONDecodeError, text: str) -> ConfigError:
    """Error for a text that the standard library cannot parse."""
    # Python 3.13 reports the position of a trailing comma, earlier versions that of the next token
    comma = _COMMA.match(text, error.pos)
    position = comma.end() if comma else error.pos
    line = _line(text, position)
    if _TRAILING_COMMA.search(text[: position + 1]):
        mistake, hint = _("a comma after the last entry"), _("remove it")
        return syntax_error(_("not JSON: {msg}", msg=mistake), line, hint)
    return syntax_error(_("not JSON: {msg}", msg=error.msg), line)


def _refuse_deep_nesting(text: str) -> None:
    """Refuse text that would exceed the recursion limit of the standard library's parser.

    Raises:
        ConfigError: it is nested more deeply than :data:`MAX_DEPTH`.
    """
    depth = 0
    for token in _TOKEN.finditer(text):
        if token[0] in {"[", "{"}:
            depth += 1
        elif token[0] in {"]", "}"}:
            depth -= 1
        if depth > MAX_DEPTH:
            raise too_deep(_line(text, token.start()))


def _line(text: str, position: int) -> int:
    """0-based line of a position."""
    return text.count("\n", 0, position)
