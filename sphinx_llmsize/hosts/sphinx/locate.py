"""Source lines of a directive, its options and its body, in reStructuredText and MyST."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from operator import contains

from docutils.parsers.rst import Directive

from sphinx_llmsize.errors import ConfigError

Location = tuple[str, int]
"""An absolute path and a 1-based line."""
MAX_FENCES = 9
"""Maximum number of directly nested fences for which MyST's line is corrected."""
_OPTION = re.compile(r""":?(?P<quote>['"]?)(?P<name>[^\s:'"][^:]*?)(?P=quote)\s*:(?:\s|$)""")
_WORD = re.compile(r"[\w.:-]+", re.ASCII)


def start(directive: Directive) -> Location:
    """Location of the directive's first line."""
    source, line = _reported_location(directive, directive.lineno)
    return source, line + _shift(directive)


def error_location(directive: Directive, error: ConfigError) -> Location:
    """Location of an error: in a file, at an option, in the body, or the directive's first line."""
    if error.file and error.line is not None:
        return error.file, error.line + 1
    if error.option:
        return option_line(directive, error.option)
    if error.line is not None:
        return content_line(directive, error.line)
    return start(directive)


def content_line(directive: Directive, index: int) -> Location:
    """Location of a line of the body, given by its 0-based index."""
    if is_markdown(directive):
        source, line = start(directive)
        return source, line + directive.content_offset + index + 1
    lines = directive.content
    if not lines:
        return start(directive)
    source, offset = lines.info(min(index, len(lines) - 1))
    return os.path.abspath(source or ""), (offset or 0) + 1 + _shift(directive)


def option_line(directive: Directive, option: str) -> Location:
    """Location of an option, or the directive's first line if the option is not found."""
    source, line = start(directive)
    below = {name: distance for distance, name in _options(directive)}
    return source, line + below.get(option, 0)


def duplicate_option(directive: Directive) -> str:
    """Name of an option given twice in MyST, else ''; docutils itself reports duplicates."""
    if not (is_markdown(directive) and directive.options):
        return ""
    names = [name for _, name in _options(directive)]
    return next((name for name in names if names.count(name) > 1), "")


def is_markdown(directive: Directive) -> bool:
    """True if the directive is written in MyST Markdown."""
    return type(directive.state).__module__.startswith("myst_parser.")


def _options(directive: Directive) -> Iterator[tuple[int, str]]:
    """Names of the options, each with its distance from the directive's first line."""
    if is_markdown(directive):
        # MyST before 5 does not pass the text of options: read it from the page
        source, line = start(directive)
        lines = lines_of(source)[line : line + directive.content_offset]
        # keep deeper indentation: such a line continues an option, and must not match one
        first = "".join(lines[:1])
        margin = first.removesuffix(first.lstrip("> \t"))
        texts = [text.removeprefix(margin) for text in lines]
    else:
        below = directive.block_text.splitlines()[1:]
        texts = [text.strip() for text in takewhile(str.strip, below)]
    for distance, text in enumerate(texts, start=1):
        if found := _OPTION.match(text):
            yield distance, found["name"]


def _fences_above(directive: Directive, source: str, line: int) -> int:
    """Lines to subtract from MyST's line of a directive.

    MyST counts one too many for each fence of colons that directly contains another.
    """
    first = _comparable(" ".join((f"{{{directive.name}}}", *directive.arguments)))
    above = lines_of(source)[max(0, line - MAX_FENCES) : line]
    return next((i for i, text in enumerate(reversed(above)) if first in _comparable(text)), 0)


def _shift(directive: Directive) -> int:
    """Lines to add to the reported line of a directive.

    In a csv-table, docutils counts from the start of the cell; in an included file, from the start
    of the included part. MyST counts too many.
    """
    source, line = _reported_location(directive, directive.lineno)
    if is_markdown(directive):
        return -_fences_above(directive, source, line)
    lines = lines_of(source)
    # an extension may have replaced the text, so that the file lacks it: the line is still right
    is_own = source == os.path.abspath(directive.state.document["source"])
    if is_own and "".join(lines[line - 1 : line]).lstrip().startswith(f".. {directive.name}::"):
        return 0
    wanted = [_comparable(text) for text in directive.block_text.rstrip().splitlines()]

    def is_at(start: int) -> bool:
        found = map(_comparable, lines[start : start + len(wanted)])
        return start + len(wanted) <= len(lines) and all(map(contains, found, wanted))

    return next((i for i in range(len(lines) - line + 1) if is_at(line - 1 + i)), 0)


def _comparable(text: str) -> str:
    """ASCII words of a line; drops quotes of CSV cells, tabs and undecodable characters."""
    return "".join(f" {word}" for word in _WORD.findall(text)) + " "


def lines_of(source: str) -> Sequence[str]:
    """Lines of a file; none if it cannot be read."""
    try:
        status = os.stat(source)
        return _read(source, (status.st_mtime_ns, status.st_size))
    except OSError:
        return ()


@lru_cache(maxsize=4)
def _read(source: str, version: tuple[int, int]) -> Sequence[str]:
    # cached, since a page may have thousands of directives; version is part of the key
    with open(source, encoding="utf-8", errors="replace") as file:
        return tuple(file.read().split("\n"))


def _reported_location(directive: Directive, line: int) -> Location:
    """Location of a line as docutils or MyST reports it, before correction."""
    source, number = directive.state_machine.get_source_and_line(line)
    return os.path.abspath(source or ""), number or line
