"""Numbers of layers of each kind, as functions of the number of all layers of a stack.

In a model whose layers differ, a list states which layers have experts or a sliding window. Lists
can't be traced. So the model is built for each number of layers in turn, and the numbers of layers
of each kind are stored in a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, repeat

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.parts import ENCODER
from sphinx_llmsize.architecture.stacks import Stack, map_stacks
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.traced import Traced, look_up

Build = Callable[[int], Architecture]
"""Function that builds the model with a number of layers; raises ConfigError if it can't."""
MAX_LAYERS = 200
"""Largest number of layers in a table, unless the model has more."""
MAX_STACKS = 6
"""Largest number of stacks in a combination of which the order of layers is compared."""


@dataclass(frozen=True)
class LayerTables:
    """Architectures that differ only in how many layers of each kind there are.

    Attributes:
        symbol: symbol of the number of all layers: L, or that of an encoder or decoder.
        counts: for each number of all layers, the numbers of layers of each stack and window.
    """

    symbol: Symbol
    counts: dict[int, tuple[int, ...]]

    @property
    def least(self) -> int:
        """The smallest number of layers."""
        return min(self.counts)

    @property
    def most(self) -> int:
        """The largest number of layers."""
        return max(self.counts)


def layer_tables(symbol: Symbol, build: Build, layers: int) -> LayerTables:
    """Build the model with fewer and with more layers, as long as its structure is the same.

    Args:
        symbol: symbol of the number of layers.
        build: function that builds the model.
        layers: the model's own number of layers.
    """
    own_architecture = build(layers)
    own_structure = _structure(own_architecture, symbol)
    counts = {layers: _counts(own_architecture)}
    fewer = range(layers - 1, 0, -1)
    more = range(layers + 1, max(2 * layers, MAX_LAYERS) + 1)
    for numbers in (fewer, more):
        for number in numbers:
            try:
                other = build(number)
            except ConfigError:
                break
            if _structure(other, symbol) != own_structure:
                break
            counts[number] = _counts(other)
    return LayerTables(symbol, counts)


def with_traced_layers(
    architecture: Architecture, tables: LayerTables, layers: Traced
) -> Architecture:
    """The architecture with traced numbers of layers, within the range of the tables."""
    assert tables.least <= layers <= tables.most  # recorded as conditions
    traced_counts = iter(_traced_counts(architecture, tables, layers))
    items = map_stacks(architecture.items, partial(_with_counts, traced_counts))
    configured = [
        (symbol, layers if symbol == tables.symbol else value)
        for symbol, value in architecture.configured
    ]
    return replace(architecture, items=items, configured=tuple(configured))  # type: ignore[arg-type]


def _traced_counts(architecture: Architecture, tables: LayerTables, layers: Traced) -> list[int]:
    """The numbers of layers of each stack and window, in the order of :func:`_counts`."""
    columns = zip(*tables.counts.values(), strict=True)
    counts: list[int] = []
    for column, own_count in zip(columns, _counts(architecture), strict=True):
        if len(set(column)) == 1:
            # a count that doesn't depend on this number of layers: of an encoder beside a decoder,
            # or the reverse; it may be traced already
            counts.append(own_count)
        else:
            counts.append(look_up(layers, dict(zip(tables.counts, column, strict=True))))
    return counts


def _with_counts(counts: Iterator[int], stack: Stack) -> Stack:
    """The stack with the next counts as its number of layers and those of its windows."""
    size = stack.layers
    if isinstance(size, Quantity):
        size = replace(size, value=next(counts))
    windows = tuple(replace(each, layers=next(counts)) for each in stack.windows)
    return replace(stack, layers=size, windows=windows)


def _counts(architecture: Architecture) -> tuple[int, ...]:
    """The numbers of layers, in the order in which :func:`_with_counts` takes them."""
    counts: list[int] = []
    for stack in architecture.stacks():
        if isinstance(stack.layers, Quantity):
            counts.append(stack.layers.value)
        counts += [windowed.layers for windowed in stack.windows]
    return tuple(counts)


def _structure(architecture: Architecture, symbol: Symbol) -> object:
    """Everything in an architecture but its numbers of layers.

    Architectures of the same structure have the same texts, except for numbers. So one layer of a
    kind, or none, is another structure than several, and so is another order of kinds of layers.
    """
    without_counts = partial(_with_counts, repeat(0))
    items = map_stacks(architecture.items, without_counts)
    sizes = tuple(each for each in architecture.configured if each[0] != symbol)
    are_several = [count > 1 for count in _counts(architecture)]
    stacks = tuple(architecture.stacks())
    encoder_stacks = tuple(stack for stack in stacks if ENCODER in stack.kinds)
    other_stacks = tuple(stack for stack in stacks if stack not in encoder_stacks)
    orders = [list(_layer_order(encoder_stacks)), list(_layer_order(other_stacks))]
    return (items, sizes, architecture.notes, are_several, orders)


def _layer_order(stacks: tuple[Stack, ...]) -> Iterator[tuple[int, bool]]:
    """For each combination of stacks, the first layer, and True if all layers are consecutive."""
    for count in range(1, min(len(stacks), MAX_STACKS) + 1):
        for combination in combinations(stacks, count):
            numbers = sorted(number for stack in combination for number in stack.numbers)
            if numbers:
                yield numbers[0], numbers[-1] - numbers[0] < len(numbers)
