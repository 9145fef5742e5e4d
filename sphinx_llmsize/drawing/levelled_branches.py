"""Branches beside a router, with their boxes level with the router and with the experts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sphinx_llmsize.drawing.sized_parts import (
    Chain,
    SizedBox,
    SizedBranch,
    SizedFork,
    SizedPart,
)


class Rows(NamedTuple):
    """Distances along the pipeline, from the start of a branch to a router and to its experts.

    Attributes:
        router: distance to the router.
        experts: distance to the box after the router.
    """

    router: float
    experts: float


def levelled(branches: Sequence[SizedBranch]) -> list[SizedBranch]:
    """The branches, with longer arrows in those beside a branch that begins with a router.

    The arrows are so long that a single box stands level with the experts. Of several boxes, the
    first stands level with the router and the second with the experts.
    """
    rows = _rows_of_router(branches)
    if not rows:
        return list(branches)
    result: list[SizedBranch] = []
    for branch in branches:
        if _begins_with_router(branch):
            result.append(branch)
        else:
            result.append(replace(branch, chain=_lowered(branch.chain, rows)))
    return result


def pitch_beside_router(branches: Sequence[SizedBranch]) -> float:
    """Least distance from a router to its experts that leaves room for the boxes beside them.

    It is measured from the edge of one box to the same edge of the next. It is 0 if there is no
    router, or no branch beside it with two boxes.
    """
    if not _rows_of_router(branches):
        return 0
    pitches = [0.0]
    for branch in branches:
        boxes = _leading_boxes(branch.chain)
        if len(boxes) > 1 and not _begins_with_router(branch):
            pitches.append(_pitch(boxes[0], boxes[1]))
    return max(pitches)


def after_router(previous: SizedPart | None, part: SizedPart, pitch: float) -> SizedPart:
    """The part; the experts after a router have a longer arrow if they are nearer than ``pitch``.

    The distance is measured as in :func:`pitch_beside_router`.
    """
    if not (isinstance(previous, SizedBox) and previous.box.is_router):
        return part
    if not isinstance(part, SizedBox):
        return part
    longer = max(pitch - _pitch(previous, part), 0)
    return replace(part, arrow=part.arrow + longer, room=part.room.longer(longer))


def _begins_with_router(branch: SizedBranch) -> bool:
    """True if the first part of a branch is a router, also within a fork."""
    return _rows(branch.chain.parts) is not None


def _rows_of_router(branches: Iterable[SizedBranch]) -> Rows | None:
    """Rows of the first branch that begins with a router; None if there is none."""
    for branch in branches:
        rows = _rows(branch.chain.parts)
        if rows:
            return rows
    return None


def _rows(parts: tuple[SizedPart, ...]) -> Rows | None:
    """Rows of the router with which the parts begin, also within a fork; None without one."""
    first, *others = parts
    if isinstance(first, SizedBox) and first.box.is_router:
        if others and isinstance(others[0], SizedBox):
            return Rows(first.arrow, first.arrow + _pitch(first, others[0]))
        return None
    if isinstance(first, SizedFork):
        rows = _rows_of_router(first.branches)
        if rows:
            begin = first.spread + first.branches[0].label_room.along
            return Rows(begin + rows.router, begin + rows.experts)
    return None


def _lowered(chain: Chain, rows: Rows) -> Chain:
    """The chain with longer arrows to its first boxes, so that these stand in the rows."""
    boxes = _leading_boxes(chain)
    if not boxes:
        return chain
    first = boxes[0]
    if len(boxes) == 1:
        return chain.with_longer_arrow(0, rows.experts - first.arrow)
    lowered = chain.with_longer_arrow(0, rows.router - first.arrow)
    return lowered.with_longer_arrow(1, rows.experts - rows.router - _pitch(first, boxes[1]))


def _leading_boxes(chain: Chain) -> list[SizedBox]:
    """The boxes before any other part."""
    boxes: list[SizedBox] = []
    for part in chain.parts:
        if not isinstance(part, SizedBox):
            break
        boxes.append(part)
    return boxes


def _pitch(box: SizedBox, following: SizedBox) -> float:
    """Distance along the pipeline from the edge of a box to the same edge of the following box."""
    return box.room.along + following.arrow - box.arrow
