"""Functions that watched guards call, to record those that had an effect in a test."""

from __future__ import annotations

import sys
from typing import Any

WATCH = "_llmsize_watch"
"""Name of the :class:`Watch` in watched modules and templates."""


class Watch:
    """Numbers of the guards that acted: raised, decided, caught or changed something."""

    def __init__(self) -> None:
        self.acted: set[int] = set()

    def statement(self, index: int) -> None:
        """Called before a statement; that it runs is its effect."""
        self.acted.add(index)

    def exception(self, index: int, kind: Any) -> Any:
        """Type of an ``except`` clause; it acts if the current exception is of this type."""
        if isinstance(sys.exc_info()[1], kind):
            self.acted.add(index)
        return kind

    def condition(self, index: int, acts: bool, value: Any) -> Any:
        """Value of a part of a condition; it acts if it is as true as ``acts``."""
        if bool(value) is acts:
            self.acted.add(index)
        return value

    def call(self, index: int, position: int, function: Any, *values: Any, **named: Any) -> Any:
        """Result of a call; it acts unless the result is the argument in this position."""
        try:
            result = function(*values, **named)
        except BaseException:
            self.acted.add(index)
            raise
        value = values[position]
        if type(result) is not type(value) or result != value:
            self.acted.add(index)
        return result

    def truncation(self, index: int, value: Any, length: int) -> Any:
        """Truncated text; it acts if the text is longer."""
        if len(value) > length:
            self.acted.add(index)
        return value[:length]
