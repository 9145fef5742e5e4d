"""Fenced blocks in the lines of a page.

Fences may be indented by any amount, as in lists, admonitions and tabs, and be in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

IndexedLines = list[tuple[int, str]]
"""Lines, each with the index of the page's line that it is from."""
_OPENING = re.compile(
    r"(?P<prefix>[ \t>]*(?:(?:[-*+]|[0-9]+[.)])[ \t]+)?)(?P<mark>`{3,}|~{3,})(?P<info>.*)"
)
"""First line of a fence, perhaps in a quote, and beside the mark of a list item."""
_COMMENT, _COMMENT_END = "<!--", "-->"
_LIST_MARK = re.compile(r"[^\s>]")
"""Character of a prefix that belongs to the mark of a list item."""


@dataclass(frozen=True)
class Fence:
    """A fenced block.

    Attributes:
        start: index of its first line.
        end: index after its last line; after its first if it isn't closed.
        prefix: text before it on its first line: indentation, marks of quotes and lists.
        info: text after the opening mark, without spaces around it.
        body: lines between its first and last ones, without indentation and marks of quotes.
        is_closed: True if it has a closing line.
        is_hidden: True if it is inside an HTML comment.
    """

    start: int
    end: int
    prefix: str
    info: str
    body: tuple[str, ...]
    is_closed: bool
    is_hidden: bool = False

    @property
    def indent(self) -> str:
        """Text before the other lines of the fence: the prefix, with spaces for a list's mark."""
        return _LIST_MARK.sub(" ", self.prefix)


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """The fences of a page, in order; a fence inside another one is part of its body."""
    position = 0
    comment_end = 0  # index after the last comment so far
    while position < len(lines):
        if position >= comment_end and lines[position].lstrip().startswith(_COMMENT):
            comment_end = _after_comment(lines, position)
        opening = _opening(lines[position])
        if opening:
            fence = replace(_fence(lines, position, opening), is_hidden=position < comment_end)
            yield fence
            position = fence.end
        else:
            position += 1


def _opening(line: str) -> re.Match[str] | None:
    """Match of the first line of a fence; None for another line."""
    match = _OPENING.match(line)
    if match and match["mark"][0] == "`" and "`" in match["info"]:
        return None  # with another backtick in the line, the mark opens a code span
    return match


def texts_of(lines: IndexedLines) -> list[str]:
    """The lines without their indices."""
    return [text for _index, text in lines]


def _after_comment(lines: Sequence[str], start: int) -> int:
    """Index after the line that ends a comment; after its first line if none does."""
    _before, _mark, first = lines[start].partition(_COMMENT)
    for number, text in enumerate((first, *lines[start + 1 :]), start):
        if _COMMENT_END in text:
            return number + 1
    return start + 1


def _fence(lines: Sequence[str], start: int, opening: re.Match[str]) -> Fence:
    """The fence that begins at a line; only this line if no other line closes it."""
    prefix, mark, info = opening.group("prefix", "mark", "info")
    closing = re.compile(rf"[ \t>]*{mark[0]}{{{len(mark)},}}\s*")
    for end in range(start + 1, len(lines)):
        if closing.fullmatch(lines[end]):
            body = tuple(_without_prefix(line, prefix) for line in lines[start + 1 : end])
            return Fence(start, end + 1, prefix, info.strip(), body, is_closed=True)
    return Fence(start, start + 1, prefix, info.strip(), (), is_closed=False)


def _without_prefix(line: str, prefix: str) -> str:
    """A line of a fence's body without its indentation and marks of quotes.

    Args:
        line: the line.
        prefix: text before the fence on its first line; no more characters than it has are removed.
    """
    marks = " \t>" if ">" in prefix else " \t"
    rest = line[: len(prefix)].lstrip(marks)
    return rest + line[len(prefix) :]
