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
from sphinx_llmsize.sources.located import Entry, Section
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


@dataclass(frozen=True)
class Undisclosed:
    """Model without a public configuration; its entries are the known values, by column."""

    name: str
    entries: tuple[Entry, ...]


Compared = Union[NumberText, Undisclosed]


@dataclass(frozen=True)
class Line:
    """Compared model; ``number`` is its 0-based line in the body, None in the argument."""

    compared: Compared
    number: int | None


def parse_comparison(text: str, *, is_body: bool = True) -> tuple[Line, ...]:
    """Parse the compared models, in order; blank lines and ``#`` comments are skipped.

    Args:
        text: the directive's body or argument.
        is_body: true for the body, whose line numbers become source positions.

    Raises:
        ConfigError: a line is not a model, or there are too many.
    """
    lines: list[Line] = []
    for position, line in enumerate(text.split("\n")):
        number = position if is_body else None
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            try:
                lines += [Line(compared, number) for compared in _parse_line(stripped)]
            except ConfigError as error:
                raise ConfigError(error.message, error.problem, error.hint, number) from None
    if len(lines) > MAX_MODELS:
        message = _("a comparison of {lines} models", lines=len(lines))
        raise ConfigError(message, Problem.SYNTAX, _("at most {number}", number=MAX_MODELS))
    return tuple(lines)


def _parse_line(text: str) -> list[Compared]:
    if braced := _BRACED.fullmatch(text):
        name = braced["single"] or braced["double"] or braced["plain"] or ""
        return [Undisclosed(printable(name), _entries(braced["values"]))]
    return [_parse_model(name) for name in text.split(",") if name.strip()]


def _parse_model(text: str) -> NumberText:
    number, *others = parse_numbers(text)
    if others or number.words:
        message = _("{strip} is not a model's name", strip=repr(text.strip()[:60]))
        raise ConfigError(message, Problem.SYNTAX, _("choose what is shown with :columns:"))
    return number


def _entries(text: str) -> tuple[Entry, ...]:
    section = read_text(text)
    for entry in section.entries:
        if isinstance(entry.value, (Section, tuple)):
            message = _("{key} is neither a number nor a text", key=repr(entry.key[:60]))
            raise ConfigError(message, Problem.VALUE, _("put it in quotes"))
    return section.entries
