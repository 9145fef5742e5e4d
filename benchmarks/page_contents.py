"""Contents of built pages: the text, and the numbers of rows, cells, formulas and diagrams."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

NAMES = {
    "tr": "rows",
    "th": "cells",
    "td": "cells",
    "caption": "captions",
    "li": "list items",
    "p": "paragraphs",
}
"""Elements to count, and the names of the counts."""
VOID = frozenset({"br", "col", "img", "hr", "input", "link", "meta"})
"""Elements without an end tag."""
INLINE = frozenset({"code", "em", "span", "sub", "a"})
FORMULA_SPACE = re.compile(r"(\\\[|\\begin\{split\})\s+|\s+(\\end\{split\}|\\\])")
"""Spaces around a formula, which MyST before 5 takes from the line ends beside ``$$``."""


class PageContents(HTMLParser):
    """Contents of a page's main part.

    Attributes:
        counts: number of rows, cells, formulas, diagrams … by name.
    """

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self._pieces: list[str] = []
        self._depth = 0
        self._hidden_at = 0  # depth of the hidden element around the text; 0 if it is shown
        self.feed(page.read_text(encoding="utf-8"))

    @property
    def text(self) -> str:
        """The text with single spaces, and with characters in place of Mermaid's numeric codes."""
        text = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), "".join(self._pieces))
        return " ".join(FORMULA_SPACE.sub(r"\1\2", text).replace("¶", " ").split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if not self._depth and attributes.get("role") != "main":
            return
        if tag not in VOID:
            self._depth += 1
        # hidden in browsers that run scripts, or on wide screens
        if not self._hidden_at and (tag == "noscript" or "hidden" in attributes):
            self._hidden_at = self._depth
        self._separate(tag)
        if not self._hidden_at:
            self._count(tag, (attributes.get("class") or "").split())

    def _count(self, tag: str, classes: list[str]) -> None:
        if tag in NAMES:
            self.counts[NAMES[tag]] += 1
        elif tag == "div" and "math" in classes:
            self.counts["formulas"] += 1
        elif tag == "pre" and "mermaid" in classes:
            self.counts["diagrams"] += 1

    def handle_endtag(self, tag: str) -> None:
        if self._depth and tag not in VOID:
            if self._depth == self._hidden_at:
                self._hidden_at = 0
            self._depth -= 1
            self._separate(tag)

    def handle_data(self, data: str) -> None:
        if self._depth and not self._hidden_at:
            self._pieces.append(data)

    def _separate(self, tag: str) -> None:
        """Add a space between the text of neighbouring blocks."""
        if tag not in INLINE:
            self._pieces.append(" ")


def compare_page(one: Path, other: Path, required: str) -> Counter[str]:
    """Check that a page has the same contents in two builds; return its counts.

    Args:
        one: the page in the first build.
        other: the page in the second build.
        required: name of a count that is not 0.

    Raises:
        AssertionError: the contents differ, or the count is 0.
    """
    first, second = PageContents(one), PageContents(other)
    assert first.counts[required], f"{one} shows no {required}"
    assert first.counts == second.counts, f"{first.counts} is not {second.counts}"
    assert first.text == second.text, f"{one} and {other} read differently"
    return first.counts


def compare_pages(root: Path, ways: Iterable[str], pages: int, required: str) -> Counter[str]:
    """Compare all pages of two builds, as :func:`compare_page` does; return the sum of the counts.

    Args:
        root: folder of the projects and their builds.
        ways: names of the two projects.
        pages: number of pages.
        required: name of a count that is not 0 on any page.
    """
    total: Counter[str] = Counter()
    for number in range(1, pages + 1):
        one, other = (root / f"{way} built" / f"page{number}.html" for way in ways)
        total += compare_page(one, other, required)
    return total
