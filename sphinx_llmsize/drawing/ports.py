"""Positions where the arrows of a drawn pipeline bend, enter boxes and leave them."""

from __future__ import annotations

from dataclasses import dataclass

Position = tuple[float, float]
"""Distances along and across the pipeline."""


@dataclass(frozen=True)
class Bends:
    """Bends of the arrows to and from a part.

    Attributes:
        channel: position, across the pipeline, at which arrows from other columns run.
        before: bends of the arrow to the part.
        after: bends of the arrow from the part.
        side: last bends and end of the arrow from the part, if it ends at the side of a sum.
    """

    channel: float
    before: tuple[Position, ...] = ()
    after: tuple[Position, ...] = ()
    side: tuple[Position, ...] = ()


@dataclass(frozen=True)
class Port:
    """Positions where arrows enter and leave a box.

    Attributes:
        entry: end of the arrow from the preceding box.
        exit: start of the arrow to the next box.
        label_end: end of the label of the arrow to the next box.
        side: end of an arrow from another column.
        bends: bends of the arrows to and from the box.
    """

    entry: Position
    exit: Position
    label_end: Position
    side: Position
    bends: Bends
