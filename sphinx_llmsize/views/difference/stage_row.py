"""A row of a model's pipeline, in a diagram of a difference, and sections of consecutive rows."""

from __future__ import annotations

from dataclasses import dataclass, field

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, NormKind
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.windows_in_words import Window

RowId = tuple[int, str]
"""Number of a section of the pipeline, and the id of a row in it."""


@dataclass(frozen=True)
class RowSize:
    """Number of parameters of a row in one layer, and the layers that have it.

    Attributes:
        parameters: number of parameters; None if all are those of other stages.
        is_in_layers: it is in layers, not beside them.
        some_layers: number of layers that have the row, and of all in its section; None if all do.
        is_mean: layers have different numbers of parameters, and this is their mean.
    """

    parameters: int | None
    is_in_layers: bool
    some_layers: tuple[int, int] | None
    is_mean: bool = False


@dataclass(frozen=True)
class SharedWeights:
    """Weights of a row that several layers share.

    Attributes:
        sets: number of sets of weights, including those of single layers.
        are_all_shared: no layer has weights of its own.
        layers: number of layers with the row.
    """

    sets: int
    are_all_shared: bool
    layers: int = field(compare=False)


@dataclass(frozen=True)
class StageRow:
    """A row of a pipeline.

    Attributes:
        id: the same for rows with the same purpose in different models.
        kind: its name, in the form shown as a title: ``Grouped-query attention``.
        group: group of its stages.
        size: its parameters.
        windows: its attention windows, with their layers if not all have them: ``windows of 4,096
            tokens in 62 of 124 layers``; None without attention.
        norm: kind of a norm; None for other rows, and if unknown.
        is_parallel: it is a feed-forward network in parallel to attention.
        shared_weights: its weights, if several layers share them; else None.
        reads_tokens: its input is tokens, as for the embedding of a decoder after its encoder.
        sizes: symbols in the shapes of its own tensors, with their numbers; not of tied ones.
        placed_stages: its stages, in every stack that has them.
        mask_and_positions: their names: ``causal``; empty where they are not shown.
        is_changed: it differs from that of the other model in something that :meth:`is_like` does
            not compare.
    """

    id: str
    kind: Description
    group: Group
    size: RowSize
    windows: Description | None
    norm: NormKind | None
    is_parallel: bool
    shared_weights: SharedWeights | None
    reads_tokens: bool
    sizes: tuple[tuple[Symbol, int], ...]
    placed_stages: tuple[PlacedStage, ...] = field(compare=False, repr=False)
    mask_and_positions: str = ""
    is_changed: bool = False

    @property
    def symbols(self) -> frozenset[Symbol]:
        """Symbols in the shapes of its own tensors."""
        return frozenset(symbol for symbol, _number in self.sizes)

    @property
    def symbols_in_products(self) -> frozenset[Symbol]:
        """Symbols in its products of activations: the number of heads of attention."""
        products = (each for placed in self.placed_stages for each in placed.stage.computes)
        return frozenset(symbol for each in products for symbol in each.flops.symbols())

    @property
    def groups(self) -> frozenset[Group]:
        """Groups of its stages: attention may contain the norms of queries and keys."""
        return frozenset(placed.stage.group for placed in self.placed_stages)

    def has_other_norm_than(self, other: StageRow) -> bool:
        """True for norms of two known kinds that differ."""
        return bool(self.norm and other.norm) and self.norm != other.norm

    def has_other_window_sizes_than(self, other: StageRow) -> bool:
        """True for attention with windows of other sizes, in whichever layers they are."""
        if self.windows is None or other.windows is None:
            return False
        sizes, sizes_of_other = (
            {fact for fact in windows.facts if isinstance(fact, Window)}
            for windows in (self.windows, other.windows)
        )
        return self.windows.about != other.windows.about or sizes != sizes_of_other

    def is_like(self, other: StageRow) -> bool:
        """True if nothing that is shown of the rows differs, nor a size of their weights.

        Other sizes may have the same product: 1,024 × 4,096 and 2,048 × 2,048.
        """
        if self.is_changed or self.has_other_norm_than(other):
            return False
        shown, shown_of_other = (
            (row.kind, row.size, row.windows, row.is_parallel, row.shared_weights)
            for row in (self, other)
        )
        before, after = dict(self.sizes), dict(other.sizes)
        common = before.keys() & after.keys()
        return shown == shown_of_other and all(before[s] == after[s] for s in common)


@dataclass(frozen=True)
class RowSection:
    """Consecutive rows: all those in layers, or some outside.

    Attributes:
        layers: number of layers; 0 outside the layers.
        rows: the rows in order.
        ids_in_stacks: the ids of the rows in each stack of layers.
    """

    layers: int
    rows: tuple[StageRow, ...]
    ids_in_stacks: tuple[tuple[str, ...], ...] = ()
