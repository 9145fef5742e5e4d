"""Architecture of a model: stages and stacks, and the value of each symbol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.architecture.layer_counts import LayerCounts
from sphinx_llmsize.architecture.stacks import Item, PlacedStage, Stack, placed_stages_of, stacks_of
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.config.symbols import Length


@dataclass(frozen=True)
class Architecture:
    """Pipeline of a model with the values of the symbols in its shapes.

    Attributes:
        items: stages and stacks, in the order of the forward pass.
        configured: value of each symbol that has a configuration key.
        notes: remarks on the count, for readers.
    """

    items: tuple[Item, ...]
    configured: tuple[tuple[Symbol, int], ...]
    notes: tuple[str, ...] = ()

    def placed_stages(self, *groups: Group) -> Iterator[PlacedStage]:
        """Stages in order, each with its stack: all, or only those of some groups."""
        placed_stages = self._all_placed_stages
        return (p for p in placed_stages if not groups or p.stage.group in groups)

    @cached_property
    def _all_placed_stages(self) -> tuple[PlacedStage, ...]:
        """Stages in order, each with its stack."""
        return tuple(placed_stages_of(self.items))

    def stages(self) -> Iterator[Stage]:
        """Stages in order, without their stacks."""
        return (placed.stage for placed in self.placed_stages())

    def stacks(self) -> Iterator[Stack]:
        """Stacks in order."""
        for item in self.items:
            yield from stacks_of(item)

    @cached_property
    def sizes(self) -> dict[Symbol, int]:
        """Value of each symbol except sequence lengths; configured symbols first."""
        return {
            **dict(self.configured),
            **{s: s.value for s in self.layer_counts.quantities()},
            **{s: s.value for s in self.symbols if isinstance(s, Quantity)},
        }

    @cached_property
    def layer_counts(self) -> LayerCounts:
        """Symbols for the numbers of layers of each kind, such as ``L_Mamba``."""
        return LayerCounts(self.stacks(), dict(self.configured))

    def stage(self, id: str) -> Stage:
        """The first stage with this id."""
        return next(stage for stage in self.stages() if stage.id == id)

    @cached_property
    def symbols(self) -> tuple[Symbol, ...]:
        """Symbols in the shapes of tensors, in expert counts and in numbers of layers."""
        sizes: dict[Size, None] = {}  # dicts in place of sets keep the order
        for placed in self.placed_stages():
            sizes[placed.layers] = None
            for tensor in placed.stage.tensors:
                expert_sizes = tensor.expert_count.sizes if tensor.expert_count else ()
                sizes |= dict.fromkeys((*expert_sizes, *tensor.shape))
        symbols: dict[Symbol, None] = {}
        for size in sizes:
            symbols |= dict.fromkeys(sorted(size.symbols(), key=str))
        return tuple(symbols)

    @cached_property
    def groups(self) -> frozenset[Group]:
        """Groups that have a stage."""
        return frozenset(stage.group for stage in self.stages())

    @property
    def heads_with_weights(self) -> frozenset[str]:
        """Ids of the heads with weights of their own; an LM head that is wholly tied has none."""
        heads = (placed.stage for placed in self.placed_stages(Group.HEAD))
        return frozenset(
            head.id for head in heads if not all(tensor.tied_to for tensor in head.tensors)
        )

    @cached_property
    def activation_symbols(self) -> frozenset[Symbol]:
        """Symbols in the shapes of activations."""
        sizes = (size for stage in self.stages() for size in (*stage.output, *stage.intermediate))
        return frozenset().union(*(size.symbols() for size in sizes))

    @cached_property
    def product_symbols(self) -> frozenset[Symbol]:
        """Symbols in the FLOPs of matrix products."""
        matmuls = (matmul for stage in self.stages() for matmul in stage.matmuls)
        return frozenset().union(*(matmul.flops.symbols() for matmul in matmuls))

    @cached_property
    def has_cache(self) -> bool:
        """True if a stage caches elements while text is generated; encoders have no cache."""
        return any(stage.caches for stage in self.stages())

    @cached_property
    def has_unknown_lengths(self) -> bool:
        """True if a sequence's length isn't known from the number of tokens (BLT's patches).

        It depends on the text, so caches and the FLOPs of a next token aren't counted.
        """
        return any(isinstance(s, Length) and s.depends_on_text for s in self.activation_symbols)

    def count(self, size: Size) -> int:
        """Value of a symbolic size.

        Raises:
            KeyError: the size depends on a sequence length.
        """
        return size.evaluate(self.sizes)

    def count_at(self, size: Size, lengths: Mapping[Symbol, int]) -> int:
        """Value of a symbolic size for sequences of these lengths."""
        return size.evaluate({**self.sizes, **lengths})
