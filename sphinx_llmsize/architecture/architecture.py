"""A model's pieces with the numbers behind their symbols."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.architecture.stacks import Interleaved, Item, PlacedStage, Stack, places_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class Architecture:
    """A model's pipeline, and the number behind every symbol of it.

    Attributes:
        items: stages and stacks in the order the tokens pass them.
        configured: the number of each symbol that a configuration key has.
        notes: what a reader must know about what is counted.
    """

    items: tuple[Item, ...]
    configured: tuple[tuple[Symbol, int], ...]
    notes: tuple[str, ...] = ()

    def places(self) -> Iterator[PlacedStage]:
        """Every stage, in order, with its stack."""
        return places_of(self.items)

    def stacks(self) -> Iterator[Stack]:
        """Every stack, in order."""
        for item in self.items:
            if isinstance(item, Stack):
                yield item
            elif isinstance(item, Interleaved):
                yield from item.stacks

    @cached_property
    def sizes(self) -> dict[Symbol, int]:
        """Each symbol's number, the configured ones first; the sequence length T has none."""
        return {
            **dict(self.configured),
            **{s: s.value for s in self.symbols if isinstance(s, Quantity)},
        }

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """Every symbol that its tensors and stacks are written with."""
        sizes: dict[Size, None] = {}
        for place in self.places():
            sizes[place.layers] = None
            for tensor in place.stage.tensors:
                sizes |= dict.fromkeys((*tensor.expert_count.sizes, *tensor.shape))
        by_size = (sorted(size.symbols(), key=lambda symbol: symbol.name) for size in sizes)
        return tuple(dict.fromkeys(symbol for symbols in by_size for symbol in symbols))

    @cached_property
    def activation_symbols(self) -> frozenset[Symbol]:
        """Every symbol that the shapes between its stages are written with."""
        stages = (place.stage for place in self.places())
        sizes = (size for stage in stages for size in (*stage.output, *stage.inner))
        return frozenset().union(*(size.symbols() for size in sizes))

    def count(self, expression: Size) -> int:
        """The number that a symbolic size comes to.

        Raises:
            KeyError: it depends on the length of the sequence.
        """
        return expression.evaluate(self.sizes)

    def count_at(self, expression: Size, lengths: Mapping[Symbol, int]) -> int:
        """The number that a size comes to for sequences of these lengths."""
        return expression.evaluate({**self.sizes, **lengths})
