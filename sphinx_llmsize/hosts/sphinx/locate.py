"""Where in the sources a directive's lines are, in reStructuredText and in MyST Markdown."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from operator import contains
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from docutils.parsers.rst import Directive

    from sphinx_llmsize.errors import ConfigError

Location = tuple[str, int]
"""An absolute path and a 1-based line."""
_WORD = re.compile(r"[\w.:-]+", re.ASCII)


def start(directive: Directive) -> Location:
    """The directive's first line."""
    source, line = _place(directive, directive.lineno)
    return source, line + _shift(directive)


def mistake(directive: Directive, error: ConfigError) -> Location:
    """Where a mistake in the directive's own text stands: its option, its line, or its start."""
    if error.option:
        return option_line(directive, error.option)
    if error.line is not None:
        return content_line(directive, error.line)
    return start(directive)


def content_line(directive: Directive, index: int) -> Location:
    """The source of the body's line of that 0-based index."""
    if is_markdown(directive):
        return _place(directive, directive.lineno + directive.content_offset + index + 1)
    lines = directive.content
    if not lines:
        return start(directive)
    source, offset = lines.info(min(index, len(lines) - 1))
    return os.path.abspath(source or ""), (offset or 0) + 1 + _shift(directive)


def option_line(directive: Directive, option: str) -> Location:
    """The line of an option, or the directive's first where it cannot be found."""
    pattern = re.compile(rf"\s*:?{re.escape(option)}:(\s|$)")
    source, line = start(directive)
    lines = _lines_below(directive, source, line)
    offset = next((i for i, text in enumerate(lines) if pattern.match(text)), None)
    return (source, line) if offset is None else (source, line + offset + 1)


def is_markdown(directive: Directive) -> bool:
    """Whether the directive stands in MyST Markdown."""
    return type(directive.state).__module__.startswith("myst_parser.")


def _lines_below(directive: Directive, source: str, line: int) -> Sequence[str]:
    """What follows the directive's first line."""
    if not is_markdown(directive):
        return directive.block_text.splitlines()[1:]
    # MyST before 5 passes the body only, without options: look at the page itself
    return lines_of(source)[line:]


def _shift(directive: Directive) -> int:
    """How many lines further down a directive stands than docutils says.

    It counts from the start of a cell of a csv-table, and of what is included of a file.
    """
    if is_markdown(directive):
        return 0
    source, line = _place(directive, directive.lineno)
    lines = lines_of(source)
    # what an extension replaced as Sphinx read the page is not found, though its line is right
    is_own = source == os.path.abspath(directive.state.document["source"])
    if is_own and "".join(lines[line - 1 : line]).lstrip().startswith(f".. {directive.name}::"):
        return 0
    wanted = [_comparable(text) for text in directive.block_text.rstrip().splitlines()]

    def stands_at(start: int) -> bool:
        found = map(_comparable, lines[start : start + len(wanted)])
        return start + len(wanted) <= len(lines) and all(map(contains, found, wanted))

    return next((i for i in range(len(lines) - line + 1) if stands_at(line - 1 + i)), 0)


def _comparable(text: str) -> str:
    """A line's words: cells are quoted in many ways, files differ in tabs and encodings."""
    return "".join(f" {word}" for word in _WORD.findall(text)) + " "


def lines_of(source: str) -> Sequence[str]:
    """The lines of a file as they are now; none if it cannot be read."""
    try:
        status = os.stat(source)
        return _read(source, (status.st_mtime_ns, status.st_size))
    except OSError:
        return ()


@lru_cache(maxsize=4)
def _read(source: str, version: tuple[int, int]) -> Sequence[str]:
    # a page may have thousands of uses, each of which asks where it stands
    with open(source, encoding="utf-8", errors="replace") as file:
        return tuple(file.read().split("\n"))


def _place(directive: Directive, line: int) -> Location:
    source, number = directive.state_machine.get_source_and_line(line)
    return os.path.abspath(source or ""), number or line
