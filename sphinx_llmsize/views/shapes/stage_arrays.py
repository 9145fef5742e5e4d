"""Arrays in the operations of a stage: lengths, heads and results of products."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, product
from sphinx_llmsize.architecture.parts.block_edits import with_sizes
from sphinx_llmsize.architecture.stages import Stage, stages_of
from sphinx_llmsize.architecture.tensors import MatMul, Shape
from sphinx_llmsize.config.symbols import T_SEEN, Length, T
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.operations import Array, Expression, expression


def of_whole_sequence(stage: Stage) -> Stage:
    """The stage with T as the number of tokens that each token attends to."""
    (changed,) = stages_of(with_sizes((stage,), {T_SEEN: T}))
    return changed


def result_of(matmul: MatMul) -> Array:
    """The result of a product."""
    return Array((matmul.rows, matmul.columns), matmul.count)


def with_leading_count(shape: Shape) -> Array:
    """``H × [T, T]`` for ``[H, T, T]``: a first size before a length is a number of arrays."""
    first, others = shape[0], shape[1:]
    if len(others) > 1 and not has_length((first,)) and has_length(others):
        return Array(others, first)
    return Array(shape)


def split_heads(heads: Array) -> Expression:
    """The operation that results in these heads: the columns of an array are split."""
    rows, width = heads.shape
    if heads.count == ONE:
        return expression(_("{array} for all heads"), array=heads)
    return expression(_("{array} split"), array=Array((rows, product(heads.count, width))))


def is_attention(computes: tuple[MatMul, ...]) -> bool:
    """True if the products are the scores and the weighted sum of attention."""
    if len(computes) != 2:  # noqa: PLR2004 - scores and weighted sum
        return False
    scores, weighted_sum = computes
    are_chained = scores.columns == weighted_sum.inner and scores.rows == weighted_sum.rows
    return are_chained and scores.count == weighted_sum.count and has_length((scores.columns,))


def has_length(shape: Shape) -> bool:
    """True if a size in the shape depends on the length of a sequence."""
    return any(isinstance(symbol, Length) for size in shape for symbol in size.symbols())


def without_lengths(shape: Shape) -> Shape:
    """The sizes that don't depend on the length of a sequence; 1 if there are none."""
    return tuple(size for size in shape if not has_length((size,))) or (ONE,)
