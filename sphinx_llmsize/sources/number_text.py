"""Parser of the role's text: ``llama-7b?num_layers=40:mlp:share / llama-7b``.

::

    text    = number [sign number]      a number, or the ratio or difference of two; a first
                                        number without words has those of the second
    sign    = " / " | " - "
    number  = model *(":" word)         the words are a quantity and a format
    model   = name ["?" change *("&" change)]
    change  = key "=" value | key "*" factor | key "/" factor

Words are separated by colons: model names contain dots, and ``|`` would split Markdown tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.sources.located import Entry, Section, checked_section, plain_scalar
from sphinx_llmsize.translation import _

MAX_LENGTH = 500
"""Maximum number of characters of a role's text."""
_NEXT_PAIR = re.compile(r"[,;]\s*\w+\s*=")
"""A comma or semicolon before another change, which should be ``&``."""
_RATIO = re.compile(r"\s+/\s+")
_DIFFERENCE = re.compile(r"\s+[-\u2212]\s+")
_CHANGE = re.compile(r"\s*(?P<key>[^=*×/]*?)\s*(?:=|(?=[*×/]))\s*(?P<value>.*?)\s*", re.DOTALL)
"""``num_layers=40`` or ``hidden_dim*2``; an operator is part of the value, an equals sign isn't."""


@dataclass(frozen=True)
class NumberText:
    """Parsed reference to one number of a model.

    Attributes:
        model: name of the model.
        changes: keys to change in its configuration, with their new values.
        words: quantity and format; empty for the total.
    """

    model: str
    changes: Section | None = None
    words: tuple[str, ...] = ()


def parse_numbers(text: str) -> tuple[NumberText, ...]:
    """Parse a role's text: one number, or the two numbers of a ratio.

    A difference isn't recognised, since names may contain a minus sign between spaces; see
    :func:`parse_difference`.

    Raises:
        ConfigError: it does not follow the grammar.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise _unreadable(text, _("at most {number} characters", number=MAX_LENGTH))
    numbers = tuple(_number(part) for part in _RATIO.split(text))
    if len(numbers) > 2:  # noqa: PLR2004 - a ratio has two sides
        raise _unreadable(text, _("a ratio has two numbers"))
    return numbers


def parse_difference(text: str) -> tuple[NumberText, ...]:
    """Parse the two numbers of a difference; empty for another text.

    Raises:
        ConfigError: there are more than two, or one cannot be read.
    """
    stripped = text.strip()
    if len(stripped) > MAX_LENGTH or _RATIO.search(text):
        return ()
    parts = _DIFFERENCE.split(stripped)
    if len(parts) == 1:
        return ()
    if len(parts) > 2:  # noqa: PLR2004 - a difference has two sides
        raise _unreadable(text, _("a difference has two numbers"))
    return tuple(map(_number, parts))


def parse_model(text: str) -> tuple[str, Section | None]:
    """Parse a model's name and its changed keys: ``llama-7b?hidden_dim*2&vocab_size=50000``.

    Raises:
        ConfigError: it does not follow the grammar.
    """
    name, has_changes, changes = text.partition("?")
    if not (name := printable(name)):
        raise _unreadable(text, _("write a model's name, such as llama-7b or llama-7b:hidden_dim"))
    return name, _changes(changes) if has_changes else None


def _number(text: str) -> NumberText:
    """Parse one number: a model, perhaps with changes, and words; see :func:`parse_numbers`."""
    model, *words = (word.strip() for word in text.split(":"))
    if "" in words:
        raise _unreadable(text, _("write a model's name, such as llama-7b or llama-7b:hidden_dim"))
    return NumberText(*parse_model(model), tuple(words))


def _changes(text: str) -> Section:
    """Parse the changes after ``?``; raises ConfigError for anything else."""
    entries = []
    for pair in text.split("&"):
        found = _CHANGE.fullmatch(pair)
        if not (found and found["key"] and found["value"]):
            hint = _("write key=value, key*2 or key/2, with & between several")
            raise _unreadable(pair, hint)
        if _NEXT_PAIR.search(found["value"]):
            raise _unreadable(pair, _("write & between several keys"))
        entries.append(Entry(found["key"], plain_scalar(found["value"]), None))
    return checked_section(entries)


def _unreadable(text: str, hint: str) -> ConfigError:
    """Error for a text that doesn't follow the grammar."""
    message = _("cannot read {text} as a number of a model", text=repr(text[:60]))
    return ConfigError(message, Problem.NUMBER, hint)
