"""The parts of a model, each with a number: parameters, FLOPs, outputs, cached elements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from sphinx_llmsize.algebra import Size, product
from sphinx_llmsize.architecture.cost import ForwardPass, flops, output_elements
from sphinx_llmsize.architecture.equal_weights import with_equal_weights
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.memory.kv_cache import CachedPart, separate_parts, with_keys_and_values
from sphinx_llmsize.views.numbers.part_selection import Part, make_part

SLIDING, FULL = "sliding_attention", "full_attention"
"""Ids of cached arrays in layers with and without a window, in models with windows."""


@lru_cache(maxsize=256)
def parameter_parts(model: Model) -> tuple[Part, ...]:
    """Every tensor with its parameters."""
    return tuple(_tensors(model, lambda tensor: tensor.parameters))


def active_parts(model: Model) -> tuple[Part, ...]:
    """Every tensor with the parameters that one token uses."""
    return tuple(_tensors(model, lambda tensor: tensor.active))


def _tensors(model: Model, size: Callable[[Tensor], Size]) -> Iterator[Part]:
    """A part for each tensor.

    Args:
        model: the model.
        size: function from a tensor to its number of parameters in one layer.
    """
    count = model.architecture.count
    for placed in with_equal_weights(model.architecture.placed_stages()):
        layers = count(placed.layers)
        for tensor in placed.stage.tensors:
            yield make_part(placed, layers * count(size(tensor)), layers, tensor=tensor)


@lru_cache(maxsize=256)
def flops_parts(model: Model, forward_pass: ForwardPass) -> tuple[Part, ...]:
    """Every matrix product with its FLOPs.

    Products with weights have the id ``weights``, those between activations ``activations``.
    """
    architecture = model.architecture
    return tuple(
        make_part(
            placed,
            flops(architecture, (PlacedStage(stage, placed.stack),), forward_pass),
            architecture.count(placed.uses),
            tensor=tensor,
            words=("weights" if tensor else "activations",),
        )
        for placed in architecture.placed_stages()
        for tensor, stage in _products(placed.stage)
    )


def _products(stage: Stage) -> Iterator[tuple[Tensor | None, Stage]]:
    """Split a stage into stages with one matrix product each.

    Each is preceded by the product's weight, which is None for a product between activations.
    """
    for tensor in stage.tensors:
        if tensor.role is Role.WEIGHT:
            yield tensor, replace(stage, tensors=(tensor,), computes=())
    for matmul in stage.computes:
        yield None, replace(stage, tensors=(), computes=(matmul,))


def activation_parts(model: Model, tokens: int) -> tuple[Part, ...]:
    """Every stage with the elements of its output."""
    architecture = model.architecture
    return tuple(
        make_part(
            placed,
            output_elements(architecture, (placed,), tokens),
            architecture.count(placed.uses),
        )
        for placed in architecture.placed_stages()
    )


@lru_cache(maxsize=256)
def cache_parts(model: Model, context: int | None) -> tuple[Part, ...]:
    """Every cached array with its elements at a context; without one, those that a token adds."""

    def count(part: CachedPart) -> Fraction | int:
        if context:
            return part.elements_at(model.architecture, context)
        return part.elements_per_token(model.architecture)

    return tuple(_cached_arrays(model, separate_parts(model.architecture), count))


def multi_head_parts(model: Model, context: int | None) -> tuple[Part, ...]:
    """Elements at a context if each query head had its own keys and values.

    Without a context, they are the elements that a token adds.
    """
    architecture = model.architecture

    def count(part: CachedPart) -> int:
        return part.mha_elements_at(architecture, context or 1)

    keys_and_values = with_keys_and_values(separate_parts(architecture), architecture)
    return tuple(_cached_arrays(model, keys_and_values, count))


def buffer_parts(model: Model, _context: int | None) -> tuple[Part, ...]:
    """Every buffer of generation with its maximum number of elements, the same at any context."""
    count = model.architecture.count
    return tuple(
        make_part(placed, count(product(placed.uses, *shape)), count(placed.uses))
        for placed in model.architecture.placed_stages()
        for shape in placed.stage.buffers
    )


def _cached_arrays(
    model: Model, parts: Iterable[CachedPart], count: Callable[[CachedPart], Fraction | int]
) -> Iterator[Part]:
    """A part for each cached array, with its ids.

    Every array also has the word ``array1``, ``array2`` …, which tells arrays of one id but
    different shapes apart, and in models with windows, that of its layers' window.

    Args:
        model: the model.
        parts: the cached arrays.
        count: function from an array to its number of elements.
    """
    arrays = tuple(parts)
    has_windows = any(part.window for part in arrays)
    shapes_by_id: dict[str, list[Shape]] = {}
    for part in arrays:
        shapes = shapes_by_id.setdefault(part.id, [])
        if part.shape not in shapes:
            shapes.append(part.shape)
        layer_ids: tuple[str, ...] = ()
        if has_windows and part.length:
            layer_ids = (SLIDING, f"window_{part.window}") if part.window else (FULL,)
        yield make_part(
            PlacedStage(part.stage, part.stacks[0] if part.stacks else None),
            count(part),
            model.architecture.count(part.layers),
            component=part.id,
            words=(f"array{shapes.index(part.shape) + 1}",),
            layer_ids=layer_ids,
            item=part.key,
        )
