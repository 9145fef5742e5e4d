"""State of the conversion of one page: its models and its mistakes."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from sphinx_llmsize.directives.page import MarkdownPage, Page
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts.python_markdown.extension_settings import Settings
from sphinx_llmsize.hosts.python_markdown.fences import IndexedLines
from sphinx_llmsize.hosts.python_markdown.page_source import (
    SourceLines,
    mkdocs_file,
    page_path,
    zensical_context,
)
from sphinx_llmsize.sources.files import digest
from sphinx_llmsize.translation import ngettext

MKDOCS_LOGGER, LOGGER = "mkdocs.sphinx_llmsize", "sphinx_llmsize"
"""Names of the loggers; ``mkdocs build --strict`` counts the warnings of those below ``mkdocs``."""
ZENSICAL_STRICT = frozenset({"--strict", "-s"})
"""Options that make ``zensical build`` strict; its configuration doesn't contain them."""


@dataclass
class Conversion:
    """State of the conversion of one page.

    Attributes:
        md: instance of ``markdown.Markdown``.
        settings: the extension's settings.
        host_lines: lines that the host has passed to Python-Markdown.
        lines: lines of the page after other extensions have changed them.
        text_lines: lines outside fences, each with the index of its line in ``lines``.
        mistakes: file, 1-based line and error of each; the file is empty for the page itself.
        needs_stylesheet: True if the page has output or a notice.
        is_interactive: True if the page has interactive output.
    """

    md: Any
    settings: Settings
    host_lines: Sequence[str]
    lines: Sequence[str] = ()
    text_lines: IndexedLines = field(default_factory=list)
    mistakes: list[tuple[str, int, ConfigError]] = field(default_factory=list)
    needs_stylesheet: bool = False
    is_interactive: bool = False
    _id_count: int = 0  # number of calls of new_id()
    _search_counts: dict[str, int] = field(default_factory=dict)  # of calls of line_of() by text

    @cached_property
    def path(self) -> Path | None:
        """The page's file, or None if the host doesn't state it."""
        return page_path(self.md)

    @cached_property
    def page(self) -> Page:
        """The page's models, which its directives and numbers refer to by name."""
        return MarkdownPage(self.path.parent if self.path else Path(self.settings.base_path))

    @property
    def _is_strict(self) -> bool:
        """True if mistakes stop the build: by the setting, or in a strict build of Zensical.

        Zensical doesn't count warnings, so that only an exception makes its build fail.
        """
        if self.settings.strict:
            return True
        context = zensical_context(self.md)
        if not context:
            return False
        has_strict_option = "build" in sys.argv and not ZENSICAL_STRICT.isdisjoint(sys.argv)
        return has_strict_option or bool(context.config.get("strict"))

    @cached_property
    def _hash(self) -> str:
        """Hash of the page's path and text, a part of its ids."""
        text = "\n".join((str(self.path or ""), *self.host_lines))
        # UTF-8 has no lone surrogates, which stand for undecodable bytes in paths
        return digest(text.encode("utf-8", "backslashreplace"))[:6]

    def new_id(self) -> str:
        """A new prefix for the ids of HTML elements in one output, such as ``llmsize-1a2b3c-2``.

        It contains a hash of the page, as print plugins join several pages to one.
        """
        self._id_count += 1
        return f"llmsize-{self._hash}-{self._id_count}"

    def report(self, error: ConfigError, line: int) -> None:
        """Record a mistake, which :meth:`log` logs later.

        Args:
            error: the mistake.
            line: index in ``lines`` of its line; ignored if the error is in another file.
        """
        self.needs_stylesheet = True
        if error.file and error.line is not None:
            self.mistakes.append((error.file, error.line + 1, error))
        else:
            self.mistakes.append(("", self._source_lines.line_number(line), error))

    def log(self) -> None:
        """Log the mistakes as warnings, in the order of their lines.

        Raises:
            RuntimeError: the build is strict, and there are mistakes.
        """
        logger = logging.getLogger(LOGGER if mkdocs_file(self.md) is None else MKDOCS_LOGGER)
        for file, number, error in sorted(self.mistakes, key=lambda mistake: mistake[:2]):
            path = _path_text(file or self.path)
            position = f"{path}:{number}" if path else str(number)
            logger.warning("%s: %s [llmsize.%s]", position, error, error.problem.value)
        if self.mistakes and self._is_strict:
            one, many = "{number} mistake on this page", "{number} mistakes on this page"
            raise RuntimeError(ngettext(one, many, len(self.mistakes), number=len(self.mistakes)))

    @cached_property
    def _source_lines(self) -> SourceLines:
        """Map from the indices in ``lines`` to the lines of the page's file."""
        return SourceLines(self.path, self.host_lines, self.lines)

    def line_of(self, text: str) -> int:
        """Index in ``lines`` of a text outside fences; each call finds its next occurrence.

        After the last occurrence, calls find it again. For a text that doesn't occur, it is 0.
        """
        count = self._search_counts.get(text, 0)  # earlier calls with this text
        self._search_counts[text] = count + 1
        occurrences: list[int] = []
        for index, line in self.text_lines:
            occurrences += [index] * line.count(text)
        return occurrences[min(count, len(occurrences) - 1)] if occurrences else 0


def _path_text(file: str | Path | None) -> str:
    """A path, relative to the current folder if the file is inside it; empty for None."""
    if file is None:
        return ""
    relative = os.path.relpath(file)
    return visible(str(file) if relative.startswith("..") else relative)
