"""Source of a page: its file, and the file's lines for those that the extension sees."""

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
    # MkDocs: the treeprocessor that resolves links
    for processor in md.treeprocessors:
        if path := getattr(getattr(processor, "file", None), "abs_src_path", None):
            return Path(path)
    if context := zensical_context(md):
        config = context.config
        return Path(config.get("root_dir") or ".", config["docs_dir"], context.page.path).absolute()
    return None


def zensical_context(md: Any) -> Any:
    """Zensical's preprocessor with the page and the site's configuration, or None."""
    return next((each for each in md.preprocessors if hasattr(each, "page")), None)


@dataclass(frozen=True)
class SourceLines:
    """Lines of a page's file, found by comparison with those that the extension sees.

    The extension doesn't see front matter, but sees what other extensions changed or included.

    Attributes:
        path: the file; None if it is unknown.
        given: lines that the host has given to Python-Markdown.
        seen: lines that the extension sees.
    """

    path: Path | None
    given: Sequence[str]
    seen: Sequence[str]

    def number(self, index: int) -> int:
        """1-based line in the file of ``seen[index]``, or of the line before it if it is new."""
        offset = len(self._written) - len(self._compared)
        if offset >= 0 and self._written[offset:] == self._compared:
            return offset + index + 1
        before = 0
        for block in self._equal:  # begins at line a of the file, and at line b of those seen
            if block.b > index:
                break
            before = block.a + min(index - block.b, block.size - 1)
        return before + 1

    @cached_property
    def _written(self) -> list[str]:
        """Lines of the file; those given if it can't be read."""
        try:
            text = self.path.read_text("utf-8-sig", "replace") if self.path else None
        except OSError:
            text = None
        return _comparable(self.given if text is None else text.split("\n"))

    @cached_property
    def _compared(self) -> list[str]:
        return _comparable(self.seen)

    @cached_property
    def _equal(self) -> Any:
        """Blocks of lines that are equal in the file and among those seen, in order."""
        matcher = SequenceMatcher(None, self._written, self._compared, autojunk=False)
        return [block for block in matcher.get_matching_blocks() if block.size]


def _comparable(lines: Sequence[str]) -> list[str]:
    """Lines without differences in white space, and without empty ones at the end."""
    stripped = [line.strip() for line in lines]
    while stripped and not stripped[-1]:
        stripped.pop()
    return stripped
