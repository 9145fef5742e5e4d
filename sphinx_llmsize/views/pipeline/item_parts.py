"""Conversion of merged layers, and of steps outside the layers, to the parts of a diagram."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Source
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.diagram_boxes import Box
from sphinx_llmsize.diagram_tree import Branch, Fork, Gated, Part, Residual, boxes_of
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.pipeline.box_maker import BoxMaker
from sphinx_llmsize.views.pipeline.gates import before_experts, split_gate
from sphinx_llmsize.views.pipeline.layer_items import ForkItem, Item, StageItem
from sphinx_llmsize.views.pipeline.layer_names import (
    branch_line,
    layers_line,
    layers_sentence,
)
from sphinx_llmsize.views.pipeline.level import Level


@dataclass(frozen=True)
class ItemConverter:
    """Converts items to the parts of a diagram.

    Attributes:
        boxes: makes the boxes.
        stacks: all stacks of the cluster that contains the items; empty outside the layers.
        are_alternatives: the items are in a branch that only some layers take.
    """

    boxes: BoxMaker
    stacks: tuple[Stack, ...] = ()
    are_alternatives: bool = False

    def parts(self, items: Iterable[Item], layers: Line = ()) -> Iterator[Part]:
        """The parts for the items, in order.

        Args:
            items: the items.
            layers: text in the boxes about the layers that contain the items; empty for none.
        """
        for item in items:
            if isinstance(item, StageItem):
                if item.stages[0].reads and self._level is not Level.BRIEF:
                    yield self.boxes.norm_again(item.stages[0].reads)
                yield self.boxes.step(item, layers)
            elif isinstance(item, ForkItem):
                yield from self._fork(item, layers)
            elif self._level is Level.BRIEF:
                yield from self.parts(item.items, layers)
            else:
                parts = tuple(self.parts(item.items))
                yield Residual(parts, self.boxes.addition())

    def _fork(self, item: ForkItem, layers: Line) -> Iterator[Part]:
        """A router, or branches: alternatives, parallel branches, or a gate and its parts."""
        if router := before_experts(item):
            yield from self.parts(router, layers)
        elif gate_and_parts := split_gate(item):
            gate, parts = (tuple(self.parts(items, layers)) for items in gate_and_parts)
            yield Gated(gate, parts, is_narrow=self._level is Level.FULL and not gate)
        elif optional := self._optional_box(item):
            yield optional
        elif item.layers:
            yield self._alternatives(item)
        else:
            branches = tuple(self._branch(items, layers) for items in item.branches)
            if item.is_sum:
                branches = tuple(map(self._with_indices, item.branches, branches))
                yield Fork(branches, self.boxes.sum_of_branches(item))
            else:
                yield Fork(branches)

    def _optional_box(self, item: ForkItem) -> Box | None:
        """The box of a stage that some layers have and others lack, with these layers in it.

        None for other forks, and for boxes without a line for the layers: norms, and all boxes in
        full detail. Where a line of a residual connection is around the stage, it is a branch with
        its layers on the arrow.
        """
        if self._level is Level.FULL:
            return None
        filled = [
            (items, stacks)
            for items, stacks in zip(item.branches, item.layers, strict=False)
            if items
        ]
        if len(filled) != 1 or len(item.layers) < len(item.branches):
            return None
        (((stage, *others), stacks),) = filled
        is_skipped = len(item.branches) > 1 or self._level is Level.BRIEF
        if others or not is_skipped or not isinstance(stage, StageItem) or stage.is_norm:
            return None
        return self.boxes.step(stage, self._layers_line(stacks))

    def _alternatives(self, item: ForkItem) -> Fork:
        """The branches of alternatives, each with the layers that take it."""
        remarks = tuple(self._remarks(item.layers))
        # a box has no room for the kind of its layers, and a single branch only needs the kind that
        # the remark names
        has_room = self._level is not Level.BRIEF
        named = has_room and (len(item.layers) > 1 or any(remarks))
        labels = [self._layers_line(stacks, with_kind=named) for stacks in item.layers]
        inner = replace(self, are_alternatives=True)
        branches = [
            replace(inner._branch(items, label), remark=remark)
            for items, label, remark in zip(item.branches, labels, remarks, strict=True)
        ]
        remaining = self._remaining(item.layers)
        # at other levels, the remaining layers take the line of the residual connection
        if remaining and self._level is Level.BRIEF:
            branches.append(self._branch((), self._layers_line(remaining)))
        return Fork(tuple(branches), either=_("or"))

    def _branch(self, items: tuple[Item, ...], layers: Line) -> Branch:
        """A branch, with its layers on the arrow or, in a brief diagram, in the boxes."""
        if self._level is Level.BRIEF:
            parts = tuple(_in_line(self.parts(items, layers)))
            return Branch(parts or (self.boxes.skipped(layers),))
        parts = tuple(self.parts(items))
        if self._level is not Level.FULL:
            parts = tuple(_in_line(parts))
        if self._level is Level.FULL or self.are_alternatives:
            parts = tuple(_narrow(parts))
        return Branch(parts or (self.boxes.skipped(),), layers)

    def _with_indices(self, items: tuple[Item, ...], branch: Branch) -> Branch:
        """The branch of a sum; if it begins with an embedding of indices, these are its input."""
        first, *others = branch.parts
        stage = items[0].stages[0] if isinstance(items[0], StageItem) else None
        if not (stage and stage.source is Source.INDICES and isinstance(first, Box)):
            return branch
        indices = self.boxes.indices(stage)
        return replace(branch, parts=(indices, replace(first, reads=None), *others))

    def _remarks(self, layers: Sequence[Sequence[Stack]]) -> Iterator[str]:
        """For each alternative, a sentence that lists its layers, unless they are all others."""
        of_most = max(layers, key=lambda stacks: sum(len(stack.numbers) for stack in stacks))
        for stacks in layers:
            are_all_others = stacks == of_most and not self._remaining(layers)
            if are_all_others:
                yield ""
            else:
                architecture = self.boxes.model.architecture
                yield layers_sentence(stacks, self.stacks, architecture)

    def _remaining(self, layers: Sequence[Sequence[Stack]]) -> list[Stack]:
        """The stacks of the cluster whose layers take no alternative."""
        return [stack for stack in self.stacks if not any(stack in stacks for stacks in layers)]

    def _layers_line(self, stacks: Sequence[Stack], *, with_kind: bool = False) -> Line:
        """The layers in these stacks, in words."""
        line = branch_line if with_kind else layers_line
        return line(stacks, self.stacks, self.boxes.model.architecture)

    @property
    def _level(self) -> Level:
        return self.boxes.level


def _narrow(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with every gate drawn narrow."""
    for part in parts:
        yield replace(part, is_narrow=True) if isinstance(part, Gated) else part


def _in_line(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with each gate after its parts instead of beside them; routers stay beside."""
    for part in parts:
        if isinstance(part, Gated) and not any(box.is_router for box in boxes_of(part.gate)):
            yield from (*part.parts, *part.gate)
        else:
            yield part
