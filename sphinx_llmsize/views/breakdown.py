"""The breakdown: every component with its shape, its count and its share of the total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.pieces import Group, Place
from sphinx_llmsize.blocks import (
    Bar,
    Block,
    Column,
    Fact,
    Facts,
    Line,
    Muted,
    Paragraph,
    Row,
    RowKind,
    Table,
)
from sphinx_llmsize.formats import percent, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.options import Detail, ViewOptions
from sphinx_llmsize.views.wording import (
    shape_line,
    shape_numbers,
    title,
    variable,
    weights_of,
)

COLUMNS = (
    Column("Component"),
    Column("Shape"),
    Column("Parameters per layer", numeric=True),
    Column("Layers", numeric=True),
    Column("Parameters", numeric=True),
    Column("Share", numeric=True),
)
_NONE: tuple[Line, ...] = ((),)
_OUTSIDE_LAYERS: tuple[Line, ...] = (("–",),)


def breakdown(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The model's facts, the table of its parameters, and notes on what is counted."""
    table = Table(caption(model), COLUMNS, tuple(_Rows(model, options.detail)))
    notes = (Paragraph((note,)) for note in model.architecture.notes)
    return (facts(model), table, *notes)


def caption(model: Model) -> str:
    """``LLaMA 7B: 6,738,415,616 parameters (6.74B)``."""
    return f"{title(model)}: {thousands(model.total)} parameters ({short(model.total)})"


def facts(model: Model) -> Facts:
    """The numbers that the shapes are made of; without positions where none are learned."""
    in_weights = {
        symbol
        for place in model.architecture.places()
        for tensor in place.stage.tensors
        for dimension in tensor.shape
        for symbol in dimension.symbols()
    }
    return Facts(
        tuple(
            Fact(variable(symbol), thousands(value), symbol.meaning)
            for symbol, value in model.architecture.sizes
            if symbol in in_weights or symbol.name != "P"
        )
    )


@dataclass(frozen=True)
class _Rows:
    """The rows of one model's table."""

    model: Model
    detail: Detail

    def __iter__(self) -> Iterator[Row]:
        for group in Group:
            places = [
                place
                for place in self.model.architecture.places()
                if place.stage.group is group and place.stage.tensors
            ]
            if places:
                yield self._group(group, places)
                for place in places:
                    yield from self._members(place)
        yield from self._totals()

    def _group(self, group: Group, places: list[Place]) -> Row:
        total = self.model.in_groups(group)
        layers = {place.layers for place in places}
        per_layer = layer_count = _NONE
        if len(layers) == 1 and places[0].stack:
            size = sum((place.stage.parameters for place in places), start=ZERO)
            per_layer, layer_count = self._number(size), self._number(layers.pop())
        return self._row((group.value,), _NONE, per_layer, layer_count, total, RowKind.GROUP)

    def _members(self, place: Place) -> Iterator[Row]:
        stage = place.stage
        if self.detail is Detail.COMPONENT:
            yield self._member((stage.label,), self._shapes(place), stage.parameters, place)
            return
        for tensor in stage.tensors:
            lines = (shape_line(tensor.shape), self._numbers(tensor.shape))
            yield self._member((tensor.name,), lines, tensor.parameters, place)

    def _member(self, label: Line, shapes: tuple[Line, ...], parameters: Size, place: Place) -> Row:
        head: tuple[Line, ...] = (label,)
        if place.stage.tied_to:
            head += ((Muted(f"tied to {place.stage.tied_to}, counted there"),),)
        total = self.model.architecture.count(place.layers * parameters)
        per_layer = self._number(parameters) if place.stack else _OUTSIDE_LAYERS
        layers = self._number(place.layers) if place.stack else _OUTSIDE_LAYERS
        return Row((head, shapes, per_layer, layers, *self._count_and_share(total)))

    def _shapes(self, place: Place) -> tuple[Line, ...]:
        lines: list[Line] = []
        for weights in weights_of(place.stage):
            bias: Line = (" + bias ", *shape_line(weights.bias)) if weights.bias else ()
            numbers = shape_numbers(weights.shape, self.model.architecture)
            if weights.bias:
                numbers += f" + {shape_numbers(weights.bias, self.model.architecture)}"
            lines.append((*weights.prefix, *shape_line(weights.shape), *bias))
            lines.append((Muted(numbers),))
        return tuple(lines)

    def _totals(self) -> Iterator[Row]:
        yield self._row(("Total",), _NONE, _NONE, _NONE, self.model.total, RowKind.TOTAL)
        row = self._row(
            ("Total without embeddings",),
            _NONE,
            _NONE,
            _NONE,
            self.model.non_embedding,
            RowKind.TOTAL,
        )
        head: tuple[Line, ...] = (*row.cells[0], (Muted("nor LM head, as scaling laws count"),))
        yield Row((head, *row.cells[1:]), row.kind)

    def _row(
        self,
        label: Line,
        shape: tuple[Line, ...],
        per_layer: tuple[Line, ...],
        layers: tuple[Line, ...],
        total: int,
        kind: RowKind,
    ) -> Row:
        return Row(((label,), shape, per_layer, layers, *self._count_and_share(total)), kind)

    def _count_and_share(self, total: int) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
        share = total / self.model.total
        return (((thousands(total),),), ((percent(share), Bar(share)),))

    def _number(self, size: Size) -> tuple[Line, ...]:
        return ((thousands(self.model.architecture.count(size)),),)

    def _numbers(self, shape: tuple[Size, ...]) -> Line:
        return (Muted(shape_numbers(shape, self.model.architecture)),)
