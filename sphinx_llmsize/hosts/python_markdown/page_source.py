"""Source of a page: its file, and the numbers of the file's lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from pathlib import Path
from typing import Any


def page_path(md: Any) -> Path | None:
    """Path of the page that is being converted, or None if the host doesn't state it.

    Args:
        md: instance of ``markdown.Markdown``.
    """
    if path := getattr(mkdocs_file(md), "abs_src_path", None):
        return Path(path)
    if context := zensical_context(md):
        config = context.config
        return Path(config.get("root_dir") or ".", config["docs_dir"], context.page.path).absolute()
    return None


def mkdocs_file(md: Any) -> Any:
    """MkDocs' file of the page, or None in other hosts.

    MkDocs adds a treeprocessor to each page, which resolves links relative to this file.
    """
    return next((each.file for each in md.treeprocessors if hasattr(each, "file")), None)


def zensical_context(md: Any) -> Any:
    """Zensical's preprocessor with the page and the site's configuration, or None."""
    return next((each for each in md.preprocessors if hasattr(each, "page")), None)


@dataclass(frozen=True)
class SourceLines:
    """Map from the lines of a page, as the extension gets them, to the lines of its file.

    The page lacks front matter, and has lines that other extensions changed or included. So its
    lines are compared with those of the file.

    Attributes:
        path: the file; None if it is unknown.
        host_lines: lines that the host has passed to Python-Markdown.
        lines: lines that the extension gets.
    """

    path: Path | None
    host_lines: Sequence[str]
    lines: Sequence[str]

    def line_number(self, index: int) -> int:
        """1-based line of the file for ``lines[index]``.

        For a line that isn't in the file, it is the last one before it that is.
        """
        front_matter = len(self._file_lines) - len(self._page_lines)
        if front_matter >= 0 and self._file_lines[front_matter:] == self._page_lines:
            return front_matter + index + 1
        file_index = 0
        for block in self._equal_blocks:  # they begin at file line block.a and page line block.b
            if block.b > index:
                break
            file_index = block.a + min(index - block.b, block.size - 1)
        return file_index + 1

    @cached_property
    def _file_lines(self) -> list[str]:
        """Lines of the file; those of the host if it can't be read."""
        try:
            text = self.path.read_text("utf-8-sig", "replace") if self.path else None
        except OSError:
            text = None
        return _comparable(self.host_lines if text is None else text.split("\n"))

    @cached_property
    def _page_lines(self) -> list[str]:
        """Lines of the page, to be compared with those of the file."""
        return _comparable(self.lines)

    @cached_property
    def _equal_blocks(self) -> Any:
        """Blocks of lines that are equal in the file and on the page, in order."""
        matcher = SequenceMatcher(None, self._file_lines, self._page_lines, autojunk=False)
        return [block for block in matcher.get_matching_blocks() if block.size]


def _comparable(lines: Sequence[str]) -> list[str]:
    """Lines without differences in white space, and without empty ones at the end."""
    stripped = [line.strip() for line in lines]
    while stripped and not stripped[-1]:
        stripped.pop()
    return stripped
