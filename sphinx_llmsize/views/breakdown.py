"""The breakdown: every component with its shape, its count and its share of the total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.pieces import Group, Place, Shape, by_group
from sphinx_llmsize.blocks import (
    Bar,
    Block,
    Cell,
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
from sphinx_llmsize.config.vocabulary import P
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
EMPTY: Cell = ((),)
OUTSIDE_LAYERS: tuple[Cell, Cell] = ((("–",),), (("–",),))


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
            if symbol in in_weights or symbol is not P
        )
    )


@dataclass(frozen=True)
class _Rows:
    """The rows of one model's table."""

    model: Model
    detail: Detail

    def __iter__(self) -> Iterator[Row]:
        for group, places in by_group(self.model.architecture.places()):
            yield self._group(group, places)
            for place in places:
                yield from self._members(place)
        yield self._row(RowKind.TOTAL, (("Total",),), self.model.total)
        head: Cell = (("Total without embeddings",), (Muted("nor LM head, as scaling laws count"),))
        yield self._row(RowKind.TOTAL, head, self.model.non_embedding)

    def _group(self, group: Group, places: tuple[Place, ...]) -> Row:
        layers = EMPTY, EMPTY
        if len({place.stack for place in places}) == 1 and places[0].stack:
            size = sum((place.stage.parameters for place in places), start=ZERO)
            layers = self._per_layer(size, places[0])
        total = self.model.in_groups(group)
        return self._row(RowKind.GROUP, ((group.value,),), total, layers=layers)

    def _members(self, place: Place) -> Iterator[Row]:
        if self.detail is Detail.COMPONENT:
            label = place.stage.label
            yield self._member(label, self._weights(place), place.stage.parameters, place)
            return
        for tensor in place.stage.tensors:
            shape: Cell = (shape_line(tensor.shape), (self._numbers(tensor.shape),))
            yield self._member(tensor.name, shape, tensor.parameters, place)

    def _member(self, label: str, shape: Cell, parameters: Size, place: Place) -> Row:
        tied = place.stage.tied_to
        note: Cell = ((Muted(f"tied to {tied}, counted there"),),) if tied else ()
        total = self.model.architecture.count(place.layers * parameters)
        layers = self._per_layer(parameters, place) if place.stack else OUTSIDE_LAYERS
        return self._row(RowKind.MEMBER, ((label,), *note), total, shape=shape, layers=layers)

    def _weights(self, place: Place) -> Cell:
        """A line of symbols and a line of numbers for each of the stage's shapes."""
        lines: list[Line] = []
        for weights in weights_of(place.stage):
            symbols: Line = (*weights.prefix, *shape_line(weights.shape))
            numbers = self._numbers(weights.shape).text
            if weights.bias:
                symbols += (" + bias ", *shape_line(weights.bias))
                numbers += f" + {self._numbers(weights.bias).text}"
            lines += [symbols, (Muted(numbers),)]
        return tuple(lines)

    def _row(
        self,
        kind: RowKind,
        head: Cell,
        total: int,
        *,
        shape: Cell = EMPTY,
        layers: tuple[Cell, Cell] = (EMPTY, EMPTY),
    ) -> Row:
        share = total / self.model.total
        return Row((head, shape, *layers, _cell(total), ((percent(share), Bar(share)),)), kind)

    def _per_layer(self, parameters: Size, place: Place) -> tuple[Cell, Cell]:
        count = self.model.architecture.count
        return _cell(count(parameters)), _cell(count(place.layers))

    def _numbers(self, shape: Shape) -> Muted:
        return Muted(shape_numbers(shape, self.model.architecture))


def _cell(number: int) -> Cell:
    return ((thousands(number),),)
