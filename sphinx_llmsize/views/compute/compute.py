"""Compute: FLOPs of a forward pass, of the next token, and how far the known rules are off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.architecture.cost import flops, flops_of_layer, forward, next_token
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import SINGLE
from sphinx_llmsize.blocks import (
    Bar,
    Block,
    Cell,
    Column,
    Muted,
    Paragraph,
    Row,
    RowKind,
    Table,
)
from sphinx_llmsize.config.symbols import R_KV, T
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.compute.counts import flops_of, flops_text
from sphinx_llmsize.views.compute.flops_rules import rules
from sphinx_llmsize.views.compute.sums import flops_sum
from sphinx_llmsize.views.shapes.steps import of_whole_sequence
from sphinx_llmsize.views.shared.counted_rows import (
    EMPTY,
    OUTSIDE_LAYERS,
    counted_columns,
    counted_row,
    number_cell,
)
from sphinx_llmsize.views.shared.lengths import as_long, context_of, generates, tokens_of
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.operations import Passing, product_of, together
from sphinx_llmsize.views.shared.wording import TIMES, filled, sentences, title, used_text, variable
from sphinx_llmsize.views.view_options import ViewOptions

COUNTED = N_(
    "Every multiplication and every addition of a matrix product is one FLOP. All {pairs} scores "
    "count, as they are computed before a mask; what skips the masked ones spares about half of "
    "them. Norms, activation functions, softmax and rotary positions are no matrix products and "
    "are not counted."
)
FROM_LATENTS = N_(
    "Keys and values of the tokens before are at hand for every head, not made anew from latents."
)


def compute(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The FLOPs by component, their sum in symbols, one more token, and the rules."""
    tokens = tokens_of(model, options)
    counted = filled(_(COUNTED), pairs=(variable(T), TIMES, variable(T)))
    return (
        _table(model, tokens),
        Paragraph(sentences(counted, as_long(model))),
        *flops_sum(model, tokens),
        *(_next_token(model, context_of(model, options)) if generates(model) else ()),
        rules(model, tokens),
    )


def _table(model: Model, tokens: int) -> Table:
    total = flops_of(model.architecture, forward(tokens)).total
    caption = ngettext(
        "{model}: {total} FLOPs for a forward pass of {number} token ({rounded})",
        "{model}: {total} FLOPs for a forward pass of {number} tokens ({rounded})",
        tokens,
        model=title(model),
        total=thousands(total),
        number=thousands(tokens),
        rounded=flops_text(total),
    )
    columns = counted_columns(_("FLOPs"), of=_("Operation"))
    return Table(caption, columns, tuple(_Rows(model, tokens, total)))


@dataclass(frozen=True)
class _Rows:
    """The rows of the table of one pass."""

    model: Model
    tokens: int
    total: int

    def __iter__(self) -> Iterator[Row]:
        places = [place for place in self.model.architecture.places() if place.stage.matmuls]
        for group in Group:
            of_group = [place for place in places if place.stage.group is group]
            if self._count(of_group):
                members = occurrences(of_group, self.model.architecture)
                yield self._group(group, of_group, members)
                yield from map(self._member, members)
        yield self._row(RowKind.TOTAL, ((_("Total"),),), self.total)
        each = round(self.total / self.tokens)
        head: Cell = ((_("Per token"),),)
        yield Row((head, EMPTY, EMPTY, EMPTY, number_cell(each), EMPTY), RowKind.TOTAL)

    def _count(self, places: list[PlacedStage]) -> int:
        return flops(self.model.architecture, places, forward(self.tokens))

    def _group(
        self, group: Group, places: list[PlacedStage], members: tuple[Occurrence, ...]
    ) -> Row:
        layers = EMPTY, EMPTY
        if len({member.stacks for member in members}) == 1 and members[0].stacks:
            layers = self._layers(sum(map(self._of_one, members)), members[0])
        return self._row(RowKind.GROUP, ((_(group.label),),), self._count(places), layers=layers)

    def _member(self, member: Occurrence) -> Row:
        stage, one = member.stage, self._of_one(member)
        notes = [member.where]
        if stage.expert_count != SINGLE:
            notes.append(used_text(stage.expert_count, self.model.architecture))
        head: Cell = ((_(stage.label),), *((Muted(note),) for note in notes if note))
        layers = self._layers(one, member) if member.stacks else OUTSIDE_LAYERS
        number = one * self._passed(member)
        return self._row(RowKind.MEMBER, head, number, made=self._made(member), layers=layers)

    def _made(self, member: Occurrence) -> Cell:
        passing = Passing(self.model.architecture, self.tokens)
        products = [
            (label, matmul)
            for label, matmul in together(of_whole_sequence(member.stage).matmuls)
            if passing.count(matmul.count)
        ]
        cells = ((label, passing.cell(product_of(matmul))) for label, matmul in products)
        named = len(products) > 1
        return tuple(
            line
            for label, (symbols, *numbers) in cells
            for line in ((f"{label}: ", *symbols) if label and named else symbols, *numbers)
        )

    def _of_one(self, member: Occurrence) -> int:
        """In one layer, whatever its window."""
        architecture, run = self.model.architecture, forward(self.tokens)
        return sum(flops_of_layer(architecture, m, run) for m in member.stage.matmuls)

    def _passed(self, member: Occurrence) -> int:
        """How many layers; each of those that share weights."""
        count = self.model.architecture.count
        return sum(count(s.layers) * count(s.shared_by) for s in member.stacks) or 1

    def _layers(self, one: int, member: Occurrence) -> tuple[Cell, Cell]:
        return number_cell(one), number_cell(self._passed(member))

    def _row(
        self,
        kind: RowKind,
        head: Cell,
        number: int,
        *,
        made: Cell = EMPTY,
        layers: tuple[Cell, Cell] = (EMPTY, EMPTY),
    ) -> Row:
        return counted_row(kind, head, number, total=self.total, made=made, layers=layers)


def _next_token(model: Model, context: int) -> Iterator[Block]:
    """One more token: its products with the weights, and with what is kept of those before."""
    found = flops_of(model.architecture, next_token(context))
    caption = _(
        "{model}: {total} FLOPs for one more token, with {context} in context ({rounded})",
        model=title(model),
        total=thousands(found.total),
        context=thousands(context),
        rounded=flops_text(found.total),
    )
    parts = {
        (_("Products with weights"), _("the same at any context")): found.weights,
        (_("Products with what is kept"), _("keys and values, states")): found.activations,
    }
    rows = (
        Row((((label,), (Muted(note),)), number_cell(number), _share(number, found.total)))
        for (label, note), number in parts.items()
        if number
    )
    total = Row((((_("Total"),),), number_cell(found.total), _share(1, 1)), RowKind.TOTAL)
    columns = (
        Column(_("Products")),
        Column(_("FLOPs"), numeric=True),
        Column(_("Share"), numeric=True),
    )
    yield Table(caption, columns, (*rows, total))
    cache_elements = (
        size for p in model.architecture.places() for shape in p.stage.caches for size in shape
    )
    if any(R_KV in size.symbols() for size in cache_elements):
        yield Paragraph((_(FROM_LATENTS),))


def _share(number: int, total: int) -> Cell:
    return ((percent(number / total), Bar(number / total)),)
