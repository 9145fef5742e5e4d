"""Layers that differ: steps that all of them have in common, and alternatives by layer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, takewhile
from typing import Union

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import (
    Block,
    Group,
    Parallel,
    Residual,
    Source,
    Stage,
    Step,
    stages_of,
)
from sphinx_llmsize.views.pipeline.merged_stages import tables_of
from sphinx_llmsize.views.pipeline.position_tables import is_table
from sphinx_llmsize.views.pipeline.step_keys import step_key, structure_key, weights_key

MAX_ALTERNATIVES = 3
"""Number of alternatives side by side; with more, those that differ only in sizes are joined."""


@dataclass(frozen=True)
class Variant:
    """Steps of the layers in some stacks: equal, or different only in sizes.

    Attributes:
        members: the steps in each stack; the stack is None outside the layers.
    """

    members: tuple[tuple[Block, Stack | None], ...]

    @property
    def block(self) -> Block:
        """The steps, with the sizes of the first stack."""
        return self.members[0][0]

    @property
    def stacks(self) -> tuple[Stack, ...]:
        """The stacks with these steps."""
        return tuple(stack for _block, stack in self.members if stack)

    def map(self, change: Callable[[Block], Block]) -> Variant:
        """The variant with other steps in place of each block."""
        return Variant(tuple((change(block), stack) for block, stack in self.members))


@dataclass(frozen=True)
class StageItem:
    """A stage, placed in each stack that contains it; sizes may differ between stacks."""

    placed_stages: tuple[PlacedStage, ...]

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stage, once for each of the sizes that it has in different layers."""
        return tuple(dict.fromkeys(placed.stage for placed in self.placed_stages))

    @property
    def parameters(self) -> Size:
        """Number of parameters in all layers, and of tables that they share."""
        shared = sum((table.parameters for table in tables_of(*self.stages)), start=ZERO)
        return sum((placed.parameters for placed in self.placed_stages), start=shared)


@dataclass(frozen=True)
class ForkItem:
    """Branches in parallel, or alternatives.

    Attributes:
        branches: the steps of each branch; an alternative may have none.
        layers: for alternatives, the stacks that take each branch; empty for parallel branches.
        is_sum: the outputs of parallel branches are added here.
    """

    branches: tuple[tuple[Item, ...], ...]
    layers: tuple[tuple[Stack, ...], ...] = ()
    is_sum: bool = False


@dataclass(frozen=True)
class ResidualItem:
    """Steps inside a residual connection."""

    items: tuple[Item, ...]


Item = Union[StageItem, ForkItem, ResidualItem]
"""A step of merged layers."""


def merged_layers(variants: Iterable[Variant]) -> tuple[Item, ...]:
    """The steps of layers that differ: common ones once, others side by side."""
    found = _joined(variants, step_key)
    if len(found) == 1:
        return _items(found[0])
    begin = _common([variant.block for variant in found])
    end = _common([variant.block[begin:][::-1] for variant in found])
    everywhere = Variant(tuple(member for variant in found for member in variant.members))
    middles = [variant.map(lambda block: block[begin : len(block) - end]) for variant in found]
    return (
        *_items(everywhere.map(lambda block: block[:begin])),
        *_differing(middles),
        *_items(everywhere.map(lambda block: block[len(block) - end :])),
    )


def _differing(variants: Sequence[Variant]) -> tuple[Item, ...]:
    """Items for variants that have no first or last step in common.

    Residual connections are merged one by one, so that alternatives are inside of them, and gates
    are merged if they differ only in sizes. Other variants are alternatives as a whole.
    """
    if all(_has_residual(variant.block) for variant in variants if variant.block):
        if all(len(variant.block) <= 1 for variant in variants):
            return (_one_residual(variants),)
        return tuple(chain.from_iterable(map(merged_layers, _aligned(variants))))
    if all(len(variant.block) == 1 and _is_gate(variant.block[0]) for variant in variants):
        gates = (variant.map(_stages_in) for variant in variants)
        return (ForkItem((merged_layers(_joined(gates, structure_key)), ())),)
    return _alternatives(variants)


def _is_gate(step: Step) -> bool:
    """True for steps whose input the next step reads too, such as a router."""
    return isinstance(step, Parallel) and () in step.branches


def _stages_in(block: Block) -> Block:
    return tuple(stages_of(block))


def _has_residual(block: Block) -> bool:
    """True if one of the steps is a residual connection."""
    return any(isinstance(step, Residual) for step in block)


