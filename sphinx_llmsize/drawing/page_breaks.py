"""Positions at which a pipeline is cut into pieces of similar length, outside boxes and texts."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from sphinx_llmsize.drawing.orientation import Orientation
from sphinx_llmsize.drawing.picture import LINE_HEIGHT, Point
from sphinx_llmsize.drawing.pipeline_picture import CUT_MARK_RADIUS, DrawnCluster, PipelinePicture
from sphinx_llmsize.drawing.spacing import ARROW, CLUSTER_MARGIN, CLUSTER_PADDING

CLEARANCE = 1
"""Minimum distance of a cut from boxes and texts."""
CUT_MARK_SPACE = 2 * CUT_MARK_RADIUS + 4
"""Length of the space for a numbered circle, where a line ends or continues at a cut."""
BISECTION_STEPS = 12
"""Steps of the bisection that minimises the length of the longest piece."""


@dataclass(frozen=True)
class PageBreaks:
    """Cuts of a pipeline, at positions along it in units of its picture.

    Attributes:
        whole: picture of the whole pipeline.
        orientation: orientation of the pipeline.
    """

    whole: PipelinePicture
    orientation: Orientation

    @property
    def length(self) -> float:
        """Extent of the whole picture along the pipeline."""
        return self.orientation.along((self.whole.width, self.whole.height))

    def pieces(self, most: float) -> tuple[tuple[float, float], ...]:
        """Start and end of each piece: the fewest pieces, with the longest as short as possible.

        Args:
            most: maximum length; longer pieces occur only where no cut is allowed.
        """
        cuts = self._split(most)
        # the smallest maximum that needs no further cut
        low, high = 0.0, most
        for _ in range(BISECTION_STEPS):
            middle = (low + high) / 2
            shorter = self._split(middle)
            if len(shorter) > len(cuts):
                low = middle
            else:
                high, cuts = middle, shorter
        return tuple(pairwise((0, *cuts, self.length)))

    def space_before(self, begin: float) -> float:
        """Space before a piece for numbered circles and repeated cluster titles."""
        if begin == 0:
            return 0
        return CUT_MARK_SPACE + sum(map(self.title_space, self.clusters_at(begin)))

    def title_space(self, cluster: DrawnCluster) -> float:
        """Space for a cluster's repeated title, which is above the pipeline if that runs right."""
        return (len(cluster.texts) + 0.5) * LINE_HEIGHT if self.orientation.is_down else 0

    def clusters_at(self, position: float) -> tuple[DrawnCluster, ...]:
        """The clusters that a cut divides."""
        spans = ((each, self._span(each.frame.corners)) for each in self.whole.clusters)
        return tuple(each for each, (begin, end) in spans if begin < position < end)

    def lines_at(self, position: float) -> tuple[float, ...]:
        """Positions, across the pipeline, of the arrows that a cut divides."""
        along = self.orientation.along
        found: set[float] = set()
        for one, other in self._lines():
            if (along(one) < position) != (along(other) < position):
                found.add(self.orientation.across(one))
        return tuple(sorted(found))

    def _split(self, most: float) -> tuple[float, ...]:
        """Positions of the fewest cuts into pieces of at most this length, as far as allowed."""
        cuts: list[float] = []
        begin = space_before = 0.0
        while space_before + self.length - begin > most:
            following = bisect_right(self._allowed, begin)
            if following == len(self._allowed):
                break
            last_fitting = (
                bisect_right(self._allowed, begin + most - space_before - CUT_MARK_SPACE) - 1
            )
            begin = self._allowed[max(following, last_fitting)]
            space_before = self.space_before(begin)
            cuts.append(begin)
        return tuple(cuts)

    @cached_property
    def _allowed(self) -> tuple[float, ...]:
        """Allowed positions of cuts, ascending."""
        occupied = tuple(self._occupied())
        return tuple(
            position
            for position in sorted(set(self._candidates()))
            if not any(begin - CLEARANCE < position < end + CLEARANCE for begin, end in occupied)
        )

    def _candidates(self) -> Iterator[float]:
        """Candidate positions: at the arrow before each box, and before and after each cluster."""
        along = self.orientation.along
        for arrow in self.whole.arrows:
            tip, last = along(arrow.points[-1]), along(arrow.points[-2])
            if last < tip:
                yield tip - ARROW
        for cluster in self.whole.clusters:
            begin, end = self._span(cluster.frame.corners)
            yield begin - CLUSTER_MARGIN / 2
            yield end + CLUSTER_MARGIN / 2

    def _occupied(self) -> Iterator[tuple[float, float]]:
        """Start and end of everything that must not be cut, along the pipeline."""
        titles = chain.from_iterable(cluster.texts for cluster in self.whole.clusters)
        for text in (*self.whole.labels, *titles):
            yield self._span(text.bounds.corners)
        for drawn in self.whole.boxes:
            yield self._span(drawn.frame.corners)
        for badge in self.whole.badges:
            yield self._span(badge.frame.corners)
        for head in self.whole.heads:
            yield self._span(head)
        for cluster in self.whole.clusters:
            yield from self._occupied_by(cluster)
        if not self.orientation.is_down:
            yield from self._below_titles()
        for one, other in self._lines():
            is_across = self.orientation.along(one) == self.orientation.along(other)
            if is_across:
                yield self._span((one, other))

    def _below_titles(self) -> Iterator[tuple[float, float]]:
        """Start and end of stretches where a repeated title would cover an arrow from above."""
        texts = chain.from_iterable(cluster.texts for cluster in self.whole.clusters)
        title = max((text.bounds.width for text in texts), default=0)
        for drawn in self.whole.boxes:
            if drawn.box.also_reads:
                begin, end = self._span(drawn.frame.corners)
                middle = (begin + end) / 2
                yield middle - title - 2 * CLUSTER_PADDING, middle

    def _occupied_by(self, cluster: DrawnCluster) -> Iterator[tuple[float, float]]:
        """Start and end of the parts of a cluster that must not be cut."""
        begin, end = self._span(cluster.frame.corners)
        # no cut between the title and the first box
        title_end = max(self._span(text.bounds.corners)[1] for text in cluster.texts)
        yield begin, title_end + ARROW
        if self.orientation.is_down:
            # no cut at the lower side of the frame
            yield end, end
        else:
            # no cut where the rest of the frame would be too short for the repeated title
            title_width = max(text.bounds.width for text in cluster.texts)
            yield end - (title_width + 2 * CLUSTER_PADDING - CUT_MARK_SPACE), end

    def _lines(self) -> Iterator[tuple[Point, Point]]:
        """The straight lines of all arrows, from one bend to the next."""
        for arrow in self.whole.arrows:
            yield from pairwise(arrow.points)

    def _span(self, points: Iterable[Point]) -> tuple[float, float]:
        """Smallest and largest position of the points along the pipeline."""
        positions = [self.orientation.along(point) for point in points]
        return min(positions), max(positions)
