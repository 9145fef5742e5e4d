"""Texts in the boxes of a drawn pipeline, wrapped to the width of their column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from sphinx_llmsize.diagram_boxes import SEPARATOR, Box, BoxKind
from sphinx_llmsize.drawing.text_runs import Run, Runs, line_width, runs, wrapped_runs
from sphinx_llmsize.inline import Inline, Line, Variable

LEAST_COLUMN = 72
"""Least width of a column in which texts are shortened to a title and a line.

In narrower columns they are not shortened, and break wherever they can.
"""


@lru_cache(maxsize=1024)
def box_texts(box: Box, width: float, *, is_down: bool) -> tuple[Runs, ...]:
    """Lines of text in a box; an addition has none, since its plus sign is drawn.

    They are cached, as a narrow drawing is laid out several times with the same widths.

    Args:
        box: the box.
        width: maximum width of a line; infinite if texts don't wrap.
        is_down: the diagram runs down. In one that runs to the right, long titles take two lines.
    """
    if box.kind is BoxKind.ADDITION:
        return ()
    if is_down and box.is_one_line:
        return ((Run(box.title), *runs((" ", *box.lines[0]))),)
    is_bold = box.kind is BoxKind.STEP
    if _is_shortened(box, width):
        return tuple(_short_texts(box, width))
    texts: list[Runs] = []
    for title in (box.title,) if is_down else box.title_lines:
        texts += wrapped_runs((title,), width, is_bold=is_bold)
    for line in box.lines:
        texts += wrapped_runs(_without_wide_shapes(line, width), width)
    return tuple(texts)


def _is_shortened(box: Box, width: float) -> bool:
    """True for a step with a title and one line, in a column that is wide enough for both."""
    return LEAST_COLUMN <= width < math.inf and box.kind is BoxKind.STEP and len(box.lines) == 1


def _short_texts(box: Box, width: float) -> Iterator[Runs]:
    """The title, which may wrap, and a line that doesn't.

    If the title is too long and has a comma, its text after the comma becomes the beginning of the
    line. A box without weights has no line if its title still wraps. The wide picture of the same
    diagram has the whole texts.
    """
    parts = _parts(box.lines[0])
    title_lines = wrapped_runs((box.title,), width, is_bold=True)
    if len(title_lines) > 1 and ", " in box.title:
        title, rest = box.title.split(", ", maxsplit=1)
        title_lines = wrapped_runs((title,), width, is_bold=True)
        parts = [(rest,), parts[-1]]
    yield from title_lines
    if len(title_lines) == 1 or not box.is_weightless:
        yield _shortened(parts, width)


def _shortened(parts: list[Line], width: float) -> Runs:
    """The parts as a line. If it is too long: the first formula that fits, or else the last part.

    The last part is shortened to its text before a comma if it doesn't fit either.
    """
    last = parts[-1]
    formulas = [part for part in parts if _is_formula(part)]
    for line in (_joined(parts), *formulas, last):
        if line_width(runs(line)) <= width:
            return runs(line)
    text_before_comma = str(last[0]).split(", ")[0]
    return runs((text_before_comma,))


def _without_wide_shapes(line: Line, width: float) -> Line:
    """The line without shapes that need several lines, unless nothing else is in it.

    A broken formula is hard to read, and the wider picture of the same diagram has it.
    """
    parts = _parts(line)
    return _joined([part for part in parts if not _is_wide_shape(part, width)] or parts)


def _parts(line: Line) -> list[Line]:
    """The parts of a line between its separators, which may be within a piece of text."""
    parts: list[list[Inline]] = [[]]
    for piece in line:
        if isinstance(piece, str):
            end_of_part, *new_parts = piece.split(SEPARATOR)
            parts[-1].append(end_of_part)
            parts += ([text] for text in new_parts)
        else:
            parts[-1].append(piece)
    without_empty_texts = (tuple(piece for piece in part if piece != "") for part in parts)
    return [part for part in without_empty_texts if part]


def _joined(parts: Iterable[Line]) -> Line:
    """A line of parts with separators between them."""
    pieces: list[Inline] = []
    for part in parts:
        if pieces:
            pieces.append(SEPARATOR)
        pieces += part
    return tuple(pieces)


def _is_wide_shape(part: Line, width: float) -> bool:
    """True for a formula that is wider than a line."""
    return _is_formula(part) and line_width(runs(part)) > width


def _is_formula(part: Line) -> bool:
    """True for a part with symbols."""
    return any(isinstance(piece, Variable) for piece in part)
