"""Parameter tensors with symbolic shapes, and matrix products."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.algebra import ONE, ZERO, Number, Size, Sum, Symbol, product

Shape = tuple[Size, ...]
"""Symbolic dimensions; empty for none."""


class Role(Enum):
    """Operation by which a tensor is applied to the input."""

    WEIGHT = "weight"
    """A matrix by which the input is multiplied."""
    TABLE = "table"
    """A matrix whose rows are looked up."""
    FILTER = "filter"
    """Weights of a convolution along the sequence."""
    BIAS = "bias"
    """Numbers that are added."""
    SCALE = "scale"
    """Numbers by which the input is multiplied element-wise."""


@dataclass(frozen=True)
class ExpertCount:
    """Number of experts, and number of experts that one token uses.

    Attributes:
        total: number of experts (E).
        per_token: experts per token (k).
        is_zero_computation: the experts return their input, so that no token uses their tensors.
    """

    total: Size
    per_token: Size
    is_zero_computation: bool = False

    @property
    def sizes(self) -> tuple[Size, Size]:
        """Total and experts per token."""
        return (self.total, self.per_token)


@dataclass(frozen=True)
class Tensor:
    """A parameter tensor: ``q_proj.weight: D × H·d_h``.

    Attributes:
        name: the same in all families, independent of their code.
        shape: input dimension first, as in ``x @ W``; ``torch.nn.Linear`` stores the transpose.
        component: key of :attr:`Model.components`.
        label: short name next to its siblings in a stage (``q``, ``gate``).
        role: operation on the input.
        tied_to: label of the stage whose weights it reuses; a tied tensor has no parameters.
        expert_count: experts that each have such a tensor; None if it belongs to no expert.
        applications: number of products with each token's vector: several if heads share the
            tensor; 0 if its FLOPs aren't counted, as when only certain inputs need it.
        is_for_images: no text token uses it, as in the experts for images of ERNIE 4.5 VL, so it
            isn't active and has no FLOPs.
    """

    name: str
    shape: Shape
    component: str
    label: str = ""
    role: Role = Role.WEIGHT
    tied_to: str = ""
    expert_count: ExpertCount | None = None
    applications: Size = ONE
    is_for_images: bool = False

    @property
    def parameters_of_one_expert(self) -> Size:
        """Number of parameters of one expert; 0 if tied."""
        return ZERO if self.tied_to else product(*self.shape)

    @property
    def parameters(self) -> Size:
        """Number of parameters of all experts."""
        return ZERO if self.tied_to else product(*self.stored_shape)

    @property
    def active(self) -> Size:
        """Number of parameters that one text token uses."""
        return ZERO if self.tied_to else product(self.copies_per_token, *self.shape)

    @property
    def stored_shape(self) -> Shape:
        """Shape, with the number of experts as first dimension if it belongs to experts."""
        return (self.expert_count.total, *self.shape) if self.expert_count else self.shape

    @property
    def copies_per_token(self) -> Size:
        """Number of such tensors that one text token uses: experts per token, or 1."""
        if self.is_for_images:
            return ZERO
        return self.expert_count.per_token if self.expert_count else ONE

    @property
    def reserved_rows(self) -> int:
        """Rows of a position table beyond the positions: 2 of P + 2, which are for padding."""
        rows = self.shape[0]
        if self.component != "position_embedding" or not isinstance(rows, Sum):
            return 0
        return sum(term.value for term in rows.terms if isinstance(term, Number))

    @property
    def is_matrix(self) -> bool:
        """True for matrices and convolution filters; False for biases and scales of any shape."""
        return self.role in {Role.WEIGHT, Role.TABLE, Role.FILTER}

    def depends_on(self, symbol: Symbol) -> bool:
        """True if its shape contains the symbol."""
        return any(symbol in dimension.symbols() for dimension in self.shape)


@dataclass(frozen=True)
class MatMul:
    """Matrix products ``[rows, inner] × [inner, columns]``.

    Attributes:
        label: the weight, ``q``, or both factors, ``queries × keys``.
        rows: rows of the left matrix, usually tokens.
        inner: dimension that is summed over.
        columns: columns of the right matrix.
        count: number of such products, such as one for each head or expert, or for each token
            if ``rows`` isn't the number of tokens.
    """

    label: str
    rows: Size
    inner: Size
    columns: Size
    count: Size = ONE

    @property
    def flops(self) -> Size:
        """FLOPs: two for each multiply-add."""
        return product(2, self.count, self.rows, self.inner, self.columns)


def times_weight(length: Size, weight: Tensor) -> MatMul:
    """Product of ``length`` vectors with a weight; all but its last two dimensions are a batch."""
    *batch, rows, columns = weight.shape
    count = product(weight.copies_per_token, weight.applications, *batch)
    return MatMul(weight.label, length, rows, columns, count)
