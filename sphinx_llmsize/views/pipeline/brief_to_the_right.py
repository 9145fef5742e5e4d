"""Brief diagrams to the right, which fit the column of a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from sphinx_llmsize.blocks import Line
from sphinx_llmsize.diagram_arrows import arrows_of, length_of
from sphinx_llmsize.diagram_boxes import SEPARATOR, Box, BoxKind
from sphinx_llmsize.diagram_tree import Part, boxes_of, forks_of, sequences_of, with_boxes
from sphinx_llmsize.views.pipeline.box_maker import ENCODER_STATES
from sphinx_llmsize.views.pipeline.box_text import on_one_line
from sphinx_llmsize.views.shared.wording import separated

MAX_WIDTH = 710
"""Largest width in a column of 736 px, as estimated with these widths, which fit Chromium's."""
TITLE = 6.5
"""Width of a character of a title, in pixels."""
LINE = 6
"""Width of a character of another line."""
SPACE = 38
"""Width of the padding of a box and of the arrow to it."""
SPACE_OF_FORK = 35
"""Width of the lines before and after branches."""
SPACE_BESIDE = 20
"""Width that a diagram with an encoder and a decoder needs in addition."""
IN_PARENTHESES = re.compile(r"(?P<title>[^(（]+?) ?[(（](?P<remark>.+)[)）]")
"""A title with a remark, such as "Token embedding (decoder)"."""


def fitted_to_the_right(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a diagram, so that it fits a column; empty if it has to run down.

    Boxes have a line for the title and one for all else. If the diagram doesn't fit so, its token
    ids and output are left out, and then remarks of titles are on the other line.
    """
    without_ends = _without_ends(parts)
    ways: tuple[tuple[tuple[Part, ...], Callable[[Box], Box]], ...] = (
        (parts, _with_two_lines),
        (without_ends, _with_two_lines),
        (without_ends, _with_remark_below),
    )
    for shown, change in ways:
        changed = with_boxes(shown, change)
        if _width(changed) <= MAX_WIDTH:
            return changed
    return ()


def _with_two_lines(box: Box) -> Box:
    """The box with its title on one line, and all else on another."""
    return replace(box, lines=tuple(on_one_line(box.lines)), wraps_title=False)


def _with_remark_below(box: Box) -> Box:
    """The box with two lines, where a remark of its title begins the second one."""
    match = IN_PARENTHESES.fullmatch(box.title)
    if not match:
        return _with_two_lines(box)
    remark: Line = (match["remark"],)
    lines = (separated((remark, *box.lines), SEPARATOR),)
    return replace(box, title=match["title"], lines=lines, wraps_title=False)


def _width(parts: tuple[Part, ...]) -> int:
    """Estimated width of a diagram in pixels."""
    if len(sequences_of(parts)) > 1:
        width = sum(_widths_of_columns(parts)) + SPACE_BESIDE
    else:
        width = length_of(parts, _width_of_box)
    return width + SPACE_OF_FORK * len([*forks_of(parts)])


def _widths_of_columns(parts: tuple[Part, ...]) -> Iterable[int]:
    """Estimated width of each column: that of its widest box, and of the arrow to it.

    The text beside an arrow has a column of its own.
    """
    columns = dict.fromkeys(boxes_of(parts), 0)  # counted from the last box
    for arrow in reversed(arrows_of(parts)):  # all arrows from a box come before those to it
        columns[arrow.start] = max(columns[arrow.start], columns[arrow.end] + 1)
    widths: dict[int, int] = {}
    for box, column in columns.items():
        widths[column] = max(widths.get(column, 0), _width_of_box(box))
    labels = (arrow.label for arrow in arrows_of(parts) if arrow.label)
    return (*widths.values(), *(round(LINE * _length(label) + SPACE) for label in labels))


def _width_of_box(box: Box) -> int:
    """Estimated width of the box and of the arrow to it in pixels."""
    widths = (LINE * _length(line) for line in box.lines)
    return round(max(TITLE * len(box.title), *widths, 0) + SPACE)


def _length(line: Line) -> int:
    """Number of characters of a line."""
    return len("".join(map(str, line)))


def _without_ends(parts: Iterable[Part]) -> tuple[Part, ...]:
    """The parts without the model's token ids and output.

    Where token ids begin a column, such as a decoder's, the next box begins it instead. The states
    of an encoder that isn't part of the model stay, since cross-attention reads them.
    """
    remaining: list[Part] = []
    next_begins_column = False
    for part in parts:
        if isinstance(part, Box) and _is_end(part):
            next_begins_column = part.reads == ()
        elif next_begins_column and isinstance(part, Box):
            remaining.append(replace(part, reads=()))
            next_begins_column = False
        else:
            remaining.append(part)
    return tuple(remaining)


def _is_end(box: Box) -> bool:
    """True for token ids, other indices and the output of the model."""
    return box.kind is BoxKind.DATA and box.id != ENCODER_STATES
