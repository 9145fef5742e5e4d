"""Pipeline diagrams as lists of steps, with lines at the left of clusters, forks and residuals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from rich.text import Text

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import CHANGE_WORDS, Box, BoxKind, Growth, Mark
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Gated, Part, Residual
from sphinx_llmsize.terminal.texts import ACCENT, BOLD, MUTED, filled, line, lines, text
from sphinx_llmsize.translation import _

MARKS = {Growth.SQUARE: "■", Growth.LINEAR: "□", Growth.NONE: "·"}
WEIGHTLESS = "∘"
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


@dataclass(frozen=True)
class Row:
    """A line of a pipeline.

    Attributes:
        before: text at its left, the vertical lines of clusters, forks and residuals.
        title: title of a box, or the end of a line at the left.
        shapes: shapes of the box, and that of its output.
    """

    before: Text
    title: Text
    shapes: tuple[Text, ...] = ()


Rows = Iterator[Row]
"""Lines of a pipeline from top to bottom."""


def pipeline(diagram: Diagram, width: int) -> Text:
    """The diagram from top to bottom; shapes have a column of their own where there is space."""
    rows = list(_rows(diagram.items, Text()))
    column = max(row.before.cell_len + row.title.cell_len for row in rows) + GAP
    longest = max(_joined(row.shapes).cell_len for row in rows)
    draw = partial(_in_columns, column=column) if column + longest <= width else _below
    shown = [line for row in rows for line in draw(row)]
    legend = (Text(), _legend(diagram, width)) if diagram.legend else ()
    return lines([text(diagram.title, BOLD), *shown, *legend])


def _in_columns(row: Row, column: int) -> Iterator[Text]:
    """A row with its shapes in a column."""
    shown = row.before + row.title
    if row.shapes:
        shown.pad_right(column - shown.cell_len)
    yield shown.append_text(_joined(row.shapes))


def _below(row: Row) -> Iterator[Text]:
    """A row with its shapes below the title."""
    yield row.before + row.title
    for shape in row.shapes:
        yield Text.assemble(row.before, "  ", shape)


def _joined(shapes: Iterable[Text]) -> Text:
    return Text("  ").join(shapes)


def _rows(parts: Iterable[Part], before: Text) -> Rows:
    for part in parts:
        if isinstance(part, Box):
            yield _box(part, before)
        elif isinstance(part, Cluster):
            yield from _enclosed(part.title, part.parts, before)
        elif isinstance(part, Residual):
            yield from _enclosed("", part.parts, before, _("added to the input"))
        elif isinstance(part, Gated):
            yield from _fork(Fork((Branch(part.gate), Branch(part.parts))), before)
        else:
            yield from _fork(part, before)


def _box(box: Box, before: Text) -> Row:
    style = STYLES[box.growth]
    mark = WEIGHTLESS if box.is_weightless else MARKS[box.growth]
    if box.shade is not None:
        mark = SHADES[box.shade_level]
    if box.mark:
        mark, style = CHANGE_SIGNS[box.mark], ACCENT if box.mark in CHANGE_WORDS else ""
    title = Text(f"{mark} ", style)
    title.append_text(text(box.title, style if box.kind is not BoxKind.DATA else MUTED))
    shapes = [line(each) for each in box.lines]
    if box.output:
        shapes.append(Text("→ ", MUTED).append_text(line(box.output, MUTED)))
    return Row(before, title, tuple(shapes))


def _enclosed(title: str, parts: Iterable[Part], before: Text, end: str = "") -> Rows:
    """Parts with a line at their left, a title at its upper end and words at its lower end."""
    yield Row(before, Text.assemble(("╭─ ", MUTED), text(title, BOLD)))
    yield from _rows(parts, _inside(before))
    yield _end(before, end)


def _fork(fork: Fork, before: Text) -> Rows:
    for position, branch in enumerate(fork.branches):
        first = "╭╴" if position == 0 else "├╴"
        yield Row(before, Text(first, MUTED).append_text(_label(fork, position)))
        yield from _rows(branch.parts, _inside(before))
    yield _end(before, _("sum") if fork.addition else "")


def _end(before: Text, words: str) -> Row:
    """The lower end of the line at the left, with words if something is added there."""
    return Row(before, Text("╰⊕ " if words else "╰─", MUTED).append(words, MUTED))


def _inside(before: Text) -> Text:
    """Lines at the left of parts that a line encloses."""
    return before.copy().append("│ ", MUTED)


def _label(fork: Fork, position: int) -> Text:
    """The layers that take a branch; branches without a label are side by side."""
    branch = fork.branches[position]
    if branch.label:
        return line(branch.label, BOLD)
    if not branch.parts:
        return text(_("the input"), MUTED)
    return text(_("side by side") if position == 0 else "", MUTED)


def _legend(diagram: Diagram, width: int) -> Text:
    if any(box.shade is not None for box in diagram.boxes):
        marks = {SHADES: _("share of the parameters: below 1%, 5%, 15% and 40%, and above")}
    elif any(box.mark for box in diagram.boxes):
        marks = {CHANGE_SIGNS[mark]: _(word) for mark, word in CHANGE_WORDS.items()}
    else:
        marks = dict(_growth_marks(diagram))
        if any(box.is_weightless for box in diagram.boxes):
            marks[WEIGHTLESS] = _("no weights")
    items = (
        Text.assemble((mark, ACCENT), " ", (meaning, MUTED)) for mark, meaning in marks.items()
    )
    return lines([filled(items, width), line(diagram.legend, MUTED)])


def _growth_marks(diagram: Diagram) -> Iterator[tuple[str, str]]:
    """Marks of the growths that boxes with weights have, and their meaning."""
    growths = {box.growth for box in diagram.boxes if box.shows_growth}
    meanings = (_("grows with D²"), _("grows with D"), _("does not grow"))
    for (growth, mark), meaning in zip(MARKS.items(), meanings, strict=True):
        if growth in growths:
            yield mark, meaning
