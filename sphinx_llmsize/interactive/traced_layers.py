"""Numbers of layers of each kind, as functions of the number of all layers of a stack.

In a model whose layers differ, a list of layers decides which of them have experts or a window. It
can't be traced, so the model is built for each number of layers in turn, and the numbers of layers
of each kind become a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.parts import ENCODER
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.traced import Traced, look_up

Build = Callable[[int], Architecture]
"""Function that builds the model with a number of layers; raises ConfigError if it can't."""
MAX_LAYERS = 200
"""Largest number of layers in a table, unless the model has more."""
MAX_STACKS = 6
"""Most kinds of layers whose order is compared."""


@dataclass(frozen=True)
class LayerTables:
    """Architectures that differ only in how many layers of each kind there are.

    Attributes:
        symbol: symbol of the number of all layers: L, or that of an encoder or decoder.
        counts: by number of all layers, the number of layers of each stack and window.
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
    """Build the model for numbers of layers around its own, as long as its structure is the same.

    A single layer of a kind counts as another structure than several, as texts name it differently.
    """
    known = build(layers)
    found = {layers: _counts(known)}
    for numbers in (range(layers - 1, 0, -1), range(layers + 1, max(2 * layers, MAX_LAYERS) + 1)):
        for number in numbers:
            try:
                other = build(number)
            except ConfigError:
                break
            counts = _counts(other)
            is_alike = [n < 2 for n in counts] == [n < 2 for n in found[layers]]  # noqa: PLR2004
            if not is_alike or _structure(other, symbol) != _structure(known, symbol):
                break
            found[number] = counts
    return LayerTables(symbol, found)


def with_traced_layers(
    architecture: Architecture, tables: LayerTables, layers: Traced
) -> Architecture:
    """The architecture with traced numbers of layers, within the range of the tables."""
    assert tables.least <= layers <= tables.most  # recorded as conditions
    columns = zip(*tables.counts.values(), strict=True)
    counts = (
        look_up(layers, dict(zip(tables.counts, column, strict=True)))
        if len(set(column)) > 1
        else own  # of the other stack of an encoder-decoder
        for column, own in zip(columns, _counts(architecture), strict=True)
    )
    items = tuple(_with_counts(item, counts) for item in architecture.items)
    symbol = tables.symbol
    configured = ((s, layers if s == symbol else value) for s, value in architecture.configured)
    return replace(architecture, items=items, configured=tuple(configured))  # type: ignore[arg-type]


def _with_counts(item: Item, counts: Iterator[int]) -> Item:
    """The item with the next counts as its numbers of layers."""
    if isinstance(item, Interleaved):
        return replace(item, stacks=tuple(_stack(stack, counts) for stack in item.stacks))
    return _stack(item, counts) if isinstance(item, Stack) else item


def _stack(stack: Stack, counts: Iterator[int]) -> Stack:
    size = stack.layers
    if isinstance(size, Quantity):
        size = replace(size, value=next(counts))
    windows = tuple(replace(each, layers=next(counts)) for each in stack.windows)
    return replace(stack, layers=size, windows=windows)


def _counts(architecture: Architecture) -> tuple[int, ...]:
    """The numbers of layers in the order in which :func:`_stack` reads them."""
    found: list[int] = []
    for stack in architecture.stacks():
        found += [stack.layers.value] if isinstance(stack.layers, Quantity) else []
        found += [windowed.layers for windowed in stack.windows]
    return tuple(found)


def _structure(architecture: Architecture, symbol: Symbol) -> object:
    """Everything in an architecture but its numbers of layers."""
    zeros = iter(lambda: 0, None)
    items = tuple(_with_counts(item, zeros) for item in architecture.items)
    sizes = tuple((s, value) for s, value in architecture.configured if s != symbol)
    stacks = tuple(architecture.stacks())
    encoder = tuple(stack for stack in stacks if ENCODER in stack.kinds)
    others = tuple(stack for stack in stacks if stack not in encoder)
    return (items, sizes, architecture.notes, *_order(encoder), *_order(others))


def _order(stacks: tuple[Stack, ...]) -> Iterator[tuple[int, bool]]:
    """For each combination of stacks, the first layer and whether all are consecutive."""
    for count in range(1, min(len(stacks), MAX_STACKS) + 1):
        for chosen in combinations(stacks, count):
            numbers = sorted(number for stack in chosen for number in stack.numbers)
            if numbers:
                yield numbers[0], numbers[-1] - numbers[0] < len(numbers)
