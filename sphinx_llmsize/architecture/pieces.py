"""What a model is made of: tensors, in stages, in stacks of layers.

Everything is symbolic here; numbers come in with :class:`Architecture`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Union

from sphinx_llmsize.algebra import ONE, ZERO, Size, Symbol, product

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Shape = tuple[Size, ...]


class Group(Enum):
    """What a stage belongs to in a breakdown, in the order breakdowns show it."""

    EMBEDDING = "Embedding"
    ATTENTION = "Attention"
    FEED_FORWARD = "Feed-forward"
    NORMS = "Norms"
    HEAD = "Head"


class Role(Enum):
    """What a tensor does with what passes through it."""

    WEIGHT = "weight"
    """A matrix, multiplied with."""
    BIAS = "bias"
    """A vector, added."""
    SCALE = "scale"
    """A vector, multiplied element by element."""


@dataclass(frozen=True)
class Tensor:
    """A parameter tensor: ``q_proj.weight: D × H·d_h``.

    Attributes:
        name: the same in all families, whatever each one's code calls it.
        shape: input dimension first, as ``x @ W`` reads (``torch.nn.Linear`` stores it the
            other way round).
        component: what :attr:`Model.components` counts it under.
        label: its short name next to its siblings in a stage (``q``, ``gate``).
        role: what it does.
        tied_to: whose weights it uses, in words; it then has no parameters of its own.
    """

    name: str
    shape: Shape
    component: str
    label: str = ""
    role: Role = Role.WEIGHT
    tied_to: str = ""

    @property
    def parameters(self) -> Size:
        """The product of its shape; nothing where it is tied."""
        return ZERO if self.tied_to else product(*self.shape)

    def depends_on(self, symbol: Symbol) -> bool:
        """Whether the symbol stands in its shape."""
        return any(symbol in dimension.symbols() for dimension in self.shape)


@dataclass(frozen=True)
class Stage:
    """A step of the pipeline: its tensors, and the shape of what leaves it.

    Attributes:
        id: unique within the model; what ``:links:`` names.
        label: for people.
        group: where breakdowns put it.
        output: the shape of the activations after it, for a sequence of T tokens.
        tensors: none for steps that only compute, like attention scores.
        inner: the shape of what it makes and uses up on the way, if that is worth telling.
    """

    id: str
    label: str
    group: Group
    output: Shape
    tensors: tuple[Tensor, ...] = ()
    inner: Shape = ()

    @property
    def parameters(self) -> Size:
        """The sum over its tensors."""
        return sum((tensor.parameters for tensor in self.tensors), start=ZERO)

    @property
    def tied_to(self) -> str:
        """What its weights are shared with, if they are."""
        return next((tensor.tied_to for tensor in self.tensors if tensor.tied_to), "")

    def depends_on(self, symbol: Symbol) -> bool:
        """Whether the symbol stands in the shape of any of its weights."""
        return any(tensor.depends_on(symbol) for tensor in self.tensors)


@dataclass(frozen=True)
class Stack:
    """Stages repeated ``layers`` times: counted as layers × block, never unrolled."""

    id: str
    layers: Symbol
    stages: tuple[Stage, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """Its stages, where they stand."""
        return tuple(Place(stage, self) for stage in self.stages)


Item = Union[Stage, Stack]


@dataclass(frozen=True)
class Place:
    """A stage where it stands: on its own, or in every layer of a stack."""

    stage: Stage
    stack: Stack | None = None

    @property
    def layers(self) -> Size:
        """How often the stage occurs."""
        return self.stack.layers if self.stack else ONE


def by_group(places: Iterable[Place]) -> Iterator[tuple[Group, tuple[Place, ...]]]:
    """The places whose stages have tensors, by group, in the order of the groups."""
    with_tensors = [place for place in places if place.stage.tensors]
    for group in Group:
        members = tuple(place for place in with_tensors if place.stage.group is group)
        if members:
            yield group, members


@dataclass(frozen=True)
class Architecture:
    """A model's pipeline, and the number behind every symbol of it.

    Attributes:
        items: stages and stacks in the order the tokens pass them.
        sizes: each symbol's number; the sequence length T has none.
        notes: what a reader must know about what is counted.
    """

    items: tuple[Item, ...]
    sizes: tuple[tuple[Symbol, int], ...]
    notes: tuple[str, ...] = ()

    def places(self) -> Iterator[Place]:
        """Every stage, in order, with its stack."""
        for item in self.items:
            if isinstance(item, Stack):
                yield from item.places
            else:
                yield Place(item)

    def count(self, expression: Size) -> int:
        """The number that a symbolic size comes to.

        Raises:
            KeyError: it depends on the length of the sequence.
        """
        return expression.evaluate(self._values)

    @cached_property
    def _values(self) -> dict[Symbol, int]:
        return dict(self.sizes)

    def parameters(self, place: Place) -> int:
        """The parameters of a stage in all of its layers."""
        return self.count(place.layers * place.stage.parameters)
