"""Texts in the boxes of a drawn pipeline, wrapped to the width of their column."""

from __future__ import annotations

from functools import lru_cache

from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.drawing.text_runs import Run, Runs, line_width, runs, wrapped_runs


@lru_cache(maxsize=1024)
def box_texts(box: Box, width: float, *, is_down: bool, is_short: bool) -> tuple[Runs, ...]:
    """Lines of text in a box; an addition has none, since its plus sign is drawn.

    They are cached, as a narrow drawing is laid out several times with the same widths.

    Args:
        box: the box.
        width: maximum width of a line; infinite if texts don't wrap.
        is_down: the diagram runs down. In one that runs to the right, long titles take two lines.
        is_short: the box has its short lines.
    """
    if box.kind is BoxKind.ADDITION:
        return ()
    if is_down and box.is_one_line:
        return ((Run(box.title), *runs((" ", *box.lines[0]))),)
    is_bold = box.kind in {BoxKind.STEP, BoxKind.HEADING}
    texts: list[Runs] = []
    for title in (box.title,) if is_down else box.title_lines:
        texts += wrapped_runs((title,), width, is_bold=is_bold)
    for line in box.short_lines if is_short and box.short_lines else box.lines:
        texts += wrapped_runs(line, width)
    return tuple(texts)


def needs_short_lines(box: Box, width: float) -> bool:
    """True if the box has short lines because one of its lines is wider than ``width``."""
    if not box.short_lines or box.short_lines == box.lines:
        return False
    return any(line_width(runs(line)) > width for line in box.lines)
