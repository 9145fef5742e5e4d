"""Told by each guard when it acts: it raises, decides, catches or changes something."""

from __future__ import annotations

import sys
from typing import Any

WATCH = "_llmsize_watch"
"""By what name modules and templates that are watched know it."""


class Watch:
    """Remembers which guards acted, by their numbers."""

    def __init__(self) -> None:
        self.acted: set[int] = set()

    def reached(self, index: int) -> None:
        """A statement that is run."""
        self.acted.add(index)

    def caught(self, index: int, kind: Any) -> Any:
        """A kind of exception, and whether it is what is to be handled."""
        if isinstance(sys.exc_info()[1], kind):
            self.acted.add(index)
        return kind

    def decides(self, index: int, acts: bool, value: Any) -> Any:
        """A part of a condition, and whether it decides."""
        if bool(value) is acts:
            self.acted.add(index)
        return value

    def called(self, index: int, position: int, function: Any, *values: Any, **named: Any) -> Any:
        """A call, and whether anything but the argument in that position comes of it."""
        try:
            result = function(*values, **named)
        except BaseException:
            self.acted.add(index)
            raise
        value = values[position]
        if type(result) is not type(value) or result != value:
            self.acted.add(index)
        return result

    def cut(self, index: int, value: Any, most: int) -> Any:
        """A text, and whether something is cut off."""
        if len(value) > most:
            self.acted.add(index)
        return value[:most]
