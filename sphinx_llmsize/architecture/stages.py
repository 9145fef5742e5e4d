"""Stages of a model's pipeline, in order and in parallel: tensors and output shapes.

Sizes are symbolic; :attr:`Architecture.sizes` maps symbols to numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Union

from sphinx_llmsize.algebra import ONE, ZERO, Size, Symbol
from sphinx_llmsize.architecture.tensors import (
    ExpertCount,
    MatMul,
    Role,
    Shape,
    Tensor,
    times_weight,
)
from sphinx_llmsize.config.symbols import D, Length
from sphinx_llmsize.translation import N_


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
    FEED_FORWARD = "feed_forward", N_("FFN")
    EXPERTS = "experts", N_("MoE")
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
    """Input of a stage."""

    BEFORE = "before"
    """Output of the stage before it."""
    TOKENS = "tokens"
    """Token ids, as for the first stage of a decoder."""
    ENCODER = "encoder"
    """Output of the encoder, from which cross-attention computes keys and values."""
    INDICES = "indices"
    """Positions, token types or other indices of the tokens, which no step computes."""
    POSITIONS = "positions"
    """No input: a table for positions that attention reads in every layer."""
    NONE = "none"
    """No input: other parameters that later steps read."""


class NormKind(Enum):
    """Formula of a norm, which its tensors don't show: a layer norm may have no bias."""

    LAYER = "layer"
    """Subtract the mean, then divide by the standard deviation."""
    RMS = "rms"
    """Divide by the root mean square."""


@dataclass(frozen=True)
class Stage:
    """One step of the pipeline: its tensors, and the shape of its output.

    Attributes:
        id: unique within its block; a name in ``:links:``.
        label: display name.
        group: its group in breakdowns.
        output: shape of the activations after it, for a sequence of T tokens.
        tensors: parameters; none for steps that only compute, such as dot-product attention.
        intermediate: shape of activations inside the stage, such as scores; empty if not shown.
        source: its input.
        reads: id of the norm whose output is its input; empty if its input is the ``source``.
        input_length: number of vectors that it reads, if it pools or repeats them.
        computes: products of activations with activations.
        caches: shapes of the elements that each layer caches during generation.
        buffers: largest shapes of temporary arrays in each layer during generation, which aren't
            counted as cache.
        norm: kind of a norm; None for other stages, and for norms whose kind isn't recorded.
    """

    id: str
    label: str
    group: Group
    output: Shape
    tensors: tuple[Tensor, ...] = ()
    intermediate: Shape = ()
    source: Source = Source.BEFORE
    reads: str = ""
    input_length: Size | None = None
    computes: tuple[MatMul, ...] = ()
    caches: tuple[Shape, ...] = ()
    buffers: tuple[Shape, ...] = ()
    norm: NormKind | None = None

    def __hash__(self) -> int:
        return hash(self.id)  # cheap, since it is computed for each stage of each layer kind

    @property
    def length(self) -> Size:
        """Number of vectors that the stage processes: T, T_src, or one for the whole sequence."""
        for size in self.output:
            if any(isinstance(symbol, Length) for symbol in size.symbols()):
                return size
        return ONE

    @property
    def matmuls(self) -> tuple[MatMul, ...]:
        """Matrix products whose FLOPs are counted: with weights, then between activations."""
        return (*self.matmuls_with_weights, *self.computes)

    @property
    def matmuls_with_weights(self) -> tuple[MatMul, ...]:
        """Products of activations and weights whose FLOPs are counted."""
        weights = (t for t in self.tensors if t.role is Role.WEIGHT and t.applications != ZERO)
        return tuple(times_weight(self.length, tensor) for tensor in weights)

    @property
    def parameters(self) -> Size:
        """Number of parameters."""
        return sum((tensor.parameters for tensor in self.tensors), start=ZERO)

    @property
    def active(self) -> Size:
        """Number of parameters that one token uses."""
        return sum((tensor.active for tensor in self.tensors), start=ZERO)

    @property
    def expert_count(self) -> ExpertCount | None:
        """Expert count of its tensors; None if they belong to no expert."""
        return next((t.expert_count for t in self.tensors if t.expert_count), None)

    @property
    def is_for_images(self) -> bool:
        """True if it has tensors that no text token uses."""
        return any(tensor.is_for_images for tensor in self.tensors)

    @property
    def tied_to(self) -> str:
        """Label of the stage whose weights it reuses; empty if none."""
        return next((tensor.tied_to for tensor in self.tensors if tensor.tied_to), "")

    @property
    def has_norm(self) -> bool:
        """True if one of its tensors is the scale of a norm; these have the same end of a name."""
        return any(tensor.name.endswith("norm.weight") for tensor in self.tensors)

    @property
    def has_logits(self) -> bool:
        """True for a head whose output is logits of tokens or labels.

        Others output vectors of width D, or a number for each pair of tokens (ESM).
        """
        columns = self.output[-1]
        return self.group is Group.HEAD and columns != D and not isinstance(columns, Length)

    def depends_on(self, symbol: Symbol) -> bool:
        """True if the shape of a tensor contains the symbol."""
        return any(tensor.depends_on(symbol) for tensor in self.tensors)


@dataclass(frozen=True)
class Parallel:
    """Branches that read the same input, except for stages with another ``source``.

    Attributes:
        branches: the steps of each branch; one without steps is the input itself, as for the
            experts, which read the router and its input.
        is_sum: how the branches join. If true, their outputs are added to each other at this
            point, as for embeddings, or for routed and shared experts. If not, the next stage reads
            all outputs, as for queries, keys and values; if there is no next stage, the residual
            connection around the branches adds them, as for attention and MLP (GPT-J).
    """

    branches: tuple[tuple[Step, ...], ...]
    is_sum: bool = False


@dataclass(frozen=True)
class Residual:
    """Steps whose output is added to their input: ``x + steps(x)``.

    Attributes:
        steps: steps in order, such as a norm and the attention after it.
    """

    steps: tuple[Step, ...]


Step = Union[Stage, Parallel, Residual]
"""Part of a block: a stage, or steps in parallel or in a residual connection."""
Block = tuple[Step, ...]
"""Steps in order, such as those of a layer."""


def side_by_side(*branches: Block) -> Block:
    """Combine the non-empty branches, in parallel if there are several."""
    non_empty = tuple(filter(None, branches))
    if len(non_empty) > 1:
        return (Parallel(non_empty),)
    return non_empty[0] if non_empty else ()


def beside_input(*steps: Step) -> Parallel:
    """Combine the steps with an empty branch, so that the next stage also reads their input."""
    return Parallel((steps, ()))


def without_residuals(steps: Iterable[Step]) -> Iterator[Union[Stage, Parallel]]:
    """Steps of a block, with the steps of a :class:`Residual` in its place.

    Residual connections inside branches remain.
    """
    for step in steps:
        if isinstance(step, Residual):
            yield from without_residuals(step.steps)
        else:
            yield step


def stages_of(steps: Iterable[Step]) -> Iterator[Stage]:
    """Stages of a block, branch after branch."""
    for step in steps:
        if isinstance(step, Parallel):
            for branch in step.branches:
                yield from stages_of(branch)
        elif isinstance(step, Residual):
            yield from stages_of(step.steps)
        else:
            yield step
