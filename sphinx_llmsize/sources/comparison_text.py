"""Parser of ``llm-compare``: models, one per line or separated by commas.

::

    llama-3-8b
    llama-3-8b?num_layers=40
    GPT-4: {hidden_dim: "~12,288", total: undisclosed}

Braces describe a model whose configuration isn't public.
"""

from __future__ import annotations

import re
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
_BRACED = re.compile(
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^{}]+?))\s*:\s*(?P<values>\{.*\})\s*",
    re.DOTALL,
)
"""A name, perhaps in quotes, and its known values: ``name: {key: value}``."""
_PIECE = re.compile(
    r"""'[^']*'|"[^"]*"|(?P<comma>(?<=[0-9]),(?=[0-9]{3}(?![0-9])))"""
    r"""|(?P<unknown>(?<=:)\s*\?\s*(?=[,}]))"""
)
"""A text in quotes, a comma between groups of digits as in ``~12,288``, or the value ``?``."""
_BULLET = re.compile(r"\A[-*+]\s+(?=\S)")
"""The bullet of a list item; the same sign later in a line belongs to a model's name."""
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
    """Text of one compared model; ``number`` is its 0-based line, None outside a body."""

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
        is_body: the text is the body, so that its line numbers are source positions.

    Raises:
        ConfigError: there are too many.
    """
    lines: list[ComparisonLine] = []
    for position, line in _whole_lines(text):
        if line.startswith("#"):
            continue
        number = position if is_body else None
        models = [line] if _BRACED.fullmatch(line) else line.split(",")
        lines += [ComparisonLine(model.strip(), number) for model in models if model.strip()]
    if len(lines) > MAX_MODELS:
        message = _("a comparison of {lines} models", lines=len(lines))
        raise ConfigError(message, Problem.SYNTAX, _("at most {number}", number=MAX_MODELS))
    return tuple(lines)


def _whole_lines(text: str) -> list[tuple[int, str]]:
    """Lines without bullets, each with its 0-based position.

    Lines with a colon after an open brace are joined to the line with the brace. A line without a
    colon isn't: its author forgot to close the brace before it.
    """
    lines: list[tuple[int, str]] = []
    for position, line in enumerate(text.split("\n")):
        start, previous = lines[-1] if lines else (0, "")
        is_open = previous.count("{") > previous.count("}")
        if is_open and ":" in line:
            lines[-1] = (start, f"{previous} {line.strip()}")
        else:
            lines.append((position, _BULLET.sub("", line.strip())))
    return lines


def _parse_model(text: str) -> NumberText:
    """Parse a model's name, optionally with changed keys.

    Raises:
        ConfigError: the text is something else, such as known values without braces.
    """
    name, colon, value = text.partition(":")
    if colon and "{" in value:
        raise _not_a_name(text, _("close the brace"))
    if colon and (not value or value[0].isspace()):
        if re.fullmatch("[a-z_]+", name):  # a key, not a model
            example = f"GPT-4: {{{text}}}"
        else:
            example = f"{name}: {{total: {value.strip() or 'undisclosed'}}}"
        raise _not_a_name(text, _("write known values in braces: {example}", example=example))
    number, *others = parse_numbers(text)
    if others or number.words:
        hint = _("choose what is shown with the option {option}", option="columns")
        raise _not_a_name(text, hint)
    return number


def _not_a_name(text: str, hint: str) -> ConfigError:
    """Error for a line of a comparison that is not a model's name."""
    message = _("{strip} is not a model's name", strip=repr(text.strip()[:60]))
    return ConfigError(message, Problem.SYNTAX, hint)


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
