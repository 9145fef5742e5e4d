"""Pipeline diagrams as lists of steps, with lines at the left of clusters, forks and residuals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.text import Text

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import (
    CHANGE_WORDS,
    Box,
    BoxKind,
    Cluster,
    Fork,
    Growth,
    Mark,
    Part,
    Residual,
)
from sphinx_llmsize.formats import monospace_width
from sphinx_llmsize.terminal.texts import ACCENT, BOLD, MUTED, line, lines, text
from sphinx_llmsize.translation import _

MARKS = {Growth.SQUARE: "■", Growth.LINEAR: "□", Growth.NONE: "·"}
SHADES = "·░▒▓█"
"""Marks of boxes coloured by their share of the parameters, by level."""
STYLES = {Growth.SQUARE: f"{BOLD} {ACCENT}", Growth.LINEAR: ACCENT, Growth.NONE: ""}
CHANGE_SIGNS = {
    Mark.SAME: "·",
    Mark.CHANGED: "≠",
    Mark.ADDED: "+",
    Mark.REMOVED: "−",
    Mark.MISSING: " ",
}
"""Marks of boxes in a diagram of a difference."""
GAP = 3
"""Space between titles and shapes."""
Rows = Iterator[tuple[Text, Text]]
"""Rows of two columns: the title of a box, with the lines at its left, and its shapes."""


def pipeline(diagram: Diagram) -> Text:
    """The diagram from top to bottom; shapes have a column of their own."""
    rows = list(_rows(diagram.items, Text()))
    column = max(monospace_width(title.plain) for title, _content in rows) + GAP
    shown: list[Text] = []
    for title, content in rows:
        if content:
            title.append(" " * (column - monospace_width(title.plain)))
        shown.append(title.append_text(content))
    return lines([text(diagram.title, BOLD), *shown, Text(), _legend(diagram)])


def _rows(parts: Iterable[Part], before: Text) -> Rows:
    for part in parts:
        if isinstance(part, Box):
            yield _box(part, before)
        elif isinstance(part, Cluster):
            yield from _enclosed(part.title, part.parts, before)
        elif isinstance(part, Residual):
            yield from _enclosed("", part.parts, before, _("added to the input"))
        else:
            yield from _fork(part, before)


def _box(box: Box, before: Text) -> tuple[Text, Text]:
    style = STYLES[box.growth]
    mark = MARKS[box.growth] if box.shade is None else SHADES[box.shade_level]
    if box.mark:
        mark, style = CHANGE_SIGNS[box.mark], ACCENT if box.mark in CHANGE_WORDS else ""
    title = before.copy().append(f"{mark} ", style)
    title.append_text(text(box.title, style if box.kind is not BoxKind.DATA else MUTED))
    shapes = [line(each) for each in box.lines]
    if box.output:
        shapes.append(Text("→ ", MUTED).append_text(line(box.output, MUTED)))
    return title, Text("  ").join(shapes)


def _enclosed(title: str, parts: Iterable[Part], before: Text, end: str = "") -> Rows:
    """Parts with a line at their left, a title at its upper end and words at its lower end."""
    yield before.copy().append_text(Text("╭─ ", MUTED)).append_text(text(title, BOLD)), Text()
    yield from _rows(parts, before.copy().append("│ ", MUTED))
    yield from _end(before, end)


def _fork(fork: Fork, before: Text) -> Rows:
    for position, branch in enumerate(fork.branches):
        first = "╭╴" if position == 0 else "├╴"
        yield before.copy().append(first, MUTED).append_text(_label(fork, position)), Text()
        yield from _rows(branch.parts, before.copy().append("│ ", MUTED))
    yield from _end(before, _("sum") if fork.addition else "")


def _end(before: Text, words: str) -> Rows:
    """The lower end of the line at the left, with words on what is added there, if anything."""
    yield before.copy().append("╰⊕ " if words else "╰─", MUTED).append(words, MUTED), Text()


def _label(fork: Fork, position: int) -> Text:
    """The layers that take a branch; branches without a label are side by side."""
    if label := fork.branches[position].label:
        return line(label, BOLD)
    return text(_("side by side") if position == 0 else "", MUTED)


def _legend(diagram: Diagram) -> Text:
    if any(box.shade is not None for box in diagram.boxes):
        marks = {SHADES: _("share of the parameters: below 1%, 5%, 15% and 40%, and above")}
    elif any(box.mark for box in diagram.boxes):
        marks = {CHANGE_SIGNS[mark]: _(word) for mark, word in CHANGE_WORDS.items()}
    else:
        meanings = (_("grows with D²"), _("grows with D"), _("does not grow"))
        marks = dict(zip(MARKS.values(), meanings, strict=True))
    found = Text("   ").join(
        Text.assemble((mark, ACCENT), " ", (meaning, MUTED)) for mark, meaning in marks.items()
    )
    return lines([found, line(diagram.legend, MUTED)])
