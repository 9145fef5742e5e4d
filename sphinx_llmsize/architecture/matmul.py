"""Matrix products: what a forward pass computes, apart from what is done number by number."""

from __future__ import annotations

from dataclasses import dataclass

from sphinx_llmsize.algebra import ONE, Size, product
from sphinx_llmsize.architecture.tensors import Tensor


@dataclass(frozen=True)
class MatMul:
    """Products ``[rows, inner] × [inner, columns]``, one or one for each head or expert.

    Attributes:
        label: what is multiplied: ``q``, ``queries × keys``.
        rows: of the left matrix: tokens.
        inner: what is summed over.
        columns: of the right matrix.
        count: how many of these products there are.
    """

    label: str
    rows: Size
    inner: Size
    columns: Size
    count: Size = ONE

    @property
    def flops(self) -> Size:
        """A multiplication and an addition for each number that is summed."""
        return product(2, self.count, self.rows, self.inner, self.columns)


def times_weight(length: Size, weight: Tensor) -> MatMul:
    """What passes times a weight; one that has more than two dimensions is several matrices."""
    *several, rows, columns = weight.shape
    count = product(weight.expert_count.per_token, weight.applications, *several)
    return MatMul(weight.label, length, rows, columns, count)
