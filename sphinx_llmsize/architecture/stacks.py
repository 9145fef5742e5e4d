"""Stacks of equal layers, and stages together with their stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Union

from sphinx_llmsize.algebra import ONE, ZERO, Size, product
from sphinx_llmsize.architecture.stages import Block, Group, Stage, Step, stages_of
from sphinx_llmsize.translation import N_


@dataclass(frozen=True)
class LayerKind:
    """A property that sets layers apart from others of the same model.

    Attributes:
        id: name in code.
        label: adjective before "layers": ``full-attention``; empty for layers that merely
            lack what others have.
        short: subscript in the symbol for the number of such layers; ``id`` if empty.
        group: group of stages that only these layers have and that the label names. Texts about
            the group omit the label: "Attention (4 layers)", not "Attention (4 attention layers)".
        label_is_position: the label is only the position of the layers, such as "first". Texts with
            their numbers omit it: "layer 1", not "first layer 1".
    """

    id: str
    label: str
    short: str = ""
    group: Group | None = None
    label_is_position: bool = False

    def __hash__(self) -> int:
        return hash(self.id)  # cheap, since it is computed for each layer of a model

    @property
    def subscript(self) -> str:
        """The subscript of L in the symbol for the number of such layers."""
        return self.short or self.id


def label_of(kinds: Iterable[LayerKind]) -> str:
    """The labels of several kinds as one adjective: ``full-attention MoE``."""
    labels = [kind.label for kind in kinds if kind.label] or [""]
    return reduce(lambda kind, other: N_("{kind} {other}", kind=kind, other=other), labels)


@dataclass(frozen=True)
class WindowedLayers:
    """Number of layers in which a token attends to the last ``window`` tokens, including itself."""

    window: int
    layers: int

    def __hash__(self) -> int:
        # ``layers`` may be a traced number (see traced/): a text made with its hash would depend on
        # its value
        return hash(self.window)


@dataclass(frozen=True)
class Stack:
    """A block repeated ``layers`` times: counted as layers × block, never unrolled.

    Attributes:
        id: unique within the model.
        layers: number of layers.
        block: steps of each layer.
        kinds: properties that set these layers apart from the model's other layers.
        passes: number of times that a token passes through each layer, with the same weights
            (ALBERT, Zamba); ``layers`` is the number of layers with weights of their own.
        repeats: id of the stack whose weights these layers reuse; empty for layers with weights of
            their own. They are a separate stack because they differ otherwise, such as in pooling.
        numbers: its layers' numbers, from 0; empty if the stack has all layers of the model, or of
            its encoder or decoder. Not compared, so that stacks with equal contents are equal.
        windows: number of layers with each attention window; layers without one are omitted.
        two_sided_windows: the same for windows of which half is on each side of the token.
    """

    id: str
    layers: Size
    block: Block
    kinds: tuple[LayerKind, ...] = ()
    passes: Size = ONE
    repeats: str = ""
    numbers: tuple[int, ...] = field(default=(), compare=False, repr=False)
    windows: tuple[WindowedLayers, ...] = ()
    two_sided_windows: tuple[WindowedLayers, ...] = ()

    def __hash__(self) -> int:
        return hash(self.id)  # cheap, since it is computed for each of its stages

    @property
    def uses(self) -> Size:
        """Number of layers that a token passes through; a layer used twice counts twice."""
        return self.layers * self.passes

    @property
    def label(self) -> str:
        """Labels of its kinds, before "layers": ``MoE``; empty if all layers are alike."""
        return label_of(self.kinds)

    @property
    def placed_stages(self) -> tuple[PlacedStage, ...]:
        """Stages of its block, in order, each with this stack."""
        return tuple(PlacedStage(stage, self) for stage in stages_of(self.block))


def common_kinds(stacks: Sequence[Stack]) -> tuple[LayerKind, ...]:
    """The kinds that all of these stacks have."""
    first, *others = stacks
    return tuple(kind for kind in first.kinds if all(kind in other.kinds for other in others))


def layers_of(stacks: Iterable[Stack]) -> Size:
    """Number of layers in all stacks."""
    return sum((stack.layers for stack in stacks), start=ZERO)


@dataclass(frozen=True)
class Interleaved:
    """Stacks with alternating layers.

    Attributes:
        id: unique within the model.
        stacks: in the order of their first layers.
    """

    id: str
    stacks: tuple[Stack, ...]


Item = Union[Step, Stack, Interleaved]
"""Part of a model's pipeline: layers, or a step outside them."""


def stacks_of(item: Item) -> tuple[Stack, ...]:
    """The stacks of an item; none for a stage outside the layers."""
    if isinstance(item, Interleaved):
        return item.stacks
    return (item,) if isinstance(item, Stack) else ()


def map_stacks(items: Iterable[Item], change: Callable[[Stack], Stack]) -> tuple[Item, ...]:
    """Apply a function to each stack; steps outside the layers stay as they are."""

    def changed(item: Item) -> Item:
        if isinstance(item, Interleaved):
            return replace(item, stacks=tuple(map(change, item.stacks)))
        return change(item) if isinstance(item, Stack) else item

    return tuple(map(changed, items))


def map_blocks(items: Iterable[Item], change: Callable[[Block], Block]) -> tuple[Item, ...]:
    """Apply a function to the block of each stack, and to the steps outside the layers."""
    changed: list[Item] = []
    for item in map_stacks(items, lambda stack: replace(stack, block=change(stack.block))):
        changed += (item,) if isinstance(item, (Stack, Interleaved)) else change((item,))
    return tuple(changed)


@dataclass(frozen=True)
class PlacedStage:
    """A stage with its stack, which is None for a stage outside the layers."""

    stage: Stage
    stack: Stack | None = None

    @property
    def layers(self) -> Size:
        """Number of layers with their own weights."""
        return self.stack.layers if self.stack else ONE

    @property
    def uses(self) -> Size:
        """Number of times that a token passes through the stage; see :attr:`Stack.uses`."""
        return self.stack.uses if self.stack else ONE

    @property
    def parameters(self) -> Size:
        """Number of parameters in all layers."""
        return product(self.layers, self.stage.parameters)

    @property
    def active(self) -> Size:
        """Number of parameters that one token uses, in all layers."""
        return product(self.layers, self.stage.active)


def placed_stages_of(items: Iterable[Item]) -> Iterator[PlacedStage]:
    """Stages in order, each with its stack."""
    for item in items:
        if isinstance(item, Stack):
            yield from item.placed_stages
        elif isinstance(item, Interleaved):
            yield from placed_stages_of(item.stacks)
        else:
            yield from map(PlacedStage, stages_of((item,)))


def by_group(
    placed_stages: Iterable[PlacedStage],
) -> Iterator[tuple[Group, tuple[PlacedStage, ...]]]:
    """Stages with tensors by group, in the order of the groups."""
    with_tensors = [placed for placed in placed_stages if placed.stage.tensors]
    for group in Group:
        members = tuple(placed for placed in with_tensors if placed.stage.group is group)
        if members:
            yield group, members
