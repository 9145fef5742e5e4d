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
from sphinx_llmsize.sources.known_values import (
    BRACED,
    UndisclosedModel,
    before_values,
    has_values,
    hint_for_values,
    read_values,
)
from sphinx_llmsize.sources.number_text import NumberText, parse_numbers
from sphinx_llmsize.translation import _

MAX_MODELS = 200
"""Maximum number of models in one comparison."""
_AFTER_BRACE = re.compile(r"(?<=\})\s*,")
"""A comma after the values of a model."""
_COMMA_BETWEEN_MODELS = re.compile(r",(?!(?<=[0-9],)[0-9]{3}(?!\w))")
"""A comma, unless it is between groups of digits."""
_BULLET = re.compile(r"\A[-*+]\s+(?=\S)")
"""The bullet of a list item; the same sign later in a line belongs to a model's name."""


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
        return read_values(self.text) or _parse_model(self.text)


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
        models = (model.strip() for model in _models_in(line))
        lines += [ComparisonLine(model, number) for model in models if model]
    if len(lines) > MAX_MODELS:
        message = _("a comparison of {lines} models", lines=len(lines))
        raise ConfigError(message, Problem.SYNTAX, _("at most {number}", number=MAX_MODELS))
    return tuple(lines)


def _models_in(line: str) -> Iterator[str]:
    """The models of a line, each with its values."""
    for piece in _AFTER_BRACE.split(line):
        braced = BRACED.fullmatch(piece.strip())
        has_quoted_name = braced and not braced["plain"]
        names = before_values(piece) if has_values(piece) else piece
        *others, last = [names] if has_quoted_name else _COMMA_BETWEEN_MODELS.split(names)
        yield from others
        yield last + piece[len(names) :]


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
    _name, colon, value = text.partition(":")
    if has_values(text) or (colon and (not value or value[0].isspace())):
        raise _not_a_name(text, hint_for_values(text))
    number, *others = parse_numbers(text)
    if others or number.words:
        hint = _("choose what is shown with the option {option}", option="columns")
        raise _not_a_name(text, hint)
    return number


def _not_a_name(text: str, hint: str) -> ConfigError:
    """Error for a line of a comparison that is not a model's name."""
    message = _("{strip} is not a model's name", strip=repr(text.strip()[:60]))
    return ConfigError(message, Problem.SYNTAX, hint)
