"""Pipeline diagrams as lists of boxes, with vertical lines beside clusters, forks and residuals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.text import Text

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import CHANGE_WORDS, Box, BoxKind, Growth, Mark
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Gated, Part, Residual
from sphinx_llmsize.terminal.texts import ACCENT, BOLD, MUTED, line, lines, side_by_side, text
from sphinx_llmsize.translation import _

GROWTH_SIGNS = {Growth.SQUARE: "■", Growth.LINEAR: "□", Growth.NONE: "·"}
"""Character before the title of a box with weights."""
WEIGHTLESS_SIGN = "∘"
"""Character before the title of a box without weights."""
SHADE_SIGNS = "·░▒▓█"
"""Character before the title of a box with a share of the parameters, by its level."""
STYLES = {Growth.SQUARE: f"{BOLD} {ACCENT}", Growth.LINEAR: ACCENT, Growth.NONE: ""}
"""Style of a box's title, by how its weights grow with D."""
CHANGE_SIGNS = {
    Mark.SAME: "·",
    Mark.CHANGED: "≠",
    Mark.ADDED: "+",
    Mark.REMOVED: "−",
    Mark.MISSING: " ",
}
"""Character before the title of a box in a diagram of a difference."""
GAP = 3
"""Space between titles and shapes."""


@dataclass(frozen=True)
class Row:
    """A line of a pipeline.

    Attributes:
        before: vertical lines at its left, of clusters, forks and residuals.
        title: title of a box, or an end of a vertical line.
        shapes: shapes of the tensors in the box, and that of its output.
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
    longest = max(_join(row.shapes).cell_len for row in rows)
    content = [text(diagram.title, BOLD)]
    for row in rows:
        content += _in_columns(row, column) if column + longest <= width else _below(row)
    if diagram.legend:
        content += [Text(), _legend(diagram, width)]
    return lines(content)


def _in_columns(row: Row, column: int) -> Iterator[Text]:
    """A row with its shapes in a column."""
    content = row.before + row.title
    if row.shapes:
        content.pad_right(column - content.cell_len)
    yield content.append_text(_join(row.shapes))


def _below(row: Row) -> Iterator[Text]:
    """A row with its shapes below the title."""
    yield row.before + row.title
    for shape in row.shapes:
        yield Text.assemble(row.before, "  ", shape)


def _join(shapes: Iterable[Text]) -> Text:
    """Shapes on one line."""
    return Text("  ").join(shapes)


def _rows(parts: Iterable[Part], before: Text) -> Rows:
    """Lines of parts of a diagram; ``before`` has the vertical lines of the parts around them."""
    for part in parts:
        if isinstance(part, Box):
            yield _box(part, before)
        elif isinstance(part, Cluster) and part.is_missing:
            yield from _rows(part.parts, before)
        elif isinstance(part, Cluster):
            yield from _enclosed_rows(part.title, part.parts, before)
        elif isinstance(part, Residual):
            yield from _enclosed_rows("", part.parts, before, _("added to the input"))
        elif isinstance(part, Gated):  # drawn as a fork: the gate, then the gated parts
            yield from _fork(Fork((Branch(part.gate), Branch(part.parts))), before)
        else:
            yield from _fork(part, before)


def _box(box: Box, before: Text) -> Row:
    """The line of a box."""
    if box.kind is BoxKind.HEADING:
        return Row(before, text(box.title, BOLD))
    style = STYLES[box.growth]
    if box.mark:
        style = ACCENT if box.mark in CHANGE_WORDS else ""
    title = Text(f"{_sign(box)} ", style)
    title.append_text(text(box.title, MUTED if box.kind is BoxKind.DATA else style))
    shapes = [line(each) for each in box.lines]
    if box.output:
        shapes.append(Text("→ ", MUTED).append_text(line(box.output, MUTED)))
    return Row(before, title, tuple(shapes))


def _sign(box: Box) -> str:
    """Character before the title of a box; the legend explains it."""
    if box.mark:
        return CHANGE_SIGNS[box.mark]
    if box.shade is not None:
        return SHADE_SIGNS[box.shade_level]
    return WEIGHTLESS_SIGN if box.is_weightless else GROWTH_SIGNS[box.growth]


def _enclosed_rows(title: str, parts: Iterable[Part], before: Text, end: str = "") -> Rows:
    """Parts with a vertical line at their left.

    Args:
        title: text at the upper end of the line.
        parts: the parts.
        before: vertical lines further left.
        end: text at the lower end of the line.
    """
    yield Row(before, Text.assemble(("╭─ ", MUTED), text(title, BOLD)))
    yield from _rows(parts, _inside(before))
    yield _end(before, end)


def _fork(fork: Fork, before: Text) -> Rows:
    """Branches below each other, with a vertical line at their left."""
    for position, branch in enumerate(fork.branches):
        first = "╭╴" if position == 0 else "├╴"
        yield Row(before, Text(first, MUTED).append_text(_label(fork, position)))
        yield from _rows(branch.parts, _inside(before))
    yield _end(before, _("sum") if fork.addition else "")


def _end(before: Text, words: str) -> Row:
    """The lower end of a vertical line; with words, it has the sign of an addition before them."""
    return Row(before, Text("╰⊕ " if words else "╰─", MUTED).append(words, MUTED))


def _inside(before: Text) -> Text:
    """The vertical lines, and one more at the right of them."""
    return before.copy().append("│ ", MUTED)


def _label(fork: Fork, position: int) -> Text:
    """Text at the beginning of a branch: its label, or how the branches relate to each other."""
    branch = fork.branches[position]
    if branch.label:
        return line(branch.label, BOLD)
    if not branch.parts:
        return text(_("the input"), MUTED)
    return text(_("side by side") if position == 0 else "", MUTED)


def _legend(diagram: Diagram, width: int) -> Text:
    """Meanings of the characters before titles, and the legend of the diagram itself."""
    if any(box.shade is not None for box in diagram.boxes):
        meanings = {SHADE_SIGNS: _("share of the parameters: below 1%, 5%, 15% and 40%, and above")}
    elif any(box.mark for box in diagram.boxes):
        meanings = {CHANGE_SIGNS[mark]: _(word) for mark, word in CHANGE_WORDS.items()}
    else:
        meanings = dict(_growth_signs(diagram))
        if any(box.is_weightless for box in diagram.boxes):
            meanings[WEIGHTLESS_SIGN] = _("no weights")
    items = (
        Text.assemble((sign, ACCENT), " ", (meaning, MUTED)) for sign, meaning in meanings.items()
    )
    return lines([side_by_side(items, width), line(diagram.legend, MUTED)])


def _growth_signs(diagram: Diagram) -> Iterator[tuple[str, str]]:
    """Each character for growth that a diagram has, with its meaning."""
    growths = {box.growth for box in diagram.boxes if box.shows_growth}
    meanings = (_("grows with D²"), _("grows with D"), _("does not grow"))
    for (growth, sign), meaning in zip(GROWTH_SIGNS.items(), meanings, strict=True):
        if growth in growths:
            yield sign, meaning
