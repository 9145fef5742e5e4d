"""Positions to cut a pipeline: never through boxes or texts, and into pieces of similar length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from sphinx_llmsize.drawing.boxes import ARROW, INSIDE, MARGIN
from sphinx_llmsize.drawing.orientation import Orientation
from sphinx_llmsize.drawing.picture import LINE_HEIGHT, Point
from sphinx_llmsize.drawing.pipeline_picture import JOINT, DrawnCluster, PipelinePicture

CLEAR = 1
"""Least distance of a cut from boxes and texts."""
TAIL = 2 * JOINT + 4
"""Length added to a cut line for its numbered circle."""
ROUNDS = 12
"""Steps of the bisection for the least length of pieces."""


@dataclass(frozen=True)
class PageBreaks:
    """Possible cuts of a pipeline.

    Attributes:
        sketch: picture of the whole pipeline.
        orientation: its direction.
    """

    sketch: PipelinePicture
    orientation: Orientation

    @property
    def length(self) -> float:
        """Length of the pipeline."""
        return self.orientation.along((self.sketch.width, self.sketch.height))

    def pieces(self, most: float) -> tuple[tuple[float, float], ...]:
        """Begin and end of each piece: as few as possible, then as short as possible.

        Args:
            most: greatest length of a piece that can be cut.
        """
        cuts = self._split(most)
        low, high = 0.0, most
        for _ in range(ROUNDS):
            middle = (low + high) / 2
            shorter = self._split(middle)
            if len(shorter) > len(cuts):
                low = middle
            else:
                high, cuts = middle, shorter
        return tuple(pairwise((0, *cuts, self.length)))

    def space_before(self, begin: float) -> float:
        """Space before a piece for circles and repeated titles."""
        if not begin:
            return 0
        return TAIL + sum(map(self.title_space, self.clusters_at(begin)))

    def title_space(self, cluster: DrawnCluster) -> float:
        """Space for the repeated title of a cluster."""
        return (len(cluster.texts) + 0.5) * LINE_HEIGHT if self.orientation.is_down else 0

    def clusters_at(self, place: float) -> tuple[DrawnCluster, ...]:
        """The clusters that a cut divides."""
        windows = ((each, self._span(each.frame.corners)) for each in self.sketch.clusters)
        return tuple(each for each, (begin, end) in windows if begin < place < end)

    def lines_at(self, place: float) -> tuple[float, ...]:
        """Positions across the pipeline of the lines that a cut divides."""
        along, across = self.orientation.along, self.orientation.across
        steps = chain.from_iterable(pairwise(arrow.points) for arrow in self.sketch.arrows)
        cut = (one for one, other in steps if (along(one) < place) != (along(other) < place))
        return tuple(sorted(set(map(across, cut))))

    def _split(self, most: float) -> tuple[float, ...]:
        """The fewest cuts for pieces of this length, as far as possible."""
        cuts, begin = [], 0.0
        while (taken := self.space_before(begin)) + self.length - begin > most:
            first = bisect_right(self._places, begin)
            fits = bisect_right(self._places, begin + most - taken - TAIL) - 1
            if first == len(self._places):
                break
            begin = self._places[max(first, fits)]
            cuts.append(begin)
        return tuple(cuts)

    @cached_property
    def _places(self) -> tuple[float, ...]:
        """Allowed positions, ascending."""
        occupied = tuple(self._occupied())
        return tuple(
            place
            for place in sorted(set(self._suitable()))
            if not any(begin - CLEAR < place < end + CLEAR for begin, end in occupied)
        )

    def _suitable(self) -> Iterator[float]:
        """Positions before arrow heads, and before and after clusters."""
        along = self.orientation.along
        for arrow in self.sketch.arrows:
            tip, last = along(arrow.points[-1]), along(arrow.points[-2])
            if last < tip:
                yield tip - ARROW
        for cluster in self.sketch.clusters:
            begin, end = self._span(cluster.frame.corners)
            yield begin - MARGIN / 2
            yield end + MARGIN / 2

    def _occupied(self) -> Iterator[tuple[float, float]]:
        """Spans of everything that must not be cut."""
        sketch = self.sketch
        titles = chain.from_iterable(cluster.texts for cluster in sketch.clusters)
        for text in (*sketch.outputs, *titles):
            yield self._span(text.room.corners)
        for drawn in sketch.boxes:
            yield self._span(drawn.frame.corners)
        for head in sketch.heads:
            yield self._span(head)
        for cluster in sketch.clusters:
            yield from self._occupied_by(cluster)
        for one, other in chain.from_iterable(pairwise(each.points) for each in sketch.arrows):
            if self.orientation.along(one) == self.orientation.along(other):
                yield self._span((one, other))

    def _occupied_by(self, cluster: DrawnCluster) -> Iterator[tuple[float, float]]:
        begin, end = self._span(cluster.frame.corners)
        # no cut between the title and the first box, or where the rest of the frame is too short
        yield begin, max(self._span(text.room.corners)[1] for text in cluster.texts) + ARROW
        needed = max(text.room.width for text in cluster.texts) + 2 * INSIDE - TAIL
        yield (end if self.orientation.is_down else end - needed), end

    def _span(self, points: Iterable[Point]) -> tuple[float, float]:
        places = [self.orientation.along(at) for at in points]
        return min(places), max(places)
