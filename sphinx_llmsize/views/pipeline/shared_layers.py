"""Layers with shared weights in a diagram: drawn inside the layers that apply them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sphinx_llmsize.architecture.parts import ADAPTERS, SHARED_LAYER, SHARED_RESULT
from sphinx_llmsize.architecture.parts.block_edits import change_inside, map_stages
from sphinx_llmsize.architecture.stacks import (
    Item,
    PlacedStage,
    Stack,
    map_stacks,
    stacks_of,
)
from sphinx_llmsize.architecture.stages import Block, Stage, stages_of
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.pipeline.merged_stages import MergedStages


def with_shared_layers(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items without shared layers, whose steps are in each layer that applies them."""
    items = tuple(items)
    shared = shared_stacks_of(items)
    if not shared:
        return items
    others = (item for item in items if item not in shared)
    return map_stacks(others, lambda stack: replace(stack, block=_applied(stack, shared)))


def shared_stacks_of(items: Iterable[Item]) -> tuple[Stack, ...]:
    """The stacks of layers that other layers apply; they differ in how often they are applied."""
    stacks = (stack for item in items for stack in stacks_of(item))
    return tuple(stack for stack in stacks if SHARED_LAYER in stack.kinds)


def _applied(stack: Stack, shared: tuple[Stack, ...]) -> Block:
    """The block of a stack, with the steps of the shared layer if it applies it."""

    def inside(block: Block) -> Block:
        if any(isinstance(step, Stage) and step.id == SHARED_RESULT for step in block):
            *adapters, result = stages_of(block)
            return (*_shared_steps(stack, shared, adapters), result)
        return tuple(change_inside(step, inside) for step in block)

    return inside(stack.block)


def _shared_steps(stack: Stack, shared: tuple[Stack, ...], adapters: Iterable[Stage]) -> Block:
    """The steps of the shared layer, with the adapters of the layers that apply it in their boxes.

    Args:
        stack: the layers that apply it.
        shared: the stacks of shared layers, which have the same block.
        adapters: stages with separate weights for each use.
    """
    by_id = {adapter.id: adapter for adapter in adapters}

    def placed(stage: Stage) -> Stage:
        members = tuple(PlacedStage(stage, each) for each in shared)
        adapter = by_id.get(ADAPTERS.get(stage.id, ""))
        if not adapter:
            return _box_of(stage, stage.label, members)
        label = N_("{step} with adapters", step=stage.label)
        return _box_of(stage, label, (*members, PlacedStage(adapter, stack)))

    return map_stages(shared[0].block, placed)


def _box_of(stage: Stage, label: str, members: tuple[PlacedStage, ...]) -> MergedStages:
    """A stage as a box of several placed stages, with the weights of each."""
    stages = tuple(dict.fromkeys(member.stage for member in members))
    return MergedStages(
        id=stage.id,
        label=label,
        group=stage.group,
        output=stage.output,
        tensors=tuple(tensor for each in stages for tensor in each.tensors),
        intermediate=stage.intermediate,
        source=stage.source,
        computes=stage.computes,
        caches=stage.caches,
        buffers=stage.buffers,
        norm=stage.norm,
        members=tuple(each.id for each in stages),
        placed_members=members,
    )
