"""A pipeline folded for paper: its pieces side by side, and on as many sheets as they need.

Where an arrow is cut it ends at a circle, and goes on at the circle of the same number. A
cluster that is cut is open there, and the title is said again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, count, pairwise

from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.drawing.orientation import Orientation
from sphinx_llmsize.drawing.page_breaks import TAIL, Cuts
from sphinx_llmsize.drawing.picture import BASELINE, Anchor, Point, point
from sphinx_llmsize.drawing.pipeline_layout import CHANNEL, EDGE, draw_pipeline
from sphinx_llmsize.drawing.pipeline_picture import (
    JOINT,
    DrawnArrow,
    DrawnCluster,
    Frame,
    Joint,
    Lettering,
    Sketch,
    sides,
)
from sphinx_llmsize.drawing.text_runs import Run

LINE, PAGE = 840, 940
"""How wide and how high a sheet is: on A4 and Letter what is written is then 7 pt high."""


@lru_cache(maxsize=512)
def sheets(diagram: Diagram) -> tuple[Sketch, ...]:
    """The picture of a pipeline, in parts that can be read on paper.

    It runs the other way if only so it has room.
    """
    drawn = _folded(diagram)
    if _scale(drawn) >= 1:
        return drawn
    (other,) = (direction for direction in Direction if direction is not diagram.direction)
    return max(drawn, _folded(replace(diagram, direction=other)), key=_scale)


def _scale(drawn: Iterable[Sketch]) -> float:
    """What a unit may be of one on paper: less than 1 if a sheet is too large."""
    return min(1, *(min(LINE / sheet.width, PAGE / sheet.height) for sheet in drawn))


def _folded(diagram: Diagram) -> tuple[Sketch, ...]:
    whole = draw_pipeline(diagram)
    if whole.width <= LINE and whole.height <= PAGE:
        return (whole,)
    orientation = Orientation(diagram.direction)
    most, beside = (PAGE, LINE) if orientation.is_down else (LINE, PAGE)
    return tuple(
        _side_by_side(pieces, orientation)
        for pieces in _filled(_pieces(whole, orientation, most), beside)
    )


def _pieces(whole: Sketch, orientation: Orientation, most: float) -> Iterator[_Piece]:
    cuts, numbers = Cuts(whole, orientation), count(1)
    before: dict[float, int] = {}
    for begin, end in cuts.pieces(most):
        after = {line: next(numbers) for line in cuts.lines(end)}
        yield _Piece(cuts, begin, end, before, after)
        before = after


def _filled(pieces: Iterable[_Piece], most: float) -> Iterator[list[Sketch]]:
    """The pieces that have room side by side on each sheet."""
    sheet: list[Sketch] = []
    taken = 0.0
    for piece in pieces:
        drawn = piece.sketch
        size = piece.cuts.orientation.across((drawn.width, drawn.height))
        if sheet and taken + CHANNEL + size > most:
            yield sheet
            sheet, taken = [], 0.0
        taken += size + (CHANNEL if sheet else 0)
        sheet.append(drawn)
    yield sheet


def _side_by_side(drawn: list[Sketch], orientation: Orientation) -> Sketch:
    placed, edge, length = [], 0.0, 0.0
    for piece in drawn:
        size = piece.width, piece.height
        placed.append(piece.moved(*orientation.at(0, edge)))
        edge += orientation.across(size) + CHANNEL
        length = max(length, orientation.along(size))
    width, height = orientation.at(length, edge - CHANNEL)
    return replace(
        drawn[0],
        width=width,
        height=height,
        clusters=tuple(chain.from_iterable(piece.clusters for piece in placed)),
        boxes=tuple(chain.from_iterable(piece.boxes for piece in placed)),
        arrows=tuple(chain.from_iterable(piece.arrows for piece in placed)),
        outputs=tuple(chain.from_iterable(piece.outputs for piece in placed)),
        joints=tuple(chain.from_iterable(piece.joints for piece in placed)),
    )


@dataclass(frozen=True)
class _Piece:
    """What is between two cuts.

    Attributes:
        cuts: of the whole.
        begin: where it begins, along the whole.
        end: where it ends.
        before: the numbers of the lines that are cut there, by their places across.
        after: those at its end.
    """

    cuts: Cuts
    begin: float
    end: float
    before: dict[float, int]
    after: dict[float, int]

    @cached_property
    def sketch(self) -> Sketch:
        """It alone, its left upper corner at 0."""
        whole, across = self.cuts.sketch, self.cuts.orientation.across
        drawn = replace(
            whole,
            clusters=tuple(self._clusters()),
            boxes=tuple(box for box in whole.boxes if self._has(box.frame.corners[0])),
            arrows=tuple(chain.from_iterable(map(self._clipped, whole.arrows))),
            outputs=tuple(text for text in whole.outputs if self._has(text.at)),
            joints=(*self._joints(self.before, self.begin - TAIL + JOINT),
                    *self._joints(self.after, self._last - JOINT)),
        )  # fmt: skip
        places = [across(at) for at in _covered(drawn)]
        low, high = min(places) - EDGE, max(places) + EDGE
        width, height = self.cuts.orientation.at(self._last - self._first, high - low)
        left, top = self.cuts.orientation.at(self._first, low)
        return replace(drawn.moved(-left, -top), width=width, height=height)

    @property
    def _first(self) -> float:
        """Where it begins with its circles and titles."""
        return self.begin - self.cuts.head(self.begin)

    @property
    def _last(self) -> float:
        """Where it ends with its circles."""
        return self.end + (TAIL if self.after else 0)

    def _has(self, at: Point) -> bool:
        return self.begin < self.cuts.orientation.along(at) < self.end

    def _clusters(self) -> Iterator[DrawnCluster]:
        """Those in it, as far as they are in it."""
        along, first = self.cuts.orientation.along, self._first
        cut_before, cut_after = self.cuts.cut_by(self.begin), self.cuts.cut_by(self.end)
        for each in self.cuts.sketch.clusters:
            if each in cut_before:
                yield self._open(each, first, is_cut_after=each in cut_after)
                first += self.cuts.title(each)
            elif each in cut_after:
                yield self._open(each, None, is_cut_after=True)
            elif self.begin <= along(each.frame.corners[0]) < self.end:
                yield each

    def _open(
        self, cluster: DrawnCluster, first: float | None, *, is_cut_after: bool
    ) -> DrawnCluster:
        """A cluster that is cut, its title again where it begins."""
        orientation, frame = self.cuts.orientation, cluster.frame
        (left, top), _, (right, bottom), _ = frame.corners
        begin, end = orientation.along((left, top)), orientation.along((right, bottom))
        new_begin = begin if first is None else first
        new_end = self._last if is_cut_after else end
        corner = orientation.at(new_begin, orientation.across((left, top)))
        opposite = orientation.at(new_end, orientation.across((right, bottom)))
        new = Frame(*corner, opposite[0] - corner[0], opposite[1] - corner[1])
        shift = orientation.at(new_begin - begin, 0)
        above, right_side, below, left_side = sides(new)
        ends = (above, below) if orientation.is_down else (left_side, right_side)
        open_at = {
            *((ends[0],) if first is not None else ()),
            *((ends[1],) if is_cut_after else ()),
        }
        texts = tuple(text.moved(*shift) for text in cluster.texts)
        drawn = (above, right_side, below, left_side)
        return DrawnCluster(
            cluster.cluster, new, texts, tuple(side for side in drawn if side not in open_at)
        )

    def _clipped(self, arrow: DrawnArrow) -> Iterator[DrawnArrow]:
        """The pieces of an arrow that are in it."""
        along = self.cuts.orientation.along
        lines: list[list[Point]] = []
        for one, other in pairwise(arrow.points):
            low, high = sorted((along(one), along(other)))
            if high <= self.begin or low >= self.end:
                continue
            start, stop = self._up_to_circle(one), self._up_to_circle(other)
            if lines and lines[-1][-1] == start:
                lines[-1].append(stop)
            else:
                lines.append([start, stop])
        for line in lines:
            head = arrow.head if line[-1] == arrow.points[-1] else ()
            yield DrawnArrow(arrow.start, arrow.end, tuple(line), head)

    def _up_to_circle(self, at: Point) -> Point:
        orientation = self.cuts.orientation
        along = orientation.along(at)
        if along <= self.begin:
            along = self.begin - TAIL + 2 * JOINT
        elif along >= self.end:
            along = self._last - 2 * JOINT
        return orientation.at(along, orientation.across(at))

    def _joints(self, lines: dict[float, int], along: float) -> Iterator[Joint]:
        for line, number in lines.items():
            x, y = self.cuts.orientation.at(along, line)
            text = Lettering(point(x, y + BASELINE), (Run(str(number)),), Anchor.MIDDLE)
            yield Joint((x, y), text)


def _covered(drawn: Sketch) -> Iterator[Point]:
    """The corners of everything in a picture."""
    clusters = (cluster.frame for cluster in drawn.clusters)
    boxes = (box.frame for box in drawn.boxes)
    written = (text.room for text in drawn.texts)
    yield from chain.from_iterable(frame.corners for frame in chain(clusters, boxes, written))
    yield from chain.from_iterable(arrow.points for arrow in drawn.arrows)
    for joint in drawn.joints:
        x, y = joint.at
        yield from ((x - JOINT, y - JOINT), (x + JOINT, y + JOINT))
