"""Parser of the role's text: ``llama-7b?num_layers=40:mlp:share / llama-7b``.

::

    text    = number [" / " number]              a number, or the ratio of two
    number  = model *(":" word)                  quantity and format
    model   = name ["?" key "=" value *("&" key "=" value)]    changed keys

Words are separated by colons: model names contain dots, and ``|`` would split Markdown tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.sources.located import Entry, Section, make_section, plain_scalar
from sphinx_llmsize.translation import _

MAX_LENGTH = 500
"""Maximum number of characters of a role's text."""
_NEXT_PAIR = re.compile(r"[,;]\s*\w+\s*=")
_RATIO = re.compile(r"\s+/\s+")


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
    """Parse a role's text: one number, or the two of a ratio.

    Raises:
        ConfigError: it does not follow the grammar.
    """
    text = text.strip()
    if len(text) > MAX_LENGTH:
        raise _unreadable(text, _("at most {number} characters", number=MAX_LENGTH))
    numbers = tuple(_number(part) for part in _RATIO.split(text))
    if len(numbers) > 2:  # noqa: PLR2004 - a ratio has two sides
        raise _unreadable(text, _("a ratio is of two numbers"))
    return numbers


def _number(text: str) -> NumberText:
    model, *words = (word.strip() for word in text.split(":"))
    name, has_changes, changes = model.partition("?")
    name = printable(name)
    if not name or "" in words:
        raise _unreadable(text, _("write a model's name, such as llama-7b or llama-7b:hidden_dim"))
    return NumberText(name, _changes(changes) if has_changes else None, tuple(words))


def _changes(text: str) -> Section:
    entries = []
    for pair in text.split("&"):
        key, _equals, value = (part.strip() for part in pair.partition("="))
        if not (key and value):
            raise _unreadable(pair, _("write key=value, with & between several"))
        if _NEXT_PAIR.search(value):
            raise _unreadable(pair, _("write & between several keys"))
        entries.append(Entry(key, plain_scalar(value), None))
    return make_section(entries)


def _unreadable(text: str, hint: str) -> ConfigError:
    message = _("cannot read {text} as a number of a model", text=repr(text[:60]))
    return ConfigError(message, Problem.NUMBER, hint)
