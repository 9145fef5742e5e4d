"""Restoring of directives in indented code: their fences are examples, and stay text.

Whether a line is indented code is only known once Python-Markdown has parsed the blocks. By then,
placeholders are in place of the fences.
"""

from __future__ import annotations

from html import unescape
from xml.etree.ElementTree import Element

from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString, code_escape

from sphinx_llmsize.hosts.python_markdown.directives import StashEntry


class RestoreCode(Treeprocessor):
    """Restores fences of directives that turned out to be part of indented code."""

    def run(self, root: Element) -> None:
        """Replace placeholders in code by the lines of their fences."""
        blocks = self.md.htmlStash.rawHtmlBlocks
        for code in root.iter("code"):
            for number, block in enumerate(blocks):
                placeholder = self.md.htmlStash.get_placeholder(number)
                if isinstance(block, StashEntry) and placeholder in (code.text or ""):
                    lines = _restored((code.text or "").split("\n"), placeholder, block)
                    code.text = AtomicString("\n".join(lines))


def _restored(lines: list[str], placeholder: str, block: StashEntry) -> list[str]:
    """Lines of code with those of a fence in place of its placeholder and the added blank lines."""
    position = next(i for i, line in enumerate(lines) if placeholder in line)
    blanks_above, blanks_below = block.blanks
    # at the start of the code, the blank lines were added above it
    start = max(position - blanks_above, 0)
    # at its end, they were added below it; the last line of code is always empty, and stays
    end = min(position + 1 + blanks_below, len(lines) - 1)
    # the code's lines lack the indentation that the page's lines have, such as four spaces
    before = unescape(lines[position].partition(placeholder)[0])
    indentation = len(block.prefix) - len(before)
    fence_lines = [code_escape(line[indentation:]) for line in block.fence_lines]
    return [*lines[:start], *fence_lines, *lines[end:]]
