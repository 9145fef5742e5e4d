"""Values that differ by layer, and the stacks of equal layers that result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, Union

from sphinx_llmsize.architecture.layer_groups import groups_of_equal_layers, stacks_of_groups
from sphinx_llmsize.architecture.stacks import (
    Interleaved,
    Item,
    LayerKind,
    Stack,
    WindowedLayers,
    map_stacks,
)
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

MAX_LAYERS = 100_000
"""Maximum number of layers if they differ; the number of equal layers is not limited."""

Value = TypeVar("Value", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)


class TooManyLayers(ConfigError):  # noqa: N818 - clear without "Error"
    """Error for a model with more than :data:`MAX_LAYERS` layers that differ."""


@dataclass(frozen=True)
class PerLayer(Generic[Value]):
    """A value for each layer.

    Attributes:
        at: the value of a layer, by its number from 0.
        is_same: all layers are known to have the same value.
    """

    at: Callable[[int], Value]
    is_same: bool = False

    def map(self, change: Callable[[Value], Other]) -> PerLayer[Other]:
        """Apply a function to each layer's value."""
        return PerLayer(lambda layer: change(self.at(layer)), self.is_same)

    def counts(self, layers: Sequence[int]) -> Counter[Value]:
        """Count the layers with each value, among the layers with these numbers.

        Raises:
            TooManyLayers: there are more than :data:`MAX_LAYERS`, and their values may differ.
        """
        if self.is_same:
            return Counter({self.at(0): len(layers)})
        _check_limit(len(layers))
        return Counter(map(self.at, layers))


Kinds = PerLayer[LayerKind]
"""The kind of each layer."""
OneOrEach = Union[Value, PerLayer[Value]]
"""One value for all layers, or a value for each."""


def same(value: Value) -> PerLayer[Value]:
    """One value for all layers."""
    return PerLayer(lambda layer: value, is_same=True)


def first(count: int, value: Value, *, then: OneOrEach[Value]) -> PerLayer[Value]:
    """One value for the first ``count`` layers, another for the rest."""
    rest = _per_layer(then)
    if count <= 0:
        return rest
    return PerLayer(lambda layer: value if layer < count else rest.at(layer))


def every(
    step: int, value: Value, *, others: Value, start: int = 0, stop: int | None = None
) -> PerLayer[Value]:
    """One value for layers ``start``, ``start + step`` … below ``stop``, another for the rest."""
    if step == 1 and start <= 0 and stop is None:
        return same(value)

    def at(layer: int) -> Value:
        is_within = layer >= start and (stop is None or layer < stop)
        return value if is_within and (layer - start) % step == 0 else others

    return PerLayer(at)


def among(numbers: Collection[int], value: Value, *, others: OneOrEach[Value]) -> PerLayer[Value]:
    """One value for the layers with these numbers, another for the rest."""
    rest = _per_layer(others)
    chosen = frozenset(numbers)
    if not chosen:
        return rest
    return PerLayer(lambda layer: value if layer in chosen else rest.at(layer))


def from_list(values: Sequence[Value]) -> PerLayer[Value]:
    """The values of a list; the value of a layer without an entry raises ConfigError."""

    def at(layer: int) -> Value:
        if layer >= len(values):
            message = _("no list entry for layer {number}, counted from 0", number=layer)
            raise ConfigError(message, Problem.SHAPE, _("give one entry for each layer"))
        return values[layer]

    return PerLayer(at)


def cycle(values: Sequence[Value]) -> PerLayer[Value]:
    """The values of a list, repeated from the start after its last entry."""
    return PerLayer(lambda layer: values[layer % len(values)], is_same=len(set(values)) == 1)


def layer_stacks(
    layers: int, make: Callable[..., Block], **values: PerLayer[Any]
) -> tuple[Item, ...]:
    """Make the stacks of a model whose layers may differ.

    Layers with equal blocks form one stack. The stacks are interleaved unless each consists of
    consecutive layers.

    Args:
        layers: number of layers.
        make: returns the block of a layer; its arguments are the layer's values, by name.
        values: properties in which layers may differ: with ``ffn=kinds``, ``make`` is called with
            ``ffn`` as the kind of a layer.

    Raises:
        ConfigError: there are no layers.
        TooManyLayers: there are more than :data:`MAX_LAYERS`, and they may differ.
    """
    if layers < 1:
        raise ConfigError(_("a model without layers"), Problem.SHAPE, _("list one or more"))
    if all(each.is_same for each in values.values()):
        return (Stack("layers", L, make(**{name: each.at(0) for name, each in values.items()})),)
    _check_limit(layers)
    groups = groups_of_equal_layers(layers, make, values)
    if len(groups) == 1:
        return (Stack("layers", L, groups[0].block),)
    stacks = stacks_of_groups(groups)
    # ascending numbers are consecutive if the first and last differ by less than their count
    consecutive = all(stack.numbers[-1] - stack.numbers[0] < len(stack.numbers) for stack in stacks)
    return stacks if consecutive else (Interleaved("layers", stacks),)


def assign_windows(
    items: Iterable[Item], windows: PerLayer[int], layers: int, *, two_sided: bool
) -> tuple[Item, ...]:
    """Set the attention windows of each stack.

    Args:
        items: stages and stacks.
        windows: tokens in each layer's window; 0 for a layer without one.
        layers: number of layers.
        two_sided: half of a window is on each side of the token, as in encoders.

    Raises:
        TooManyLayers: windows may differ, in a stack of more than :data:`MAX_LAYERS` layers.
    """

    def with_windows(stack: Stack) -> Stack:
        counts = windows.counts(stack.numbers or range(layers))
        windowed = tuple(WindowedLayers(window, n) for window, n in counts.items() if window)
        if two_sided:
            return replace(stack, two_sided_windows=windowed)
        return replace(stack, windows=windowed)

    return map_stacks(items, with_windows)


def _per_layer(value: OneOrEach[Value]) -> PerLayer[Value]:
    """Values by layer; a single value applies to all layers."""
    return value if isinstance(value, PerLayer) else same(value)


def _check_limit(layers: int) -> None:
    """Raise TooManyLayers for more than :data:`MAX_LAYERS`."""
    if layers > MAX_LAYERS:
        message = _("{layers} layers that are not all alike", layers=layers)
        raise TooManyLayers(message, Problem.SHAPE, _("write at most {number}", number=MAX_LAYERS))
