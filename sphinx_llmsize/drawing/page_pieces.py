"""Pieces of a pipeline between two cuts, for paper.

A cut arrow ends at a numbered circle and continues at the circle with the same number. The frame of
a cut cluster is open at the cut, and its title is repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from sphinx_llmsize.drawing.page_breaks import CUT_MARK_SPACE, PageBreaks
from sphinx_llmsize.drawing.picture import BASELINE, Anchor, Point, point
from sphinx_llmsize.drawing.pipeline_picture import (
    CUT_MARK_RADIUS,
    CutMark,
    DrawnArrow,
    DrawnCluster,
    Frame,
    Lettering,
    PipelinePicture,
    sides,
)
from sphinx_llmsize.drawing.spacing import EDGE
from sphinx_llmsize.drawing.text_runs import Run


@dataclass(frozen=True)
class Piece:
    """A pipeline between two cuts.

    Attributes:
        breaks: cuts of the whole pipeline.
        begin: position of the first cut.
        end: position of the second cut.
        numbers_before: numbers of the circles at the first cut, by position across the pipeline.
        numbers_after: the same for the second cut.
    """

    breaks: PageBreaks
    begin: float
    end: float
    numbers_before: dict[float, int]
    numbers_after: dict[float, int]

    @property
    def picture(self) -> PipelinePicture:
        """The picture of the piece, with numbered circles and repeated titles at its cuts."""
        whole, orientation = self.breaks.whole, self.breaks.orientation
        cut_marks = (
            *self._cut_marks(self.numbers_before, self.begin - CUT_MARK_SPACE + CUT_MARK_RADIUS),
            *self._cut_marks(self.numbers_after, self._picture_end - CUT_MARK_RADIUS),
        )
        drawn = replace(
            whole,
            clusters=tuple(self._clusters()),
            boxes=tuple(box for box in whole.boxes if self._contains(box.frame.corners[0])),
            arrows=tuple(chain.from_iterable(map(self._clipped, whole.arrows))),
            labels=tuple(text for text in whole.labels if self._contains(text.at)),
            dots=tuple(filter(self._contains, whole.dots)),
            badges=tuple(each for each in whole.badges if self._contains(each.text.at)),
            cut_marks=cut_marks,
        )
        positions = [orientation.across(at) for at in _covered(drawn)]
        low, high = min(positions) - EDGE, max(positions) + EDGE
        width, height = orientation.at(self._picture_end - self._picture_begin, high - low)
        left, top = orientation.at(self._picture_begin, low)
        return replace(drawn.moved(-left, -top), width=width, height=height)

    @property
    def _picture_begin(self) -> float:
        """Start of the picture, which includes circles and repeated titles before the cut."""
        return self.begin - self.breaks.space_before(self.begin)

    @property
    def _picture_end(self) -> float:
        """End of the picture, which includes circles after the cut."""
        return self.end + (CUT_MARK_SPACE if self.numbers_after else 0)

    def _contains(self, at: Point) -> bool:
        """True for a point between the two cuts."""
        return self.begin < self.breaks.orientation.along(at) < self.end

    def _clusters(self) -> Iterator[DrawnCluster]:
        """The clusters in the piece; those that a cut divides are open there."""
        along = self.breaks.orientation.along
        cut_before = self.breaks.clusters_at(self.begin)
        cut_after = self.breaks.clusters_at(self.end)
        continued_begin = self._picture_begin
        for each in self.breaks.whole.clusters:
            if each in cut_before:
                new_end = self._picture_end if each in cut_after else None
                yield self._open(each, continued_begin, new_end)
                continued_begin += self.breaks.title_space(each)
            elif each in cut_after:
                yield self._open(each, None, self._picture_end)
            elif self.begin <= along(each.frame.corners[0]) < self.end:
                yield each

    def _open(
        self, cluster: DrawnCluster, new_begin: float | None, new_end: float | None
    ) -> DrawnCluster:
        """A cut cluster, with its title; the frame has no side at a cut.

        Args:
            cluster: the whole cluster.
            new_begin: start of the frame after a cut; None if the cluster begins in this piece.
            new_end: end of the frame before a cut; None if the cluster ends in this piece.
        """
        orientation = self.breaks.orientation
        upper_left, _, lower_right, _ = cluster.frame.corners
        old_begin, old_end = orientation.along(upper_left), orientation.along(lower_right)
        begin = old_begin if new_begin is None else new_begin
        end = old_end if new_end is None else new_end
        left, top = orientation.at(begin, orientation.across(upper_left))
        right, bottom = orientation.at(end, orientation.across(lower_right))
        frame = Frame(left, top, right - left, bottom - top)
        shown = list(sides(frame))
        above, right_side, below, left_side = shown
        if new_begin is not None:
            shown.remove(above if orientation.is_down else left_side)
        if new_end is not None:
            shown.remove(below if orientation.is_down else right_side)
        shift = orientation.at(begin - old_begin, 0)
        texts = tuple(text.moved(*shift) for text in cluster.texts)
        return DrawnCluster(cluster.cluster, frame, texts, tuple(shown))

    def _clipped(self, arrow: DrawnArrow) -> Iterator[DrawnArrow]:
        """The parts of an arrow in the piece."""
        along = self.breaks.orientation.along
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
        """The point, moved to the edge of the circle if it is outside the piece."""
        orientation = self.breaks.orientation
        along = orientation.along(at)
        if along <= self.begin:
            along = self.begin - CUT_MARK_SPACE + 2 * CUT_MARK_RADIUS
        elif along >= self.end:
            along = self._picture_end - 2 * CUT_MARK_RADIUS
        return orientation.at(along, orientation.across(at))

    def _cut_marks(self, lines: dict[float, int], along: float) -> Iterator[CutMark]:
        """The numbered circles of a cut; ``lines`` are their numbers by position across."""
        for line, number in lines.items():
            x, y = self.breaks.orientation.at(along, line)
            text = Lettering(point(x, y + BASELINE), (Run(str(number)),), Anchor.MIDDLE)
            yield CutMark((x, y), text)


def _covered(drawn: PipelinePicture) -> Iterator[Point]:
    """Corners of the bounding boxes of everything in a picture."""
    clusters = (cluster.frame for cluster in drawn.clusters)
    boxes = (box.frame for box in drawn.boxes)
    written = (text.bounds for text in drawn.texts)
    yield from chain.from_iterable(frame.corners for frame in chain(clusters, boxes, written))
    yield from chain.from_iterable(arrow.points for arrow in drawn.arrows)
    for mark in drawn.cut_marks:
        x, y = mark.at
        yield from (
            (x - CUT_MARK_RADIUS, y - CUT_MARK_RADIUS),
            (x + CUT_MARK_RADIUS, y + CUT_MARK_RADIUS),
        )
