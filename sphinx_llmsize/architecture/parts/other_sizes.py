"""The same block with other sizes: layers with more heads, or wider ones, than the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Product, Size, Sum, Symbol, product
from sphinx_llmsize.architecture.stages import Block, Parallel, Stage
from sphinx_llmsize.architecture.tensors import ExpertCount, MatMul, Shape, Tensor

Sizes = Mapping[Symbol, Size]


def with_sizes(block: Block, sizes: Sizes) -> Block:
    """The block with other sizes wherever these symbols stand."""
    return tuple(
        Parallel(tuple(with_sizes(branch, sizes) for branch in step.branches))
        if isinstance(step, Parallel)
        else _stage(step, sizes)
        for step in block
    )


def _stage(stage: Stage, sizes: Sizes) -> Stage:
    return replace(
        stage,
        output=_shape(stage.output, sizes),
        inner=_shape(stage.inner, sizes),
        tensors=tuple(_tensor(tensor, sizes) for tensor in stage.tensors),
        computes=tuple(_matmul(matmul, sizes) for matmul in stage.computes),
        caches=tuple(_shape(shape, sizes) for shape in stage.caches),
    )


def _matmul(matmul: MatMul, sizes: Sizes) -> MatMul:
    dimensions = (matmul.rows, matmul.inner, matmul.columns, matmul.count)
    return MatMul(matmul.label, *_shape(dimensions, sizes))


def _tensor(tensor: Tensor, sizes: Sizes) -> Tensor:
    expert_count = ExpertCount(
        _size(tensor.expert_count.total, sizes), _size(tensor.expert_count.per_token, sizes)
    )
    return replace(
        tensor,
        shape=_shape(tensor.shape, sizes),
        expert_count=tensor.expert_count if expert_count == tensor.expert_count else expert_count,
        applications=_size(tensor.applications, sizes),
    )


def _shape(shape: Shape, sizes: Sizes) -> Shape:
    return tuple(_size(dimension, sizes) for dimension in shape)


def _size(size: Size, sizes: Sizes) -> Size:
    if isinstance(size, Symbol):
        return sizes.get(size, size)
    if isinstance(size, Product):
        return product(*(_size(factor, sizes) for factor in size.factors))
    if isinstance(size, Sum):
        first, *others = (_size(term, sizes) for term in size.terms)
        return sum(others, start=first)
    return size
