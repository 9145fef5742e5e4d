"""Source lines of a directive, its options and its body, in reStructuredText and MyST."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from docutils.parsers.rst import Directive

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts.sphinx.notebook_lines import SUFFIX, notebook_lines

Location = tuple[str, int]
"""An absolute path and a 1-based line."""
MAX_FENCES = 9
"""Maximum number of directly nested fences for which MyST's line is corrected."""
_OPTION = re.compile(r""":?(?P<quote>['"]?)(?P<name>[^\s:'"][^:]*?)(?P=quote)\s*:(?:\s|$)""")
"""Start of an option: ``:name:`` or, in MyST's YAML block, ``name:``."""
_WORD = re.compile(r"[\w.:-]+", re.ASCII)
"""A word by which lines are compared."""
MAX_SEARCHED_LINES = 5000
"""Maximum number of lines searched for a text, for files with very long paragraphs."""


def error_location(directive: Directive, error: ConfigError) -> Location:
    """Location of an error: in a file, at an option, in the body, or the directive's first line."""
    if error.file and error.line is not None:
        return error.file, error.line + 1
    if error.option:
        return option_line(directive, error.option)
    if error.line is not None:
        return content_line(directive, error.line)
    return first_line(directive)


def first_line(directive: Directive) -> Location:
    """Location of the directive's first line."""
    source, line = _reported_first_line(directive)
    return source, line + _correction(directive)


def option_line(directive: Directive, option: str) -> Location:
    """Location of an option, or the directive's first line if the option is not found."""
    source, line = first_line(directive)
    return source, line + dict(_options(directive)).get(option, 0)


def content_line(directive: Directive, index: int) -> Location:
    """Location of a line of the body, given by its 0-based index."""
    if is_markdown(directive):
        source, line = first_line(directive)
        return source, line + directive.content_offset + index + 1
    lines = directive.content
    if not lines:
        return first_line(directive)
    path, offset = lines.info(min(index, len(lines) - 1))
    return os.path.abspath(path or ""), (offset or 0) + 1 + _correction(directive)


def line_with(text: str, source: str, start: int) -> int | None:
    """1-based number of the first line that contains a text; None if there is none.

    Args:
        text: the text.
        source: path of the file.
        start: 1-based line to search first; at most :data:`MAX_SEARCHED_LINES` are.
    """
    lines = lines_of(source)[start - 1 : start - 1 + MAX_SEARCHED_LINES]
    return next((number for number, line in enumerate(lines, start) if text in line), None)


def setting_location(confdir: str | os.PathLike[str], setting: str) -> Location:
    """Location of a setting in ``conf.py``; the first line if no line begins with its name."""
    conf = os.path.join(confdir, "conf.py")
    for number, text in enumerate(lines_of(conf), start=1):
        if text.startswith(setting):
            return conf, number
    return conf, 1


def lines_of(source: str) -> Sequence[str]:
    """Lines of a file; none if it cannot be read."""
    try:
        status = os.stat(source)
        return _read(source, (status.st_mtime_ns, status.st_size))
    except OSError:
        return ()


def duplicate_option(directive: Directive) -> str:
    """Name of an option given twice in MyST, else ''.

    In reStructuredText, docutils itself reports duplicates.
    """
    if not (is_markdown(directive) and directive.options):
        return ""
    names = [name for name, _ in _options(directive)]
    return next((name for name in names if names.count(name) > 1), "")


def continued_option(directive: Directive) -> str:
    """Name of the MyST option that the body's first line seems to continue, else ''.

    This line is indented and directly below the option.
    """
    if not (is_markdown(directive) and directive.content and directive.content[0][:1].isspace()):
        return ""
    lines = _option_lines(directive)
    match = _OPTION.match(lines[-1]) if lines else None
    return match["name"] if match else ""


def is_markdown(directive: Directive) -> bool:
    """True if the directive is written in MyST Markdown."""
    return type(directive.state).__module__.startswith("myst_parser.")


def _options(directive: Directive) -> Iterator[tuple[str, int]]:
    """Names of the options, each with its distance from the directive's first line."""
    for distance, text in enumerate(_option_lines(directive), start=1):
        if match := _OPTION.match(text):
            yield match["name"], distance


def _option_lines(directive: Directive) -> list[str]:
    """Lines below the directive's first line that may contain options, without indentation."""
    if not is_markdown(directive):
        below = directive.block_text.splitlines()[1:]
        return [text.strip() for text in takewhile(str.strip, below)]
    # MyST before 5 does not pass the text of options: read it from the page
    source, line = first_line(directive)
    lines = lines_of(source)[line : line + directive.content_offset]
    if not lines:
        return []
    # keep deeper indentation than that of the first line: such a line continues an option
    margin = lines[0].removesuffix(lines[0].lstrip("> \t"))
    return [text.removeprefix(margin) for text in lines]


def _reported_first_line(directive: Directive) -> Location:
    """Location of the directive's first line as docutils or MyST reports it."""
    source, line = directive.state_machine.get_source_and_line(directive.lineno)
    return os.path.abspath(source or ""), line or directive.lineno


def _correction(directive: Directive) -> int:
    """Number to add to a line that docutils or MyST reports for a directive; may be negative."""
    source, line = _reported_first_line(directive)
    lines = lines_of(source)
    if is_markdown(directive):
        return -_surplus_in_markdown(directive, lines[max(0, line - MAX_FENCES) : line])
    # checked first, since the search fails if an extension changed the text after reading the file
    is_page = source == os.path.abspath(directive.state.document["source"])
    reported = lines[line - 1] if 0 < line <= len(lines) else ""
    if is_page and reported.lstrip().startswith(f".. {directive.name}::"):
        return 0
    return _distance_in_rst(directive, lines[line - 1 :])


def _surplus_in_markdown(directive: Directive, above: Sequence[str]) -> int:
    """Number of lines by which MyST's line of a directive is too high; 0 if it isn't found.

    MyST counts one too many for each fence of colons that directly contains another, and in
    notebooks.

    Args:
        directive: the directive.
        above: lines of the file up to the reported one, among which the first line is searched.
    """
    first = _comparable(" ".join((f"{{{directive.name}}}", *directive.arguments)))
    for surplus, text in enumerate(reversed(above)):
        if first in _comparable(text):
            return surplus
    return 0


def _distance_in_rst(directive: Directive, lines: Sequence[str]) -> int:
    """Number of lines from the reported line to the directive; 0 if it isn't found.

    In a csv-table, docutils counts from the start of the cell; in an included file, from the start
    of the included part.

    Args:
        directive: the directive.
        lines: lines of the file from the reported one on.
    """
    directive_lines = [_comparable(text) for text in directive.block_text.rstrip().splitlines()]

    def is_at(index: int) -> bool:
        file_lines = map(_comparable, lines[index : index + len(directive_lines)])
        return all(text in line for text, line in zip(directive_lines, file_lines, strict=True))

    for distance in range(len(lines) - len(directive_lines) + 1):
        if is_at(distance):
            return distance
    return 0


def _comparable(text: str) -> str:
    """ASCII words of a line, separated by spaces, with a space at either end.

    This drops quotes of CSV cells, tabs and undecodable characters.
    """
    return "".join(f" {word}" for word in _WORD.findall(text)) + " "


@lru_cache(maxsize=4)
def _read(source: str, version: tuple[int, int]) -> Sequence[str]:
    """Lines of a file, cached, since a page may have thousands of directives.

    Args:
        source: path of the file.
        version: its time and size, a part of the cache's key.
    """
    with open(source, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return notebook_lines(text) if source.endswith(SUFFIX) else tuple(text.split("\n"))
