"""The breakdown: every component with its shape, its count and its share of the total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.algebra import ZERO, Size, product
from sphinx_llmsize.architecture.stacks import by_group
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import SINGLE, Shape
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Fact,
    Facts,
    Line,
    Muted,
    Paragraph,
    Row,
    RowKind,
    Table,
)
from sphinx_llmsize.config.symbols import D_H, H_KV, D, E, F, H, L
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.counted_rows import (
    EMPTY,
    OUTSIDE_LAYERS,
    counted_columns,
    counted_row,
    number_cell,
)
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.wording import (
    filled,
    shape_line,
    shape_numbers,
    title,
    used_text,
    variable,
    weights_of,
)
from sphinx_llmsize.views.view_options import Detail, ViewOptions


def breakdown(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The model's facts, the table of its parameters, and notes on what is counted."""
    columns = counted_columns(_("Parameters"), of=_("Shape"))
    table = Table(caption(model), columns, tuple(_Rows(model, options.detail)))
    return (facts(model), table, *(Paragraph((_(note),)) for note in model.notes))


def caption(model: Model) -> str:
    """``LLaMA 7B: 6,738,415,616 parameters (6.74B)``, with experts also the active ones."""
    total = _(
        "{model}: {total} parameters ({rounded})",
        model=title(model),
        total=thousands(model.total),
        rounded=short(model.total),
    )
    if model.active == model.total:
        return total
    used = {"active": thousands(model.active), "rounded": short(model.active)}
    return _("{all}, {active} active ({rounded})", all=total, **used)


def facts(model: Model) -> Facts:
    """The numbers that the shapes are made of, and those that every model is known by."""
    sizes = model.architecture.sizes
    used = {*model.architecture.symbols, *model.architecture.activation_symbols}
    # every model is known by these, used or not; key heads tell something if they are fewer
    known_by = {D, L, H, D_H, *(() if E in sizes else (F,))}
    shares_keys = H_KV in sizes and sizes[H_KV] != sizes.get(H)
    told = {*used, *known_by, *((H_KV,) if shares_keys else ())}
    return Facts(
        tuple(
            Fact(variable(symbol), thousands(value), _(symbol.meaning))
            for symbol, value in sizes.items()
            if symbol in told
        )
    )


@dataclass(frozen=True)
class _Rows:
    """The rows of one model's table."""

    model: Model
    detail: Detail

    def __iter__(self) -> Iterator[Row]:
        architecture = self.model.architecture
        for group, places in by_group(architecture.places()):
            members = occurrences(places, architecture)
            yield self._group(group, members)
            for occurrence in members:
                yield from self._members(occurrence)
        yield self._row(RowKind.TOTAL, ((_("Total"),),), self.model.total)
        if self.model.active != self.model.total:
            head: Cell = ((_("Active"),), (Muted(_("what one token uses")),))
            yield self._row(RowKind.TOTAL, head, self.model.active)
        without = Muted(_("nor LM head, as scaling laws count"))
        head = ((_("Total without embeddings"),), (without,))
        yield self._row(RowKind.TOTAL, head, self.model.non_embedding)

    def _group(self, group: Group, members: tuple[Occurrence, ...]) -> Row:
        layers = EMPTY, EMPTY
        if len({occurrence.stacks for occurrence in members}) == 1 and members[0].stacks:
            size = sum((occurrence.stage.parameters for occurrence in members), start=ZERO)
            layers = self._per_layer(size, members[0])
        total = self.model.in_groups(group)
        return self._row(RowKind.GROUP, ((_(group.label),),), total, layers=layers)

    def _members(self, occurrence: Occurrence) -> Iterator[Row]:
        stage = occurrence.stage
        if self.detail is Detail.COMPONENT:
            shape = self._weights(stage)
            yield self._member(_(stage.label), shape, stage.parameters, occurrence)
            return
        for tensor in stage.tensors:
            cell: Cell = (shape_line(tensor.stored), (self._numbers(tensor.stored),))
            yield self._member(tensor.name, cell, tensor.parameters, occurrence)

    def _member(self, label: str, shape: Cell, parameters: Size, occurrence: Occurrence) -> Row:
        tied = occurrence.stage.tied_to
        there = _("tied to {weights}, counted there", weights=_(tied)) if tied else ""
        notes = [occurrence.where, there]
        head: Cell = ((label,), *((Muted(note),) for note in notes if note))
        total = self.model.architecture.count(product(occurrence.layers, parameters))
        layers = self._per_layer(parameters, occurrence) if occurrence.stacks else OUTSIDE_LAYERS
        return self._row(RowKind.MEMBER, head, total, shape=shape, layers=layers)

    def _weights(self, stage: Stage) -> Cell:
        """A line of symbols and a line of numbers for each of the stage's shapes."""
        lines: list[Line] = []
        for weights in weights_of(stage):
            symbols: Line = (*weights.prefix, *shape_line(weights.shape))
            numbers = self._numbers(weights.shape).text
            if weights.bias:
                symbols = filled(
                    _("{weights} + bias {shape}"), weights=symbols, shape=shape_line(weights.bias)
                )
                numbers += f" + {self._numbers(weights.bias).text}"
            lines += [symbols, (Muted(numbers),)]
        if stage.expert_count != SINGLE:
            lines.append((Muted(used_text(stage.expert_count, self.model.architecture)),))
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
        return counted_row(kind, head, total, total=self.model.total, made=shape, layers=layers)

    def _per_layer(self, parameters: Size, occurrence: Occurrence) -> tuple[Cell, Cell]:
        count = self.model.architecture.count
        return number_cell(count(parameters)), number_cell(count(occurrence.layers))

    def _numbers(self, shape: Shape) -> Muted:
        return Muted(shape_numbers(shape, self.model.architecture))
