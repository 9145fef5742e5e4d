"""Pagination of a pipeline for paper: it is cut into pieces, which stand side by side on sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, count
from typing import TypeVar

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.drawing.drawn_pipeline import draw_pipeline
from sphinx_llmsize.drawing.orientation import Orientation
from sphinx_llmsize.drawing.page_breaks import PageBreaks
from sphinx_llmsize.drawing.page_pieces import Piece
from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture
from sphinx_llmsize.drawing.spacing import CHANNEL

SHEET_WIDTH, SHEET_HEIGHT = 840, 940
"""Maximum size of a sheet; at this size, text is 7 pt high on A4 and Letter paper."""

PartT = TypeVar("PartT")


@lru_cache(maxsize=512)
def sheets(diagram: Diagram) -> tuple[PipelinePicture, ...]:
    """Split the picture of a pipeline into sheets.

    If a sheet must be scaled down to fit the page, the other direction is also tried, and the one
    with the larger text is used.
    """
    paginated = _paginated(diagram)
    if _scale(paginated) >= 1:
        return paginated
    is_down = diagram.direction is Direction.TB
    turned = replace(diagram, direction=Direction.LR if is_down else Direction.TB)
    return max(paginated, _paginated(turned), key=_scale)


def _scale(pictures: Iterable[PipelinePicture]) -> float:
    """Scale at which every sheet fits on paper, at most 1."""
    scale = 1.0
    for sheet in pictures:
        scale = min(scale, SHEET_WIDTH / sheet.width, SHEET_HEIGHT / sheet.height)
    return scale


def _paginated(diagram: Diagram) -> tuple[PipelinePicture, ...]:
    """The sheets of a pipeline in the diagram's direction."""
    whole = draw_pipeline(diagram)
    if whole.width <= SHEET_WIDTH and whole.height <= SHEET_HEIGHT:
        return (whole,)
    orientation = Orientation(diagram.direction)
    length = orientation.along((SHEET_WIDTH, SHEET_HEIGHT))
    breadth = orientation.across((SHEET_WIDTH, SHEET_HEIGHT))
    pieces = [piece.picture for piece in _pieces(whole, orientation, length)]
    by_sheet = _grouped(pieces, orientation, breadth)
    return tuple(_side_by_side(pictures, orientation) for pictures in by_sheet)


def _pieces(whole: PipelinePicture, orientation: Orientation, length: float) -> Iterator[Piece]:
    """Pieces of at most this length, with consecutive numbers at their cuts."""
    breaks = PageBreaks(whole, orientation)
    numbers = count(1)
    numbers_before: dict[float, int] = {}
    for begin, end in breaks.pieces(length):
        numbers_after = {line: next(numbers) for line in breaks.lines_at(end)}
        yield Piece(breaks, begin, end, numbers_before, numbers_after)
        numbers_before = numbers_after


def _grouped(
    pictures: Iterable[PipelinePicture], orientation: Orientation, breadth: float
) -> Iterator[list[PipelinePicture]]:
    """Group the pictures by sheet, as many as fit side by side in this breadth."""
    sheet: list[PipelinePicture] = []
    occupied = 0.0
    for picture in pictures:
        size = orientation.across((picture.width, picture.height))
        if not sheet:
            occupied = size
        elif occupied + CHANNEL + size > breadth:
            yield sheet
            sheet = []
            occupied = size
        else:
            occupied += size + CHANNEL
        sheet.append(picture)
    yield sheet


def _side_by_side(pictures: list[PipelinePicture], orientation: Orientation) -> PipelinePicture:
    """The pictures as one: beside each other, or below each other if the pipeline is horizontal."""
    placed: list[PipelinePicture] = []
    edge, length = 0.0, 0.0
    for picture in pictures:
        size = (picture.width, picture.height)
        placed.append(picture.moved(*orientation.at(0, edge)))
        edge += orientation.across(size) + CHANNEL
        length = max(length, orientation.along(size))
    width, height = orientation.at(length, edge - CHANNEL)
    return replace(
        pictures[0],
        width=width,
        height=height,
        clusters=_joined(each.clusters for each in placed),
        boxes=_joined(each.boxes for each in placed),
        arrows=_joined(each.arrows for each in placed),
        labels=_joined(each.labels for each in placed),
        dots=_joined(each.dots for each in placed),
        badges=_joined(each.badges for each in placed),
        cut_marks=_joined(each.cut_marks for each in placed),
    )


def _joined(tuples: Iterable[tuple[PartT, ...]]) -> tuple[PartT, ...]:
    """The elements of all tuples, in order."""
    return tuple(chain.from_iterable(tuples))
