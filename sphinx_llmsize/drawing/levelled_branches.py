"""Branches beside a router: their boxes stand level with the router and with the experts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from sphinx_llmsize.drawing.sized_parts import (
    Chain,
    SizedBox,
    SizedBranch,
    SizedFork,
    SizedGated,
    SizedPart,
)


class Rows(NamedTuple):
    """Distances along the pipeline, from the start of a branch to the boxes of its gate.

    Attributes:
        gate: distance to the first box of the gate.
        after: distance to the box after the gate.
    """

    gate: float
    after: float


def levelled(branches_for: Callable[[float], list[SizedBranch]]) -> list[SizedBranch]:
    """The branches; next to a router and its experts, the boxes of the others form rows with them.

    A single box stands level with the experts. Of several, the first stands level with the router
    and the second with the experts.

    Args:
        branches_for: returns the branches for a least distance between a router and its experts.
    """
    branches = branches_for(0)
    if pitch := _common_pitch(branches):
        branches = branches_for(pitch)
    rows = _first_rows(branches)
    if not rows:
        return branches
    return [
        branch if _rows(branch.chain.parts) else replace(branch, chain=_lowered(branch.chain, rows))
        for branch in branches
    ]


def _common_pitch(branches: list[SizedBranch]) -> float:
    """Largest distance between the first two boxes of a branch beside a gate; 0 without a gate."""
    if not _first_rows(branches):
        return 0
    leading = (_leading_boxes(b.chain) for b in branches if not _rows(b.chain.parts))
    pairs = (boxes for boxes in leading if len(boxes) > 1)
    return max((_top(second, first) - first.arrow for first, second, *_ in pairs), default=0)


def _first_rows(branches: Iterable[SizedBranch]) -> Rows | None:
    """Rows of the first router with which a branch begins; None without one."""
    return next((rows for branch in branches if (rows := _rows(branch.chain.parts))), None)


def _rows(parts: tuple[SizedPart, ...]) -> Rows | None:
    """Rows of the router with which the parts begin, also within a fork; None without one."""
    first = parts[0]
    if isinstance(first, SizedGated) and first.gate.parts and not first.inner.parts:
        router, experts = first.gate.parts[0], parts[1]
        assert isinstance(router, SizedBox)
        assert isinstance(experts, SizedBox)
        return Rows(first.lead + router.arrow, first.room.along + experts.arrow)
    if isinstance(first, SizedFork):
        begin, rows = first.spread + first.branches[0].label_room.along, _first_rows(first.branches)
        return Rows(begin + rows.gate, begin + rows.after) if rows else None
    return None


def _lowered(chain: Chain, rows: Rows) -> Chain:
    """The chain with longer arrows to its first boxes, so that these stand in the rows."""
    first, *others = _leading_boxes(chain) or (None,)
    if not first:
        return chain
    if not others:
        return chain.with_longer_arrow(0, rows.after - first.arrow)
    pitch = _top(others[0], first) - first.arrow
    lowered = chain.with_longer_arrow(0, rows.gate - first.arrow)
    return lowered.with_longer_arrow(1, rows.after - rows.gate - pitch)


def _leading_boxes(chain: Chain) -> tuple[SizedBox, ...]:
    """The boxes before any other part."""
    boxes = takewhile(lambda part: isinstance(part, SizedBox), chain.parts)
    return tuple(part for part in boxes if isinstance(part, SizedBox))


def _top(box: SizedBox, preceding: SizedBox) -> float:
    """Distance from the arrow of the preceding box to the box."""
    return preceding.room.along + box.arrow
