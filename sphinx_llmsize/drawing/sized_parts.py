"""Parts of a pipeline diagram with their sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Union

from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Cluster, Gated, Residual
from sphinx_llmsize.drawing.orientation import Room
from sphinx_llmsize.drawing.text_runs import Runs


@dataclass(frozen=True)
class SizedBox:
    """A box with its size.

    Attributes:
        room: space for the box and its arrows.
        box: the box.
        frame: space for the rectangle alone.
        arrow: length of the incoming arrow.
        texts: lines of text in the box, title first.
        output: lines of the label of the outgoing arrow; empty if there is none.
    """

    room: Room
    box: Box
    frame: Room
    arrow: float
    texts: tuple[Runs, ...]
    output: tuple[Runs, ...]


@dataclass(frozen=True)
class SizedBranch:
    """A branch of a fork with its size and its offset across the pipeline.

    Attributes:
        offset: distance of the branch's line from the line of the fork.
        label: lines of text beside the branch's first arrow.
        label_room: space for the label; without extent if there is none.
        chain: its contents.
        is_at_side: its line ends at the side of a sum.
        raised: distance along the pipeline by which it begins before the other branches, so that
            an input of its own stands level with the box before the fork.
    """

    offset: float
    label: tuple[Runs, ...]
    label_room: Room
    chain: Chain
    is_at_side: bool
    raised: float

    @property
    def before(self) -> float:
        """Extent of contents and label to the left of the branch's line, or above it."""
        return max(self.chain.room.before, self.label_room.before)

    @property
    def after(self) -> float:
        """Extent of contents and label to the right of the branch's line, or below it."""
        return max(self.chain.room.after, self.label_room.after)

    @property
    def length(self) -> float:
        """Length along the pipeline from the beginning of the other branches."""
        return self.chain.room.along - self.raised


@dataclass(frozen=True)
class SizedFork:
    """A fork with its size. All labels take the same length, so that the branches begin together.

    Attributes:
        room: space for the branches and the lines to them.
        branches: the branches.
        spread: distance along the pipeline from its start to the line across to the branches.
        below: distance from that line to the labels; above 0 if the badge would cover a label.
        badge: space for the word at the fork of alternatives; None if branches are in parallel.
        word: that word.
        to_sum: distance along the pipeline from its end to the middle of the sum after it; 0 if
            there is no sum.
    """

    room: Room
    branches: tuple[SizedBranch, ...]
    spread: float
    below: float
    badge: Room | None
    word: str
    to_sum: float


@dataclass(frozen=True)
class SizedGated:
    """Parts with a gate beside them, with their size.

    Attributes:
        room: space for the parts and the gate.
        part: the parts and the gate, without sizes.
        gate: the gate; empty if a line passes the parts.
        inner: the parts on the pipeline's line.
        beside: offset of the gate's line, or of the line past the parts, from the pipeline's line.
        lead: distance along the pipeline from the start to the line across to the gate.
    """

    room: Room
    part: Gated
    gate: Chain
    inner: Chain
    beside: float
    lead: float


@dataclass(frozen=True)
class SizedResidual:
    """A residual connection with its size.

    Attributes:
        room: space for the steps, the addition and the line that passes the steps.
        part: the residual connection.
        inner: the steps.
        addition: the box of the addition.
        bypass: distance of the line past the steps from the line of the pipeline.
    """

    room: Room
    part: Residual
    inner: Chain
    addition: SizedBox
    bypass: float


@dataclass(frozen=True)
class SizedCluster:
    """A cluster with its size.

    Attributes:
        room: space for the cluster and its margins.
        cluster: the cluster.
        frame: space for the frame alone.
        begin: distance along the pipeline from the frame's start to the inner parts.
        title: lines of the title.
        inner: the inner parts.
    """

    room: Room
    cluster: Cluster
    frame: Room
    begin: float
    title: tuple[str, ...]
    inner: Chain


@dataclass(frozen=True)
class Chain:
    """Consecutive parts along one line, with their common size."""

    room: Room
    parts: tuple[SizedPart, ...]

    def with_space(self, space: float) -> Chain:
        """The chain, with space after its first part."""
        first, *others = self.parts
        longer = replace(first, room=first.room.longer(space))
        return Chain(self.room.longer(space), (longer, *others))

    def with_longer_arrow(self, index: int, space: float) -> Chain:
        """The chain, with more space before the box at an index."""
        box = self.parts[index]
        assert isinstance(box, SizedBox)
        longer = replace(box, arrow=box.arrow + space, room=box.room.longer(space))
        parts = (*self.parts[:index], longer, *self.parts[index + 1 :])
        return Chain(self.room.longer(space), parts)


SizedPart = Union[SizedBox, SizedFork, SizedGated, SizedResidual, SizedCluster]


def with_common_bypass(parts: Iterable[SizedPart]) -> tuple[SizedPart, ...]:
    """The parts, with the lines past the steps of residual connections at the same distance."""
    aligned = list(parts)
    bypass = max((part.bypass for part in aligned if isinstance(part, SizedResidual)), default=0)
    for index, part in enumerate(aligned):
        if isinstance(part, SizedResidual):
            room = replace(part.room, after=bypass)
            aligned[index] = replace(part, bypass=bypass, room=room)
    return tuple(aligned)
