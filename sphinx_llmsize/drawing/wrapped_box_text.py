"""Texts in the boxes of a drawn pipeline, wrapped to the width of their column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from sphinx_llmsize.diagram_boxes import SEPARATOR, Box, BoxKind
from sphinx_llmsize.drawing.text_runs import Run, Runs, line_width, runs, wrapped_runs
from sphinx_llmsize.inline import Inline, Line, Variable


def box_texts(box: Box, width: float, *, is_down: bool) -> tuple[Runs, ...]:
    """Lines of text in a box; an addition has none, since its plus sign is drawn.

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
    title = (box.title,) if is_down else box.title_lines
    titles = (wrapped_runs((line,), width, is_bold=is_bold) for line in title)
    lines = (wrapped_runs(_without_wide_shapes(line, width), width) for line in box.lines)
    return tuple(text for texts in (*titles, *lines) for text in texts)


def _without_wide_shapes(line: Line, width: float) -> Line:
    """The line without shapes that need several lines, unless nothing else is in it.

    A broken formula is hard to read, and the wider picture of the same diagram has it.
    """
    groups = groupby(_pieces(line), _is_separator)
    parts = [tuple(part) for is_separator, part in groups if not is_separator]
    kept = [part for part in parts if not _is_wide_shape(part, width)]
    return tuple(piece for part in kept or parts for piece in (SEPARATOR, *part))[1:]


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


def _is_wide_shape(part: Iterable[Inline], width: float) -> bool:
    """True for a formula that is wider than a line."""
    part = tuple(part)
    return any(isinstance(piece, Variable) for piece in part) and line_width(runs(part)) > width
