"""Parser of ``llm-compare``: models, one per line or separated by commas.

::

    llama-3-8b
    llama-3-8b?num_layers=40
    GPT-4: {hidden_dim: "~12,288", total: undisclosed}

Braces describe a model whose configuration isn't public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.sources.located import Entry, Section, Value, plain_scalar
from sphinx_llmsize.sources.number_text import NumberText, parse_numbers
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _

MAX_MODELS = 200
"""Maximum number of models in one comparison."""
# a name, perhaps in quotes, and its known values: name: {key: value}
_BRACED = re.compile(
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^{}]+?))\s*:\s*(?P<values>\{.*\})\s*",
    re.DOTALL,
)
# a text in quotes, or a comma between groups of digits: ~12,288
_DIGIT_GROUPS = re.compile(r"""'[^']*'|"[^"]*"|(?<=[0-9]),(?=[0-9]{3}(?![0-9]))""")
_UNKNOWN_VALUE = re.compile(r"(?<=:)\s*\?\s*(?=[,}])")
_BULLET = re.compile(r"[-*+]\s+(?=\S)")
_COMMA = "\ue000"
"""Character that replaces a comma within a number while braces are parsed."""


@dataclass(frozen=True)
class UndisclosedModel:
    """Model without a public configuration; its entries are the known values, by column."""

    name: str
    entries: tuple[Entry, ...]


ComparedModel = Union[NumberText, UndisclosedModel]
"""A model to compare: one that can be counted, or one with known values alone."""


@dataclass(frozen=True)
class ComparisonLine:
    """Text of one compared model; ``number`` is its 0-based line in the body, or else None."""

    text: str
    number: int | None

    def parse(self) -> ComparedModel:
        """Parse the model, or the values in braces.

        Raises:
            ConfigError: the text is neither.
        """
        if braced := _BRACED.fullmatch(self.text):
            name = braced["single"] or braced["double"] or braced["plain"] or ""
            return UndisclosedModel(printable(name), _entries(braced["values"]))
        return _parse_model(self.text)


def comparison_lines(text: str, *, is_body: bool = True) -> tuple[ComparisonLine, ...]:
    """The compared models, in order; blank lines and ``#`` comments are skipped.

    Args:
        text: the directive's body or argument.
        is_body: true for the body, whose line numbers become source positions.

    Raises:
        ConfigError: there are too many.
    """
    lines: list[ComparisonLine] = []
    for position, stripped in _whole_lines(text):
        number = position if is_body else None
        if stripped and not stripped.startswith("#"):
            names = [stripped] if _BRACED.fullmatch(stripped) else stripped.split(",")
            lines += [ComparisonLine(name.strip(), number) for name in names if name.strip()]
    if len(lines) > MAX_MODELS:
        message = _("a comparison of {lines} models", lines=len(lines))
        raise ConfigError(message, Problem.SYNTAX, _("at most {number}", number=MAX_MODELS))
    return tuple(lines)


def _whole_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their positions, without bullets; those within braces are joined to the first.

    After an open brace, a line without a colon is a line of its own: the brace isn't closed.
    """
    start, whole = 0, ""
    for position, line in enumerate(text.split("\n")):
        is_open = whole.count("{") > whole.count("}")
        if is_open and ":" in line:
            whole = f"{whole} {line.strip()}"
            continue
        yield start, whole
        start, whole = position, _BULLET.sub("", line.strip())
    yield start, whole


def _parse_model(text: str) -> NumberText:
    """Parse a model's name, optionally with changed keys.

    Raises:
        ConfigError: the text is something else, such as known values without braces.
    """
    name, colon, value = text.partition(":")
    if colon and "{" in value:
        raise _not_a_name(text, _("close the brace"))
    if colon and (not value or value[0].isspace()):
        is_key = re.fullmatch("[a-z_]+", name)
        example = f"{name}: {{total: {value.strip() or 'undisclosed'}}}"
        example = f"GPT-4: {{{text}}}" if is_key else example
        raise _not_a_name(text, _("write known values in braces: {example}", example=example))
    number, *others = parse_numbers(text)
    if others or number.words:
        raise _not_a_name(text, _("choose what is shown with :columns:"))
    return number


def _not_a_name(text: str, hint: str) -> ConfigError:
    message = _("{strip} is not a model's name", strip=repr(text.strip()[:60]))
    return ConfigError(message, Problem.SYNTAX, hint)


def _entries(text: str) -> tuple[Entry, ...]:
    """Read the known values in braces; each is a number or a text.

    Raises:
        ConfigError: they cannot be read.
    """
    text = _UNKNOWN_VALUE.sub(' "?"', _DIGIT_GROUPS.sub(_marked, text))
    try:
        entries = read_text(text).entries
    except ConfigError as error:
        hint = _("put texts with special characters in quotes")
        raise ConfigError(error.message, error.problem, hint) from None
    for entry in entries:
        if isinstance(entry.value, (Section, tuple)):
            message = _("{key} is neither a number nor a text", key=repr(entry.key[:60]))
            raise ConfigError(message, Problem.VALUE, _("put it in quotes"))
    return tuple(
        Entry(entry.key.replace(_COMMA, ","), _unmarked(entry.value), entry.line)
        for entry in entries
    )


def _marked(found: re.Match[str]) -> str:
    """Replace a comma between digits, which would end the value; keep texts in quotes."""
    return found[0] if len(found[0]) > 1 else _COMMA


def _unmarked(value: Value) -> Value:
    """Value with its commas, or as a number if it is one."""
    if not isinstance(value, str) or _COMMA not in value:
        return value
    number = plain_scalar(value.replace(_COMMA, "_"))
    return number if isinstance(number, int) else value.replace(_COMMA, ",")
