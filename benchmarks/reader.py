"""Text of a built page, and its numbers of tables, cells, formulas and diagrams."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

COUNTED = {
    "tr": "rows",
    "th": "cells",
    "td": "cells",
    "caption": "captions",
    "li": "list items",
    "p": "paragraphs",
}
VOID = frozenset({"br", "col", "img", "hr", "input", "link", "meta"})
INLINE = frozenset({"code", "em", "span", "sub", "a"})
EDGE = re.compile(r"(\\\[|\\begin\{split\})\s+|\s+(\\end\{split\}|\\\])")
"""Spaces around a formula, which MyST before 5 takes from the line ends beside ``$$``."""


class PageContents(HTMLParser):
    """Text of a page's main part, and its numbers of rows, cells, formulas, diagrams and others."""

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
        return " ".join(EDGE.sub(r"\1\2", text).replace("¶", " ").split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if not self._depth and attributes.get("role") != "main":
            return
        self._depth += tag not in VOID
        # hidden in browsers that run scripts, or on wide screens
        if not self._hidden_at and (tag == "noscript" or "hidden" in attributes):
            self._hidden_at = self._depth
        self._separate(tag)
        if self._hidden_at:
            return
        self.counts[COUNTED.get(tag, "")] += 1
        classes = (attributes.get("class") or "").split()
        self.counts["formulas"] += tag == "div" and "math" in classes
        self.counts["diagrams"] += tag == "pre" and "mermaid" in classes

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


def assert_same(one: Path, other: Path, required: str) -> Counter[str]:
    """Counts of a page, after checking that both builds have the same, with ``required``."""
    first, second = PageContents(one), PageContents(other)
    del first.counts[""], second.counts[""]
    assert first.counts[required], f"{one} shows no {required}"
    assert first.counts == second.counts, f"{first.counts} is not {second.counts}"
    assert first.text == second.text, f"{one} and {other} read differently"
    return first.counts


def same_content(root: Path, ways: Iterable[str], pages: int, required: str) -> Counter[str]:
    """Counts of all pages together, after checking each; ``required`` must be on each page."""
    shown: Counter[str] = Counter()
    for number in range(1, pages + 1):
        one, other = (root / f"{way} built" / f"page{number}.html" for way in ways)
        shown += assert_same(one, other, required)
    return shown
