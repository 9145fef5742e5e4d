"""HTML comments of a Markdown file, with their positions.

markdown-it-py finds the comments: in code and in the alternative text of images, the same
characters are text. It returns the lines of a block but no columns, which are found by comparing
the block's content with the lines of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.html_inline import html_inline
from markdown_it.token import Token

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

LINE_END = re.compile(r"\r\n|\n|\r")
OPENING, CLOSING = "<!--", "-->"
MAX_NESTING = 100
"""Levels of blocks that the parser reads: 100 quotes, or 50 lists, whose items are a level too.

More levels would take more memory on the stack. CommonMark has no limit.
"""
_FRONT_MATTER = re.compile(r"(?P<fence>---|\+\+\+)[ \t]*\n(?:.*\n)*?(?P=fence)[ \t]*(?:\n|\Z)")
"""Front matter in YAML or TOML, at the start of a file."""
_RAW = re.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)|<\?.*?\?>|<!\[CDATA\[.*?\]\]>"
    r"|<(?P<tag>script|style|textarea)\b.*?(?:</(?P=tag)\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Comments in raw HTML, and elements in which ``<!--`` is text."""
_INLINE_COMMENT = re.compile(r"<!--(?:-?>|.*?-->)", re.DOTALL)
"""A comment in a line, by CommonMark 0.31; markdown-it ends none with three hyphens, ``--->``."""


@dataclass(frozen=True)
class Comment:
    """An HTML comment.

    Attributes:
        start: offset of its first character in the file's text.
        end: offset after its last character.
        text: its content, without the markup of lists and quotes at the start of lines.
        line: 0-based line of its first character.
        block: number of the paragraph or raw HTML that contains it.
        is_raw: True in a block of raw HTML, where Markdown has no effect.
        is_alone: True if nothing else is on its lines, except the markup of lists and quotes.
        prefix: text before it on its line.
    """

    start: int
    end: int
    text: str
    line: int
    block: int
    is_raw: bool
    is_alone: bool
    prefix: str


def comments_of(text: str) -> Iterator[Comment]:
    """The comments of a Markdown file, in order.

    Raises:
        ConfigError: lists and quotes have more levels than the parser reads.
    """
    source = LINE_END.sub("\n", text).replace("\0", "\ufffd")  # the parser does the same
    if front_matter := _FRONT_MATTER.match(source):
        # the parser would read front matter as text: replace it by blank lines
        source = "\n" * front_matter[0].count("\n") + source[front_matter.end() :]
    offsets = [0, *(line_end.end() for line_end in LINE_END.finditer(text))]
    lines = source.split("\n")
    for number, token in enumerate(_parser().parse(source)):
        _refuse_deep_block(token, lines)
        if token.type in {"html_block", "inline"} and OPENING in token.content:
            yield from _comments_in_block(token, number, lines, offsets)


def _refuse_deep_block(token: Token, lines: list[str]) -> None:
    """Raise ConfigError for a quote or list item that is too deep, if comments follow.

    The parser skips the rest of the quote, or of the file after a list item.
    """
    is_container = token.type in {"blockquote_open", "list_item_open"}
    if not is_container or token.level < MAX_NESTING:
        return
    assert token.map
    first, end = token.map
    if any(OPENING in line for line in lines[first:end]):
        message = _("lists and quotes are too deep here to find the markers in them or below")
        hint = _("at most {number} levels; a list with its items is two", number=MAX_NESTING)
        raise ConfigError(message, Problem.SYNTAX, hint, first)


def _comments_in_block(
    token: Token, number: int, lines: list[str], offsets: list[int]
) -> Iterator[Comment]:
    """The comments in a block.

    Args:
        token: paragraph, heading or raw HTML.
        number: index of the token, which identifies the block.
        lines: lines of the file.
        offsets: offset of each line in the file's text.
    """
    assert token.map
    content = token.content.split("\n")
    block = _Block(content, _first_line(token.map, content, lines), lines)
    is_raw = token.type == "html_block"
    ranges = _raw_ranges(token.content) if is_raw else _inline_ranges(token.content)
    for start, end in ranges:
        line, column = block.position(start)
        last_line, last_column = block.position(end - 1)
        before = token.content[:start].rpartition("\n")[2]
        after = token.content[end:].partition("\n")[0]
        yield Comment(
            start=offsets[line] + column,
            end=offsets[last_line] + last_column + 1,
            text=token.content[start + len(OPENING) : end].removesuffix(CLOSING),
            line=line,
            block=number,
            is_raw=is_raw,
            is_alone=is_raw and not before.strip() and not after.strip(),
            prefix=lines[line][:column],
        )


@dataclass(frozen=True)
class _Block:
    """Content of a paragraph, a heading or raw HTML, with its position in the file.

    Attributes:
        content: its lines, without the markup of lists, quotes and headings.
        first: index of the first of them in the file.
        lines: lines of the file.
    """

    content: list[str]
    first: int
    lines: list[str]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column in the file for an offset in the content."""
        row, column = 0, offset
        while column > len(self.content[row]):
            column -= len(self.content[row]) + 1
            row += 1
        line, content = self.lines[self.first + row], self.content[row]
        # The content stands at the end of its line, perhaps with another indentation. Only the "##"
        # of a heading may follow, which contains no comment: the last occurrence is the right one.
        indent = len(content) - len(content.lstrip())
        return self.first + row, line.rfind(content.strip()) + column - indent


def _first_line(block: list[int], content: list[str], lines: list[str]) -> int:
    """Index of the line in the file that has a block's first line of content.

    It may be after the block's first line, since the content omits leading lines of Unicode spaces.

    Args:
        block: first line of the block, and the line after it.
        content: lines of the block's content.
        lines: lines of the file.
    """
    for first in range(*block):
        pairs = zip(content, lines[first:], strict=False)
        if all(row.strip() in line for row, line in pairs):
            return first
    raise ValueError("the content is not in the block")


def _raw_ranges(content: str) -> Iterator[tuple[int, int]]:
    """Start and end offset of each comment in raw HTML; an unclosed one extends to the end."""
    for found in _RAW.finditer(content):
        if found["comment"] is not None:
            yield found.start(), len(content[: found.end()].rstrip("\n"))


def _inline_ranges(content: str) -> list[tuple[int, int]]:
    """Start and end offset of each comment in a paragraph or heading."""
    ranges: list[tuple[int, int]] = []
    environment = {"content": content, "last_end": content.rfind(CLOSING), "ranges": ranges}
    _parser().inline.parse(content, _parser(), environment, [])
    return sorted(ranges)


@cache
def _parser() -> MarkdownIt:
    """Parser that only splits a text into blocks; its inline parser records comments."""
    settings = {"maxNesting": MAX_NESTING + 1}  # the parser counts the file itself as a level
    parser = MarkdownIt("commonmark", settings).disable("inline")
    parser.inline.ruler.at("html_inline", _record_comments)
    return parser


def _record_comments(state: StateInline, silent: bool) -> bool:
    """Rule of markdown-it for HTML in a line, which also records comments."""
    start = state.pos
    # the alternative text of an image is parsed too, as a source of its own
    is_in_content = state.src == state.env["content"]
    if is_in_content and state.src.startswith(OPENING, start):
        # without the comparison, many unclosed comments would each be searched to the end
        has_end = start < state.env["last_end"]
        found = _INLINE_COMMENT.match(state.src, start, state.posMax) if has_end else None
        if not found:
            return False
        state.pos = found.end()
    elif not html_inline(state, silent):
        return False
    if is_in_content and not silent and state.src.startswith(OPENING, start):
        state.env["ranges"].append((start, state.pos))
    return True
