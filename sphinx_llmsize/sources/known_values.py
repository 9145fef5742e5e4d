"""Known values of a model whose configuration isn't public: ``{hidden_dim: "~12,288"}``.

For values in another form, the error has the form that is valid.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.sources.located import Entry, Section, Value, plain_scalar
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _

BRACED = re.compile(
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^{}]+?))\s*:\s*(?P<values>\{.*\})\s*",
    re.DOTALL,
)
"""A name, perhaps in quotes, and its known values: ``name: {key: value}``."""
_PIECE = re.compile(
    r"""'[^']*'|"[^"]*"|(?P<comma>(?<=[0-9]),(?=[0-9]{3}(?![0-9])))"""
    r"""|(?P<unknown>(?<=:)\s*\?\s*(?=[,}]))"""
)
"""A text in quotes, a comma between groups of digits as in ``~12,288``, or the value ``?``."""
_COMMA = "\ue000"
"""Character that replaces a comma within a number while braces are parsed."""

_KEY = (
    r"(?<![\w?&*.:])(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+"
    r"|total|active|params|parameters|layers|heads|context|vocab|mlp|attention|experts|norms)"
)
"""A word that is hardly the end of a model's name, but the name of a value."""
_START = re.compile(rf"\{{|[(\[]\s*(?={_KEY})|{_KEY}(?=\s*[:=]|\s+[~≈]?[0-9])")
"""The start of values after a name: a brace, a bracket before a key, or a key."""
_KEY_OF_PAIR = r"[\"']?(?P<key>[^\W\d][\w. -]*?)[\"']?(?:\s*[:=]\s*|\s+(?=[~≈]?[0-9]))"
_PAIR = re.compile(rf"{_KEY_OF_PAIR}(?P<value>\S.*)", re.DOTALL)
_BETWEEN_PAIRS = re.compile(rf"[,;]\s*(?={_KEY_OF_PAIR.replace('?P<key>', '?:')})")
"""A comma or semicolon before another pair of a key and a value."""
_AFTER_NAME = " :=,;-–—"
"""Signs between a name and values."""
_CLOSING = {"}": "{", ")": "(", "]": "["}


@dataclass(frozen=True)
class UndisclosedModel:
    """Model without a public configuration; its entries are the known values, by column."""

    name: str
    entries: tuple[Entry, ...]


def has_values(text: str) -> bool:
    """True for a line that has values beside a name, in whatever form; not for ``a?key=value``.

    A line without braces and colons is a name: ``Ours (layers=12)``.
    """
    return "{" in text or "}" in text or (":" in text and bool(_START.search(text)))


def before_values(text: str) -> str:
    """The text before the values, without a colon or comma."""
    start = _START.search(text)
    return text[: start.start() if start else len(text)].rstrip(_AFTER_NAME)


def read_values(text: str) -> UndisclosedModel | None:
    """The model of a line such as ``GPT-4: {total: undisclosed}``; None for another line.

    Raises:
        ConfigError: the values in braces cannot be read.
    """
    braced = BRACED.fullmatch(text)
    if not braced:
        return None
    name = braced["single"] or braced["double"] or braced["plain"] or ""
    try:
        entries = _entries(braced["values"])
    except ConfigError as error:
        is_corrected = error.problem is Problem.SYNTAX and corrected(text)
        raise (error.replace(hint=hint_for_values(text)) if is_corrected else error) from None
    if any(entry.value is None and not entry.key.isidentifier() for entry in entries):
        message = _("cannot read {text} as known values", text=repr(braced["values"][:60]))
        raise ConfigError(message, Problem.SYNTAX, hint_for_values(text))
    return UndisclosedModel(printable(name), entries)


def hint_for_values(text: str) -> str:
    """Hint with the valid form of a line that has a name and values, in whatever form."""
    if BRACED.match(f"{text}}}") and text.count("{") > text.count("}"):
        return _("close the brace")
    name, pairs = _name_and_pairs(text)
    if "{" not in text and find_preset(name) and "=" in text:
        changes = "&".join(f"{key}={value}" for key, value in pairs)
        return _("write changed keys after a question mark: {example}", example=f"{name}?{changes}")
    example = corrected(text) or "GPT-4: {total: undisclosed}"
    return _("write known values in braces: {example}", example=example)


def corrected(text: str) -> str:
    """The valid form of a line that has a name and values; empty if there is none."""
    name, pairs = _name_and_pairs(text)
    for written in (pairs, [(key, f'"{value}"') for key, value in pairs]):
        values = ", ".join(f"{key}: {value}" for key, value in written)
        example = f"{name or 'GPT-4'}: {{{values}}}"
        if _are_valid(f"{{{values}}}", pairs):
            return example
    return ""


def _are_valid(braces: str, pairs: Sequence[tuple[str, str]]) -> bool:
    """True if the text in braces is read as values with the keys of these pairs."""
    try:
        entries = _entries(braces)
    except ConfigError:
        return False
    has_values = all(entry.value is not None for entry in entries)
    return has_values and [entry.key for entry in entries] == [key for key, _value in pairs]


def _name_and_pairs(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The name in a line and its values by their keys; a value without a key is the total."""
    text = text.strip().lstrip("{ ")
    start = _START.search(text)
    position = start.start() if start else text.find(":") if ":" in text else len(text)
    name = text[:position].rstrip(_AFTER_NAME).strip("\"'")
    values = _without_brackets(text[position:].lstrip(" :="))
    if not start:
        return name, [("total", values or "undisclosed")]
    pairs = []
    for piece in _BETWEEN_PAIRS.split(values):
        pair = _PAIR.fullmatch(piece.strip())
        pairs.append((pair["key"], pair["value"].strip()) if pair else ("total", piece.strip()))
    return name, pairs if values else [("total", "undisclosed")]


def _without_brackets(text: str) -> str:
    """Text without opening brackets before it, and the closing ones after it that match none."""
    text = text.lstrip("{([ ").rstrip()
    while text and text[-1] in _CLOSING and text.count(text[-1]) > text.count(_CLOSING[text[-1]]):
        text = text[:-1].rstrip()
    return text


def _entries(text: str) -> tuple[Entry, ...]:
    """Read the known values in braces; each is a number or a text.

    Raises:
        ConfigError: they cannot be read.
    """
    try:
        entries = read_text(_PIECE.sub(_as_yaml, text)).entries
    except ConfigError as error:
        hint = _("put texts with special characters in quotes")
        raise error.replace(hint=hint, line=None) from None
    for entry in entries:
        if isinstance(entry.value, (Section, tuple)):
            message = _("{key} is neither a number nor a text", key=repr(entry.key[:60]))
            raise ConfigError(message, Problem.VALUE, _("put it in quotes"))
    return tuple(
        Entry(entry.key.replace(_COMMA, ","), _with_commas(entry.value), entry.line)
        for entry in entries
    )


def _as_yaml(piece: re.Match[str]) -> str:
    """A piece as YAML reads it: commas between digits are replaced, and ``?`` is in quotes."""
    if piece["comma"]:
        return _COMMA
    return piece[0] if piece["unknown"] is None else ' "?"'


def _with_commas(value: Value) -> Value:
    """Value with its commas again, as a number if it is one: ``12,288`` is 12288."""
    if not isinstance(value, str) or _COMMA not in value:
        return value
    number = plain_scalar(value.replace(_COMMA, "_"))
    return number if isinstance(number, int) else value.replace(_COMMA, ",")
