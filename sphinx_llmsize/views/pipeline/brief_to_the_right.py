"""Brief diagrams to the right, which fit the column of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.parts import DECODER, DECODER_EMBEDDING
from sphinx_llmsize.diagram_arrows import arrows_of, length_of
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Part, boxes_of, forks_of, sequences_of, with_boxes
from sphinx_llmsize.inline import Line
from sphinx_llmsize.monospace import monospace_width
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.pipeline.box_maker import ENCODER_STATES
from sphinx_llmsize.views.pipeline.box_text import on_one_line

MAX_WIDTH = 710
"""Largest estimated width that fits a column of 736 px."""
TITLE = 6.5
"""Width of a character of a title in pixels; all widths are as in Chromium."""
LINE = 6
"""Width of a character of another line."""
SPACE = 38
"""Width of the padding of a box and of the arrow to it."""
SPACE_OF_FORK = 35
"""Width of the lines before and after branches."""
SPACE_BESIDE = 20
"""Width that a diagram with an encoder and a decoder needs in addition."""


def fitted_to_the_right(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a diagram that fits a column to the right; empty if it has to run down.

    Boxes have a line for the title and one for all else. Token ids and the output are left out if
    the diagram doesn't fit with them.
    """
    with_ends = with_boxes(parts, _with_two_lines)
    if _width(with_ends) <= MAX_WIDTH:
        return with_ends
    without_ends = _without_ends(with_ends)
    return without_ends if _width(without_ends) <= MAX_WIDTH else ()


def _with_two_lines(box: Box) -> Box:
    """The box with its title on one line, and all else on another."""
    title, lines = box.title, box.lines
    if title == _(DECODER_EMBEDDING):
        title, lines = _("Token embedding"), ((_(DECODER.label),), *lines)
    return replace(box, title=title, lines=tuple(on_one_line(lines)), wraps_title=False)


def _width(parts: tuple[Part, ...]) -> int:
    """Estimated width of a diagram in pixels."""
    if len(sequences_of(parts)) > 1:
        width = sum(_widths_of_columns(parts)) + SPACE_BESIDE
    else:
        width = length_of(parts, _width_of_box)
    return width + SPACE_OF_FORK * len([*forks_of(parts)])


def _widths_of_columns(parts: tuple[Part, ...]) -> Iterator[int]:
    """Yield the width of each column: that of its widest box, and of the arrow to it.

    Columns are counted from the last box. A text beside an arrow has a column of its own.
    """
    columns = dict.fromkeys(boxes_of(parts), 0)
    for arrow in reversed(arrows_of(parts)):  # all arrows from a box come before those to it
        columns[arrow.start] = max(columns[arrow.start], columns[arrow.end] + 1)
        if arrow.label:
            yield _width_of_line(arrow.label)
    for column in set(columns.values()):
        yield max(_width_of_box(box) for box, its_column in columns.items() if its_column == column)


def _width_of_box(box: Box) -> int:
    """Estimated width of the box and of the arrow to it in pixels."""
    title = round(TITLE * monospace_width(box.title) + SPACE)
    return max((title, *map(_width_of_line, box.lines)))


def _width_of_line(line: Line) -> int:
    """Estimated width of a line of a box or beside an arrow, with the space around it."""
    return round(LINE * monospace_width("".join(map(str, line))) + SPACE)


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
