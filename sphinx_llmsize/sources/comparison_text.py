"""The grammar of ``llm-compare``: models, one a line or separated by commas.

::

    llama-3-8b
    llama-3-8b?num_layers=40
    GPT-4: {hidden_dim: "~12,288", total: undisclosed}

The last is no model that could be counted, but a row of what is said about one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Union

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.sources.number_text import NumberText, parse_figure
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _

MAX_MODELS = 200
"""More than anyone compares."""
_SAID = re.compile(
    r"(?:'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^{}]+?))\s*:\s*(?P<said>\{.*\})\s*",
    re.DOTALL,
)


@dataclass(frozen=True)
class Said:
    """What is said about a model that is not described: a text or number for some columns."""

    name: str
    entries: tuple[Entry, ...]


Compared = Union[NumberText, Said]


@dataclass(frozen=True)
class Line:
    """One of what is compared, with its 0-based line, if it is in one."""

    compared: Compared
    line: int | None


def parse_comparison(text: str, *, in_lines: bool = True) -> tuple[Line, ...]:
    """What is compared, in order; blank lines and ``#`` comments between them are passed over.

    Args:
        text: a body or, not in lines, an argument.
        in_lines: whether lines are worth telling.

    Raises:
        ConfigError: a line is neither a model nor what is said about one; ``line`` tells which.
    """
    lines: list[Line] = []
    for position, line in enumerate(text.split("\n")):
        number = position if in_lines else None
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            try:
                lines += [Line(compared, number) for compared in _compared(stripped)]
            except ConfigError as error:
                raise ConfigError(error.message, error.problem, error.hint, number) from None
    if len(lines) > MAX_MODELS:
        message = _("a comparison of {lines} models", lines=len(lines))
        raise ConfigError(message, Problem.SYNTAX, _("at most {number}", number=MAX_MODELS))
    return tuple(lines)


def _compared(text: str) -> list[Compared]:
    if said := _SAID.fullmatch(text):
        name = said["single"] or said["double"] or said["plain"] or ""
        return [Said(name.strip(), _entries(said["said"]))]
    return [_model(name) for name in text.split(",") if name.strip()]


def _model(text: str) -> NumberText:
    figure = parse_figure(text)
    if figure.over or figure.number.words:
        hint = _("what is shown of it is said by :columns:")
        raise ConfigError(
            _("{strip} is not a model's name", strip=repr(text.strip()[:60])), Problem.SYNTAX, hint
        )
    return figure.number


def _entries(text: str) -> tuple[Entry, ...]:
    section = read_text(text)
    for entry in section.entries:
        if isinstance(entry.value, (Section, tuple)):
            message = _("{key} is neither a number nor a text", key=repr(entry.key[:60]))
            raise ConfigError(message, Problem.VALUE, _("put it in quotes"))
    return section.entries
