"""Items of a diagram: steps of the layers in one or several stacks, or outside the layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Union

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Residual, Stage
from sphinx_llmsize.views.pipeline.merged_stages import placed_members_of, tables_of
from sphinx_llmsize.views.pipeline.position_tables import is_table


@dataclass(frozen=True)
class Variant:
    """Steps of the layers in one or several stacks, which differ at most in sizes.

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

    @property
    def of_each_stack(self) -> tuple[Variant, ...]:
        """A variant for each of the stacks."""
        return tuple(Variant((member,)) for member in self.members)

    def map(self, change: Callable[[Block], Block]) -> Variant:
        """The variant with other steps in place of each block."""
        return Variant(tuple((change(block), stack) for block, stack in self.members))

    def step_at(self, position: int) -> Variant:
        """The variant reduced to the step at a position."""
        return self.map(lambda block: block[position : position + 1])

    def inside_residual(self) -> Variant:
        """The steps within the only step, a residual connection."""

        def inner_steps(block: Block) -> Block:
            (step,) = block
            assert isinstance(step, Residual)
            return step.steps

        return self.map(inner_steps)

    @property
    def branches(self) -> tuple[Variant, ...]:
        """The steps of each branch, if the only step has parallel branches; else none."""
        step, *others = self.block or (None,)
        if others or not isinstance(step, Parallel):
            return ()
        return tuple(self.map(partial(_branch, position)) for position in range(len(step.branches)))


def _branch(position: int, block: Block) -> Block:
    """The steps of a branch of a block's only step, which has parallel branches."""
    (step,) = block
    assert isinstance(step, Parallel)
    return step.branches[position]


@dataclass(frozen=True)
class StageItem:
    """A stage in each stack that contains it; its sizes may differ between stacks.

    If some of the stacks have weights, those that reuse them are left out.
    """

    placed_stages: tuple[PlacedStage, ...]

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stage, once for each of the sizes that it has in different layers."""
        return tuple(dict.fromkeys(placed.stage for placed in self.placed_stages))

    @property
    def is_norm(self) -> bool:
        """True for a norm, also one inside a mixer or a head; its box has no lines."""
        stage = self.stages[0]
        names = [tensor.name for tensor in stage.tensors]
        has_only_norms = all(name.endswith(("norm.weight", "norm.bias")) for name in names)
        return stage.group is Group.NORMS or (bool(names) and has_only_norms)

    @property
    def parameters(self) -> Size:
        """Number of parameters in all layers, and in tables for positions, which they share."""
        of_tables = sum((table.parameters for table in tables_of(*self.stages)), start=ZERO)
        return sum((placed.parameters for placed in self._owners), start=of_tables)

    @property
    def _owners(self) -> tuple[PlacedStage, ...]:
        """The stages in the stacks that have their weights, each once."""
        owners: list[PlacedStage] = []
        for placed in self.placed_stages:
            owners += placed_members_of(placed.stage) or (placed,)
        return tuple(dict.fromkeys(owners))


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


def items_of(variant: Variant) -> tuple[Item, ...]:
    """An item for each step of a variant, whose blocks all have the same structure."""
    return tuple(_item(variant.step_at(position)) for position in range(len(variant.block)))


def _item(variant: Variant) -> Item:
    """The item for the only step of a variant."""
    step = variant.block[0]
    if isinstance(step, Residual):
        return ResidualItem(items_of(variant.inside_residual()))
    if isinstance(step, Parallel):
        return ForkItem(tuple(map(items_of, variant.branches)), is_sum=step.is_sum)
    placed_stages: list[PlacedStage] = []
    for (stage,), stack in variant.members:
        assert isinstance(stage, Stage)
        placed_stages.append(_placed(stage, stack))
    with_weights = [p for p in placed_stages if not (p.stack and p.stack.repeats)]
    return StageItem(tuple(dict.fromkeys(with_weights or placed_stages)))


def _placed(stage: Stage, stack: Stack | None) -> PlacedStage:
    """A stage with its stack; a table for positions is shown in the layers, but is in no stack."""
    return PlacedStage(stage, None if is_table(stage) else stack)
