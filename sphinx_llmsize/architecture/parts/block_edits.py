"""Functions that return a changed block: with added stages or tensors, or other sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Product, Size, Sum, Symbol, product
from sphinx_llmsize.architecture.stages import Block, Parallel, Residual, Stage, Step, stages_of
from sphinx_llmsize.architecture.tensors import ExpertCount, MatMul, Shape, Tensor

Sizes = Mapping[Symbol, Size]
"""New sizes for the symbols in a block."""


def insert(block: Block, *steps: Step, before: str) -> Block:
    """Insert steps before the stage with the id ``before``."""
    position = _position(block, before)
    return (*block[:position], *steps, *block[position:])


def add_branch(block: Block, *steps: Step, before: str) -> Block:
    """Add steps in parallel to everything before the stage with the id ``before``."""
    position = _position(block, before)
    return (Parallel((block[:position], steps)), *block[position:])


def _position(block: Block, id: str) -> int:
    """Index of the stage with this id among a block's steps; raises ValueError if there is none."""
    return [getattr(step, "id", "") for step in block].index(id)


def add_tensors(block: Block, *tensors: Tensor, to: str) -> Block:
    """Add tensors to the stage with the id ``to``, at any depth; raises ValueError without one."""
    if all(stage.id != to for stage in stages_of(block)):
        raise ValueError(f"no stage {to}")

    def extend(stage: Stage) -> Stage:
        return replace(stage, tensors=(*stage.tensors, *tensors)) if stage.id == to else stage

    return map_stages(block, extend)


def remove(block: Block, *ids: str) -> Block:
    """Remove the stages with these ids, at any depth, if the block has them."""
    remaining = (step for step in block if not (isinstance(step, Stage) and step.id in ids))
    return tuple(change_inside(step, lambda steps: remove(steps, *ids)) for step in remaining)


def map_stages(block: Block, change: Callable[[Stage], Stage]) -> Block:
    """Apply a function to every stage of a block, at any depth."""

    def change_step(step: Step) -> Step:
        if isinstance(step, Stage):
            return change(step)
        return change_inside(step, lambda steps: map_stages(steps, change))

    return tuple(map(change_step, block))


def change_inside(step: Step, change: Callable[[Block], Block]) -> Step:
    """Apply a function to the steps of a residual connection, or to each branch of a parallel step.

    A stage has no steps inside and is returned unchanged.
    """
    if isinstance(step, Stage):
        return step
    if isinstance(step, Residual):
        return Residual(change(step.steps))
    return replace(step, branches=tuple(map(change, step.branches)))


def map_tensors(block: Block, change: Callable[[Tensor], Tensor]) -> Block:
    """Apply a function to every tensor of a block."""
    return map_stages(
        block, lambda stage: replace(stage, tensors=tuple(map(change, stage.tensors)))
    )


def without_cache(block: Block) -> Block:
    """Remove all caches: encoders have none, and some layers reuse an earlier layer's."""
    return map_stages(block, lambda stage: replace(stage, caches=()))


def with_sizes(block: Block, sizes: Sizes) -> Block:
    """Replace symbols in all shapes and counts of a block."""
    return map_sizes(block, lambda size: _substitute(size, sizes))


def with_sizes_in_products(block: Block, sizes: Sizes) -> Block:
    """Replace symbols only in the products of activations with activations, such as scores."""
    return _map_sizes_in_products(block, lambda size: _substitute(size, sizes))


def map_sizes(block: Block, change: Callable[[Size], Size]) -> Block:
    """Apply a function to each size in all shapes and counts of a block."""

    def new_shape(old: Shape) -> Shape:
        return tuple(map(change, old))

    def new_count(old: ExpertCount) -> ExpertCount:
        return replace(old, total=change(old.total), per_token=change(old.per_token))

    def new_tensor(old: Tensor) -> Tensor:
        return replace(
            old,
            shape=new_shape(old.shape),
            expert_count=old.expert_count and new_count(old.expert_count),
            applications=change(old.applications),
        )

    return map_stages(
        _map_sizes_in_products(block, change),
        lambda stage: replace(
            stage,
            output=new_shape(stage.output),
            intermediate=new_shape(stage.intermediate),
            tensors=tuple(map(new_tensor, stage.tensors)),
            caches=tuple(map(new_shape, stage.caches)),
            buffers=tuple(map(new_shape, stage.buffers)),
        ),
    )


def _map_sizes_in_products(block: Block, change: Callable[[Size], Size]) -> Block:
    """Apply a function to each size in the products of activations with activations."""

    def new_product(old: MatMul) -> MatMul:
        shape = (old.rows, old.inner, old.columns, old.count)
        return MatMul(old.label, *map(change, shape))

    return map_stages(
        block, lambda stage: replace(stage, computes=tuple(map(new_product, stage.computes)))
    )


def _substitute(size: Size, sizes: Sizes) -> Size:
    """Replace the symbols in one size."""
    if isinstance(size, Symbol):
        return sizes.get(size, size)
    if isinstance(size, Product):
        return product(*(_substitute(factor, sizes) for factor in size.factors))
    if isinstance(size, Sum):
        first, *others = (_substitute(term, sizes) for term in size.terms)
        return sum(others, start=first)
    return size
