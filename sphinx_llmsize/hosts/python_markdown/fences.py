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
_COMMENT, _COMMENT_END = "<!--", "-->"
_NOT_QUOTE = re.compile(r"[^\s>]")


@dataclass(frozen=True)
class Fence:
    """A fenced block.

    Attributes:
        start: index of its first line.
        end: index after its last line; after its first if it isn't closed.
        prefix: text before it on its first line: indentation, marks of quotes and lists.
        info: text after the opening mark.
        body: its inner lines, without indentation and marks of quotes before them.
        is_closed: it has a closing line.
        is_hidden: it is inside an HTML comment.
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
        return _NOT_QUOTE.sub(" ", self.prefix)


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """The fences of a page, in order; those within fences are text."""
    at = shown_from = 0  # index of the line, and of the one after the last comment so far
    while at < len(lines):
        if at >= shown_from and lines[at].lstrip().startswith(_COMMENT):
            shown_from = _after_comment(lines, at)
        found = _OPENING.match(lines[at])
        # in a line with another backtick, the mark opens a code span
        if not found or (found["mark"][0] == "`" and "`" in found["info"]):
            at += 1
            continue
        fence = replace(_fence(lines, at, found), is_hidden=at < shown_from)
        yield fence
        at = fence.end


def texts_of(lines: IndexedLines) -> list[str]:
    """The lines without their indices."""
    return [text for _index, text in lines]


def _after_comment(lines: Sequence[str], start: int) -> int:
    """Index after the line that ends a comment; after its first line if none does."""
    opened = lines[start].partition(_COMMENT)[2]
    if _COMMENT_END in opened:
        return start + 1
    later = range(start + 1, len(lines))
    return next((at + 1 for at in later if _COMMENT_END in lines[at]), start + 1)


def _fence(lines: Sequence[str], start: int, opening: re.Match[str]) -> Fence:
    """The fence that begins at a line; only this line if no other line closes it."""
    prefix, mark, info = opening.group("prefix", "mark", "info")
    closing = re.compile(rf"[ \t>]*{mark[0]}{{{len(mark)},}}\s*")
    later = range(start + 1, len(lines))
    end = next((at for at in later if closing.fullmatch(lines[at])), None)
    if end is None:
        return Fence(start, start + 1, prefix, info.strip(), (), is_closed=False)
    before = re.compile(rf"[ \t{'>' if '>' in prefix else ''}]{{0,{len(prefix)}}}")
    body = tuple(before.sub("", line, count=1) for line in lines[start + 1 : end])
    return Fence(start, end + 1, prefix, info.strip(), body, is_closed=True)
