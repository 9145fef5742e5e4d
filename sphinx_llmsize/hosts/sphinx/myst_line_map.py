"""Line numbers in MyST for text that a directive made from other lines.

docutils asks a ``StringList`` for the source of each line. MyST only adds numbers: the line of the
directive, an offset, and the line inside the text. :class:`Offset` is an int that maps lines when
it is added in this way. If a later MyST adds in another order, it is a plain number: lines are off
where a loop repeats them, and nothing else breaks.
"""

from __future__ import annotations


class Offset(int):
    """Lines between a directive's first line and its text, with the origin of each text line."""

    origins: tuple[int, ...]

    def __new__(cls, offset: int, origins: tuple[int, ...]) -> Offset:
        """Offset of a text whose lines come from these 0-based lines of the directive's body."""
        self = super().__new__(cls, offset)
        self.origins = origins
        return self

    def __radd__(self, line: int) -> int:
        """First line of the text, given the line of the directive."""
        return FirstLine(line + int(self), self.origins)


class FirstLine(Offset):
    """First line of a text, with the origin of each of its lines."""

    def __radd__(self, line: int) -> int:
        """Page line of a line in the text, given by its 0-based index."""
        inside = min(line, len(self.origins) - 1)
        return int(self) + self.origins[inside] + line - inside
