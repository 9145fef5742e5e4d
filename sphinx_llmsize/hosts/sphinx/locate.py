"""Where in the sources a directive's lines are, in reStructuredText and in MyST Markdown."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docutils.parsers.rst import Directive

Location = tuple[str, int]
"""An absolute path and a 1-based line."""


def start(directive: Directive) -> Location:
    """The directive's first line."""
    return _place(directive, directive.lineno)


def content_line(directive: Directive, index: int) -> Location:
    """The source of the body's line of that 0-based index."""
    if _is_markdown(directive):
        return _place(directive, directive.lineno + directive.content_offset + index + 1)
    lines = directive.content
    if not lines:
        return start(directive)
    source, offset = lines.info(min(index, len(lines) - 1))
    return os.path.abspath(source or ""), (offset or 0) + 1


def option_line(directive: Directive, option: str) -> Location:
    """The line of an option, or the directive's first where it cannot be found."""
    pattern = re.compile(rf"\s*:?{re.escape(option)}:(\s|$)")
    lines = directive.block_text.splitlines()
    first = 0 if lines and directive.name in lines[0] else 1
    for offset, line in enumerate(lines, start=first):
        if offset and pattern.match(line):
            return _place(directive, directive.lineno + offset)
    return start(directive)


def _place(directive: Directive, line: int) -> Location:
    source, number = directive.state_machine.get_source_and_line(line)
    return os.path.abspath(source or ""), number or line


def _is_markdown(directive: Directive) -> bool:
    return type(directive.state).__module__.startswith("myst_parser.")
