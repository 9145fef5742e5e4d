"""Where a pipeline may be cut: where nothing is but lines along it, into pieces alike in length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from sphinx_llmsize.drawing.boxes import ARROW, INSIDE, MARGIN
from sphinx_llmsize.drawing.orientation import Orientation
from sphinx_llmsize.drawing.picture import LINE_HEIGHT, Point
from sphinx_llmsize.drawing.pipeline_picture import JOINT, DrawnCluster, Sketch

CLEAR = 1
"""From a cut to what it must not touch."""
TAIL = 2 * JOINT + 4
"""What a line that was cut takes for its circle."""
ROUNDS = 12
"""In which pieces are made alike; each halves what is left to be gained."""


@dataclass(frozen=True)
class Cuts:
    """A pipeline to be cut.

    Attributes:
        sketch: its picture.
        orientation: the direction that it runs in.
    """

    sketch: Sketch
    orientation: Orientation

    @property
    def length(self) -> float:
        """Of all of it."""
        return self.orientation.along((self.sketch.width, self.sketch.height))

    def pieces(self, most: float) -> tuple[tuple[float, float], ...]:
        """Where each piece begins and ends: as few as can be, then as short as can be.

        Args:
            most: how long a piece may be, unless there is no place to cut it.
        """
        found = self._split(most)
        low, high = 0.0, most
        for _ in range(ROUNDS):
            middle = (low + high) / 2
            shorter = self._split(middle)
            if len(shorter) > len(found):
                low = middle
            else:
                high, found = middle, shorter
        return tuple(pairwise((0, *found, self.length)))

    def head(self, begin: float) -> float:
        """What a piece that begins there takes before: for titles and circles."""
        if not begin:
            return 0
        return TAIL + sum(map(self.title, self.cut_by(begin)))

    def title(self, cluster: DrawnCluster) -> float:
        """What the title of a cluster takes along the pipeline, where it is said again."""
        return (len(cluster.texts) + 0.5) * LINE_HEIGHT if self.orientation.is_down else 0

    def cut_by(self, place: float) -> tuple[DrawnCluster, ...]:
        """The clusters that a cut goes through."""
        windows = ((each, self._span(each.frame.corners)) for each in self.sketch.clusters)
        return tuple(each for each, (begin, end) in windows if begin < place < end)

    def lines(self, place: float) -> tuple[float, ...]:
        """Where, across, the lines run that are cut there."""
        along, across = self.orientation.along, self.orientation.across
        steps = chain.from_iterable(pairwise(arrow.points) for arrow in self.sketch.arrows)
        cut = (one for one, other in steps if (along(one) < place) != (along(other) < place))
        return tuple(sorted(set(map(across, cut))))

    def _split(self, most: float) -> tuple[float, ...]:
        """The cuts after which no piece is longer, as far as there are places for them."""
        cuts, begin = [], 0.0
        while (taken := self.head(begin)) + self.length - begin > most:
            first = bisect_right(self._places, begin)
            fits = bisect_right(self._places, begin + most - taken - TAIL) - 1
            if first == len(self._places):
                break
            begin = self._places[max(first, fits)]
            cuts.append(begin)
        return tuple(cuts)

    @cached_property
    def _places(self) -> tuple[float, ...]:
        """Where it may be cut, ascending."""
        taken = tuple(self._taken())
        wanted = sorted(set(self._wanted()))
        return tuple(
            place
            for place in wanted
            if not any(begin - CLEAR < place < end + CLEAR for begin, end in taken)
        )

    def _wanted(self) -> Iterator[float]:
        """Before arrows to boxes, and around clusters."""
        along = self.orientation.along
        for arrow in self.sketch.arrows:
            tip, last = along(arrow.points[-1]), along(arrow.points[-2])
            if last < tip:
                yield tip - ARROW
        for cluster in self.sketch.clusters:
            begin, end = self._span(cluster.frame.corners)
            yield begin - MARGIN / 2
            yield end + MARGIN / 2

    def _taken(self) -> Iterator[tuple[float, float]]:
        """What no cut may go through."""
        sketch = self.sketch
        titles = chain.from_iterable(cluster.texts for cluster in sketch.clusters)
        for text in (*sketch.outputs, *titles):
            yield self._span(text.room.corners)
        for drawn in sketch.boxes:
            yield self._span(drawn.frame.corners)
        for head in sketch.heads:
            yield self._span(head)
        for cluster in sketch.clusters:
            yield from self._taken_by(cluster)
        for one, other in chain.from_iterable(pairwise(each.points) for each in sketch.arrows):
            if self.orientation.along(one) == self.orientation.along(other):
                yield self._span((one, other))

    def _taken_by(self, cluster: DrawnCluster) -> Iterator[tuple[float, float]]:
        begin, end = self._span(cluster.frame.corners)
        # its title does not stand alone, and has room in what is left of it
        yield begin, max(self._span(text.room.corners)[1] for text in cluster.texts) + ARROW
        needed = max(text.room.width for text in cluster.texts) + 2 * INSIDE - TAIL
        yield (end if self.orientation.is_down else end - needed), end

    def _span(self, points: Iterable[Point]) -> tuple[float, float]:
        places = [self.orientation.along(at) for at in points]
        return min(places), max(places)
