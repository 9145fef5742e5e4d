"""Lines of made text as the lines they were written in, for MyST.

docutils asks a text for the source of each line. MyST only adds the number of the first line
to that of every other; so what it is given to add knows where each line is from. Were it
added in another way, it would be an ordinary number: the lines would be off where a loop has
repeated some, and nothing else.
"""

from __future__ import annotations


class Offset(int):
    """How far below a directive's first line its text begins."""

    origins: tuple[int, ...]

    def __new__(cls, offset: int, origins: tuple[int, ...]) -> Offset:
        """An offset that knows for each line of the text the one that it was written in."""
        self = super().__new__(cls, offset)
        self.origins = origins
        return self

    def __radd__(self, line: int) -> int:
        """The text's first line, given the directive's."""
        return FirstLine(line + int(self), self.origins)


class FirstLine(Offset):
    """The line in which a text begins."""

    def __radd__(self, line: int) -> int:
        """Where the line of that index, within the text, is from."""
        inside = min(line, len(self.origins) - 1)
        return int(self) + self.origins[inside] + line - inside
