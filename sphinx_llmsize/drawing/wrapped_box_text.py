"""Texts in the boxes of a drawn pipeline, wrapped to the width of their column."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby

from sphinx_llmsize.diagram_boxes import SEPARATOR, Box, BoxKind
from sphinx_llmsize.drawing.text_runs import Run, Runs, line_width, runs, wrapped_runs
from sphinx_llmsize.inline import Inline, Line, Variable

LEAST_COLUMN = 72
"""Least width of a column in which texts have two lines; narrower ones break wherever they can."""


@lru_cache(maxsize=1024)
def box_texts(box: Box, width: float, *, is_down: bool) -> tuple[Runs, ...]:
    """Lines of text in a box; an addition has none, since its plus sign is drawn.

    They are cached, as a narrow drawing is laid out several times with the same widths.

    Args:
        box: the box.
        width: maximum width of a line; infinite if texts don't wrap.
        is_down: the diagram runs down, not to the right, where long titles take two lines.
    """
    if box.kind is BoxKind.ADDITION:
        return ()
    if is_down and box.is_one_line:
        return ((Run(box.title), *runs((" ", *box.lines[0]))),)
    is_bold = box.kind is BoxKind.STEP
    if _is_shortened(box, width):
        return tuple(_short_texts(box, width))
    title = (box.title,) if is_down else box.title_lines
    titles = (wrapped_runs((line,), width, is_bold=is_bold) for line in title)
    lines = (wrapped_runs(_without_wide_shapes(line, width), width) for line in box.lines)
    return tuple(text for texts in (*titles, *lines) for text in texts)


def _is_shortened(box: Box, width: float) -> bool:
    """True for a step with a title and one line, in a column of some width."""
    return LEAST_COLUMN <= width < math.inf and box.kind is BoxKind.STEP and len(box.lines) == 1


def _short_texts(box: Box, width: float) -> Iterator[Runs]:
    """The title, and a line that doesn't wrap unless a box without weights has a wrapped title.

    A title with a comma ends there, and the rest begins the line. A line that is too long keeps its
    formula, or else its last part. The wider picture of the same diagram has the whole texts.
    """
    parts = _parts(box.lines[0])
    titles = wrapped_runs((box.title,), width, is_bold=True)
    if len(titles) > 1 and ", " in box.title:
        title, rest = box.title.split(", ", maxsplit=1)
        titles, parts = wrapped_runs((title,), width, is_bold=True), [(rest,), parts[-1]]
    yield from titles
    if len(titles) == 1 or not box.is_weightless:
        yield _fitting(parts, width)


def _fitting(parts: list[Line], width: float) -> Runs:
    """The parts in a line, or a part of them that fits its width."""
    last = parts[-1]
    first_words = tuple(str(piece).split(", ")[0] for piece in last[:1])
    formulas = [part for part in parts if _is_formula(part)]
    fitting = (
        line for line in (_joined(parts), *formulas, last) if line_width(runs(line)) <= width
    )
    return runs(next(fitting, first_words))


def _without_wide_shapes(line: Line, width: float) -> Line:
    """The line without shapes that need several lines, unless nothing else is in it.

    A broken formula is hard to read, and the wider picture of the same diagram has it.
    """
    parts = _parts(line)
    return _joined([part for part in parts if not _is_wide_shape(part, width)] or parts)


def _parts(line: Line) -> list[Line]:
    """The parts of a line between its separators."""
    groups = groupby(_pieces(line), _is_separator)
    return [tuple(part) for is_separator, part in groups if not is_separator]


def _joined(parts: Iterable[Line]) -> Line:
    """A line of parts with separators between them."""
    return tuple(piece for part in parts for piece in (SEPARATOR, *part))[1:]


def _is_separator(piece: Inline) -> bool:
    return piece == SEPARATOR


def _pieces(line: Line) -> Iterator[Inline]:
    """The pieces of a line; texts are split so that each separator is a piece of its own."""
    for piece in line:
        if not isinstance(piece, str):
            yield piece
            continue
        first, *others = piece.split(SEPARATOR)
        yield from filter(None, (first,))
        for other in others:
            yield SEPARATOR
            yield from filter(None, (other,))


def _is_wide_shape(part: Line, width: float) -> bool:
    """True for a formula that is wider than a line."""
    return _is_formula(part) and line_width(runs(part)) > width


def _is_formula(part: Line) -> bool:
    """True for a part with symbols."""
    return any(isinstance(piece, Variable) for piece in part)
