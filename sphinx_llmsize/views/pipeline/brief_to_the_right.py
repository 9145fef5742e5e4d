"""Brief diagrams to the right, which fit the column of a page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sphinx_llmsize.diagram_arrows import length_of
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Part, boxes_of, sequences_of, with_boxes
from sphinx_llmsize.views.pipeline.box_maker import ENCODER_STATES
from sphinx_llmsize.views.pipeline.box_text import on_one_line

MAX_CHARACTERS = 90
"""Largest length of the longest way in a column, in characters, as measured in Chromium."""
SPACE = 5
"""Length of the padding of a box and of the arrow to it, in characters."""
SPACE_BESIDE = 10
"""Length that a diagram with an encoder and a decoder needs in addition, in characters."""
MAX_LENGTH = 6
"""Most boxes on the longest way through a diagram with wrapped titles."""
MAX_BOXES = 8
"""Most boxes in a diagram with wrapped titles."""


def fitted_to_the_right(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of a diagram, so that it fits a column; empty if it has to run down.

    Boxes have a line for the title and one for all else if the diagram fits so, at least without
    its token ids and output. Otherwise, long titles take two lines.
    """
    without_ends = _without_ends(parts)
    for each in (parts, without_ends):
        with_two_lines = with_boxes(each, _with_two_lines)
        needed = SPACE_BESIDE if len(sequences_of(each)) > 1 else 0
        if length_of(with_two_lines, _characters) + needed <= MAX_CHARACTERS:
            return with_two_lines
    if length_of(parts) > MAX_LENGTH:
        parts = without_ends
    return parts if len([*boxes_of(parts)]) <= MAX_BOXES else ()


def _with_two_lines(box: Box) -> Box:
    """The box with its title on one line, and all else on another."""
    return replace(box, lines=tuple(on_one_line(box.lines)), wraps_title=False)


def _characters(box: Box) -> int:
    """Length of the box and of the arrow to it, in characters."""
    lines = ("".join(map(str, line)) for line in box.lines)
    return max(map(len, (box.title, *lines))) + SPACE


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
