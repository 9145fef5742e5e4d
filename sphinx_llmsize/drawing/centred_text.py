"""Positions of the lines of a text in the middle of a frame."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.drawing.picture import BASELINE, LINE_HEIGHT, Anchor, point
from sphinx_llmsize.drawing.pipeline_picture import Frame, Lettering
from sphinx_llmsize.drawing.text_runs import Runs


def baseline(top: float, row: int) -> float:
    """Baseline of a line of text: the 0-based ``row`` of a text whose upper edge is ``top``."""
    return top + (row + 0.5) * LINE_HEIGHT + BASELINE


def centred(texts: tuple[Runs, ...], frame: Frame) -> Iterator[Lettering]:
    """Lines of text in the middle of a frame."""
    x, height = frame.left + frame.width / 2, len(texts) * LINE_HEIGHT
    top = frame.top + (frame.height - height) / 2
    for row, line in enumerate(texts):
        yield Lettering(point(x, baseline(top, row)), line, Anchor.MIDDLE)
