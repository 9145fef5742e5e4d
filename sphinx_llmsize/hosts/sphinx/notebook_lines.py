"""Lines of Jupyter notebooks, as MyST-NB counts them.

MyST-NB gives the second line of the third cell the number 30,002.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import overload

LINES_PER_CELL = 10_000
"""Difference of the numbers of the first lines of two neighbouring cells."""
SUFFIX = ".ipynb"
"""Suffix of notebooks."""
_LOCATION = re.compile(rf"(?P<path>.*{re.escape(SUFFIX)}):(?P<line>\d+)", re.DOTALL)


class NotebookLines(Sequence[str]):
    """Lines of a notebook's cells by MyST-NB's numbers from 0; those between cells are empty."""

    def __init__(self, cells: Sequence[Sequence[str]]) -> None:
        self.cells = cells

    def __len__(self) -> int:
        return LINES_PER_CELL * (len(self.cells) + 1)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[line] for line in range(*index.indices(len(self)))]
        if index not in range(len(self)):
            raise IndexError(index)
        cell, line = divmod(index, LINES_PER_CELL)
        lines = self.cells[cell - 1] if cell else ()
        return lines[line] if line < len(lines) else ""


def notebook_lines(text: str) -> Sequence[str]:
    """Lines of a notebook, given the text of its file; none if it is not a notebook."""
    try:
        sources = [cell["source"] for cell in json.loads(text)["cells"]]
        return NotebookLines([tuple("".join(source).split("\n")) for source in sources])
    except (ValueError, LookupError, TypeError, RecursionError):
        return ()


def readable_location(location: str) -> str:
    """A location in words: ``page.ipynb:cell 3, line 2`` for ``page.ipynb:30002``.

    Locations in other files are unchanged.
    """
    match = _LOCATION.fullmatch(location)
    if not match or int(match["line"]) < LINES_PER_CELL:
        return location
    cell, line = divmod(int(match["line"]), LINES_PER_CELL)
    return f"{match['path']}:cell {cell}, line {line}"
