"""Pagination of a pipeline for paper: pieces side by side, on one or more sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, count
from typing import Any

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.drawing.orientation import Orientation
from sphinx_llmsize.drawing.page_breaks import PageBreaks
from sphinx_llmsize.drawing.page_pieces import Piece
from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture
from sphinx_llmsize.drawing.spacing import CHANNEL

SHEET_WIDTH, SHEET_HEIGHT = 840, 940
"""Maximum size of a sheet; at this size, text is 7 pt high on A4 and Letter paper."""


@lru_cache(maxsize=512)
def sheets(diagram: Diagram) -> tuple[PipelinePicture, ...]:
    """Split the picture of a pipeline into sheets.

    If a sheet must be scaled down to fit the page, the other direction is also tried, and the one
    with the larger text is used.
    """
    drawn = _paginated(diagram)
    if _scale(drawn) >= 1:
        return drawn
    (other,) = (direction for direction in Direction if direction is not diagram.direction)
    return max(drawn, _paginated(replace(diagram, direction=other)), key=_scale)


def _scale(drawn: Iterable[PipelinePicture]) -> float:
    """Scale at which every sheet fits on paper, at most 1."""
    return min(1, *(min(SHEET_WIDTH / sheet.width, SHEET_HEIGHT / sheet.height) for sheet in drawn))


def _paginated(diagram: Diagram) -> tuple[PipelinePicture, ...]:
    """The sheets of a pipeline in the diagram's direction."""
    whole = draw_pipeline(diagram)
    if whole.width <= SHEET_WIDTH and whole.height <= SHEET_HEIGHT:
        return (whole,)
    orientation = Orientation(diagram.direction)
    length = orientation.along((SHEET_WIDTH, SHEET_HEIGHT))
    breadth = orientation.across((SHEET_WIDTH, SHEET_HEIGHT))
    return tuple(
        _side_by_side(pictures, orientation)
        for pictures in _grouped(_pieces(whole, orientation, length), breadth)
    )


def _pieces(whole: PipelinePicture, orientation: Orientation, length: float) -> Iterator[Piece]:
    """Pieces of at most this length, with consecutive numbers at their cuts."""
    breaks, numbers, before = PageBreaks(whole, orientation), count(1), dict[float, int]()
    for begin, end in breaks.pieces(length):
        after = {line: next(numbers) for line in breaks.lines_at(end)}
        yield Piece(breaks, begin, end, before, after)
        before = after


def _grouped(pieces: Iterable[Piece], breadth: float) -> Iterator[list[PipelinePicture]]:
    """Group the pictures of pieces by sheet, as many as fit side by side in this breadth."""
    sheet: list[PipelinePicture] = []
    taken = 0.0
    for piece in pieces:
        drawn = piece.picture
        size = piece.breaks.orientation.across((drawn.width, drawn.height))
        if sheet and taken + CHANNEL + size > breadth:
            yield sheet
            sheet, taken = [], 0.0
        taken += size + (CHANNEL if sheet else 0)
        sheet.append(drawn)
    yield sheet


def _side_by_side(pictures: list[PipelinePicture], orientation: Orientation) -> PipelinePicture:
    """The pictures as one: beside each other, or below each other if the pipeline is horizontal."""
    placed, edge, length = [], 0.0, 0.0
    for picture in pictures:
        size = (picture.width, picture.height)
        placed.append(picture.moved(*orientation.at(0, edge)))
        edge += orientation.across(size) + CHANNEL
        length = max(length, orientation.along(size))
    width, height = orientation.at(length, edge - CHANNEL)
    names = ("clusters", "boxes", "arrows", "labels", "dots", "badges", "cut_marks")
    parts: dict[str, Any] = {
        name: tuple(chain.from_iterable(getattr(each, name) for each in placed)) for name in names
    }
    return replace(pictures[0], width=width, height=height, **parts)
