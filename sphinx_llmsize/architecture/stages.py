"""The steps of a pipeline: stages of tensors, in order and side by side.

Everything is symbolic here; numbers come in with :class:`Architecture`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Union

from sphinx_llmsize.algebra import ONE, ZERO, Size, Symbol
from sphinx_llmsize.architecture.matmul import MatMul, times_weight
from sphinx_llmsize.architecture.tensors import SINGLE, ExpertCount, Role, Shape, Tensor
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Group(Enum):
    """Group of stages in a breakdown, in display order; the value is the id.

    Attributes:
        label: display name, translated where it is shown.
    """

    label: str

    EMBEDDING = "embedding", N_("Embedding")
    ATTENTION = "attention", N_("Attention")
    MIXER = "sequence_mixing", N_("Sequence mixing")
    """Replacements of attention: state spaces, linear attention, convolutions."""
    FEED_FORWARD = "feed_forward", N_("Feed-forward")
    EXPERTS = "experts", N_("Experts")
    RESIDUAL = "residual_streams", N_("Residual streams")
    """Weights of the connections around blocks: hyper-connections, AltUp."""
    NORMS = "norms", N_("Norms")
    HEAD = "head", N_("Head")

    def __new__(cls, id: str, label: str) -> Group:
        """Make a member with the id as its value."""
        member = object.__new__(cls)
        member._value_ = id
        member.label = label
        return member


class Source(Enum):
    """What a stage reads."""

    BEFORE = "before"
    """What leaves the stage before it."""
    TOKENS = "tokens"
    """Token ids, as the first stage: where a decoder begins."""
    ENCODER = "encoder"
    """The vectors of an encoder: what cross-attention makes its keys and values of."""


@dataclass(frozen=True)
class Stage:
    """A step of the pipeline: its tensors, and the shape of what leaves it.

    Attributes:
        id: unique within its block; what ``:links:`` names.
        label: for people.
        group: where breakdowns put it.
        output: the shape of the activations after it, for a sequence of T tokens.
        tensors: none for steps that only compute, like attention scores.
        inner: the shape of what it makes and uses up on the way, if that is worth telling.
        source: what it reads.
        computes: products of activations with activations.
        keeps: shapes of what is kept of the tokens so far to generate the next one.
    """

    id: str
    label: str
    group: Group
    output: Shape
    tensors: tuple[Tensor, ...] = ()
    inner: Shape = ()
    source: Source = Source.BEFORE
    computes: tuple[MatMul, ...] = ()
    caches: tuple[Shape, ...] = ()

    @property
    def length(self) -> Size:
        """How many vectors pass through it: T, T_src, or one for the whole sequence."""
        lengths = (s for s in self.output if any(isinstance(f, Length) for f in s.symbols()))
        return next(lengths, ONE)

    @property
    def matmuls(self) -> tuple[MatMul, ...]:
        """Every product: of what passes with its weights, then those without weights."""
        weights = (t for t in self.tensors if t.role is Role.WEIGHT and t.applications != ZERO)
        return (*(times_weight(self.length, tensor) for tensor in weights), *self.computes)

    @property
    def parameters(self) -> Size:
        """The sum over its tensors."""
        return sum((tensor.parameters for tensor in self.tensors), start=ZERO)

    @property
    def active(self) -> Size:
        """The parameters that one token uses."""
        return sum((tensor.active for tensor in self.tensors), start=ZERO)

    @property
    def expert_count(self) -> ExpertCount:
        """Of its tensors, where they are experts'."""
        return next((t.expert_count for t in self.tensors if t.expert_count is not SINGLE), SINGLE)

    @property
    def tied_to(self) -> str:
        """What its weights are shared with, if they are."""
        return next((tensor.tied_to for tensor in self.tensors if tensor.tied_to), "")

    def depends_on(self, symbol: Symbol) -> bool:
        """Whether the symbol stands in the shape of any of its weights."""
        return any(tensor.depends_on(symbol) for tensor in self.tensors)


@dataclass(frozen=True)
class Parallel:
    """Branches that all read the same input and whose outputs come together.

    They are added, as those of attention and MLP (GPT-J) and of routed and shared experts
    (DeepSeek), or the next stage takes them all, as the scores take queries, keys and values.
    """

    branches: tuple[tuple[Step, ...], ...]


Step = Union[Stage, Parallel]
Block = tuple[Step, ...]
"""What one layer does, in order."""


def side_by_side(*branches: Block) -> Block:
    """The branches that have stages, in parallel if there are several."""
    found = tuple(filter(None, branches))
    return (Parallel(found),) if len(found) > 1 else tuple(*found)


def stages_of(steps: Iterable[Step]) -> Iterator[Stage]:
    """Every stage of a block, branch after branch."""
    for step in steps:
        if isinstance(step, Parallel):
            for branch in step.branches:
                yield from stages_of(branch)
        else:
            yield step