def _one_residual(variants: Sequence[Variant]) -> Item:
    """A residual connection around alternatives; layers without one only have the connection."""
    inner = [variant.map(_inside) for variant in variants if variant.block]
    if len(inner) == len(variants):
        return ResidualItem(merged_layers(inner))
    branches = tuple(merged_layers((variant,)) for variant in inner)
    return ResidualItem((ForkItem(branches, tuple(variant.stacks for variant in inner)),))


def _inside(block: Block) -> Block:
    """The steps within the residual connections of a block."""
    residuals = (step for step in block if isinstance(step, Residual))
    return tuple(inner for residual in residuals for inner in residual.steps)


def _alternatives(variants: Sequence[Variant]) -> tuple[Item, ...]:
    """The variants side by side; those that differ only in lengths of activations are one.

    If there are many, those that differ only in sizes are joined too.
    """
    variants = _joined(variants, weights_key)
    if len(variants) > MAX_ALTERNATIVES:
        variants = _joined(variants, structure_key)
    if len(variants) == 1:
        return _items(variants[0])
    branches = tuple(map(_items, variants))
    return (ForkItem(branches, tuple(variant.stacks for variant in variants)),)


def _aligned(variants: Sequence[Variant]) -> Iterator[list[Variant]]:
    """For each step of the layers, the variants reduced to this step.

    This is the step at the same position or, if some variants lack a step, of the same purpose.
    """
    if len({len(variant.block) for variant in variants}) == 1:
        for position in range(len(variants[0].block)):
            yield [variant.map(partial(_at, position)) for variant in variants]
        return
    longest = max(variants, key=lambda variant: len(variant.block))
    for purpose in dict.fromkeys(_purpose(s) for v in (longest, *variants) for s in v.block):
        yield [variant.map(partial(_for, purpose)) for variant in variants]


def _at(position: int, block: Block) -> Block:
    """The step at a position, as a block."""
    return block[position : position + 1]


def _for(purpose: str, block: Block) -> Block:
    """The steps of a block that have this purpose."""
    return tuple(step for step in block if _purpose(step) == purpose)


def _purpose(step: Step) -> str:
    """``mixer``, ``cross`` or ``ffn`` for a residual connection; the id of any other step."""
    stages = tuple(stages_of((step,)))
    if not isinstance(step, Residual):
        return stages[0].id
    if any(stage.source is Source.ENCODER for stage in stages):
        return "cross"
    groups = {stage.group for stage in stages}
    mixes = bool(groups & {Group.ATTENTION, Group.MIXER})
    return "mixer" if mixes or not groups & {Group.FEED_FORWARD, Group.EXPERTS} else "ffn"


def _items(variant: Variant) -> tuple[Item, ...]:
    """An item for each step of a variant, whose blocks all have the same structure."""
    stacks = tuple(stack for _block, stack in variant.members)
    blocks = (block for block, _stack in variant.members)
    return tuple(_item(steps, stacks) for steps in zip(*blocks, strict=True))


def _item(steps: tuple[Step, ...], stacks: tuple[Stack | None, ...]) -> Item:
    """The item for one step, from the step in each of these stacks."""
    if isinstance(steps[0], Residual):
        blocks = (_inside((step,)) for step in steps)
        return ResidualItem(_items(Variant(tuple(zip(blocks, stacks, strict=True)))))
    if isinstance(steps[0], Parallel):
        forks = (step.branches for step in steps if isinstance(step, Parallel))
        found = (tuple(zip(each, stacks, strict=True)) for each in zip(*forks, strict=True))
        return ForkItem(tuple(_items(Variant(v)) for v in found), is_sum=steps[0].is_sum)
    pairs = zip(steps, stacks, strict=True)
    placed_stages = (_placed(step, stack) for step, stack in pairs if isinstance(step, Stage))
    return StageItem(tuple(dict.fromkeys(placed_stages)))


def _placed(stage: Stage, stack: Stack | None) -> PlacedStage:
    """A stage with its stack; a table for positions is shown in the layers, but is in no stack."""
    return PlacedStage(stage, None if is_table(stage) else stack)


def _joined(variants: Iterable[Variant], key: Callable[[Step], Hashable]) -> list[Variant]:
    """The variants; those whose steps have equal keys become one."""
    found: dict[Hashable, Variant] = {}
    for variant in variants:
        alike = tuple(map(key, variant.block))
        before = found[alike].members if alike in found else ()
        found[alike] = Variant((*before, *variant.members))
    return list(found.values())


def _common(blocks: Sequence[Block]) -> int:
    """Number of first steps that are equal in all blocks."""
    keys = zip(*(tuple(map(step_key, block)) for block in blocks), strict=False)
    return len(tuple(takewhile(lambda step_keys: len(set(step_keys)) == 1, keys)))
