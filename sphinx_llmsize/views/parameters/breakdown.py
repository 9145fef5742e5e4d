"""Table view: every component with its shape, parameters and share of the total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Shape, Tensor
from sphinx_llmsize.blocks import Block, Cell, Facts, Line, Note, RowKind, cell
from sphinx_llmsize.config.symbols import D_H, H_KV, D, E, F, H, L
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.measures import ACTIVE
from sphinx_llmsize.views.numbers.parts import NON_EMBEDDING, TOTAL
from sphinx_llmsize.views.numbers.row_names import size_names, stage_name, tensor_name
from sphinx_llmsize.views.own_words import Labels, own_label
from sphinx_llmsize.views.parameters.parameter_columns import (
    USUAL,
    WITHOUT_SHAPES,
    parameter_columns,
)
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.counted_table import (
    Counted,
    counted_in,
    counted_table,
    grouped,
    stage_label,
)
from sphinx_llmsize.views.shared.identifiers import with_code
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_by_group
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    experts_text,
    facts_of,
    filled,
    shape_line,
    shape_numbers,
    title,
    weights_of,
)
from sphinx_llmsize.views.view_options import Detail, ViewOptions


def breakdown(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The model's facts, the table of its parameters, and notes on the count."""
    is_brief = options.detail is Detail.BRIEF
    rows = (*_grouped_rows(model, options), *_totals(model, options.labels))
    usual = WITHOUT_SHAPES if is_brief else USUAL
    columns = parameter_columns(model, options.columns, usual)
    table = counted_table(caption(model), rows, columns)
    notes = (*change_notes(model), *map(_, model.notes))
    return (facts(model), table, *(Note(with_code(note)) for note in notes))


def caption(model: Model) -> str:
    """``LLaMA 7B: 6,738,415,616 parameters (6.74B)``, with the active ones if fewer."""
    total = _(
        "{model}: {total} parameters ({rounded})",
        model=title(model),
        total=model.total,
        rounded=short(model.total),
    )
    if model.active == model.total:
        return total
    used = {"active": thousands(model.active), "rounded": short(model.active)}
    return _("{all}, {active} active ({rounded})", all=total, **used)


def facts(model: Model) -> Facts:
    """The sizes in the shapes of weights or activations, and the usual ones even if unused."""
    sizes = model.architecture.sizes
    used = {*model.architecture.symbols, *model.architecture.activation_symbols}
    usual = {D, L, H, D_H, *(() if E in sizes else (F,))}
    uses_gqa = H_KV in sizes and sizes[H_KV] != sizes.get(H)
    shown = {*used, *usual, *((H_KV,) if uses_gqa else ())}
    return facts_of(
        ((symbol, value) for symbol, value in sizes.items() if symbol in shown), size_names(model)
    )


def _grouped_rows(model: Model, options: ViewOptions) -> Iterator[Counted]:
    """The rows of all stages with weights, in the chosen detail, under the headings of groups."""
    detail, labels = options.detail, options.labels
    has_all = detail in {Detail.FULL, Detail.TENSOR}
    places = (place for place in model.architecture.places() if place.stage.tensors)
    stages = [*occurrences_by_group(model, places)]
    if detail is Detail.TENSOR:
        rows = [row for each in stages for row in _tensors(model, each)]
    else:
        rows = [_stage(model, each, labels) for each in stages]
        norms = [each for each in stages if each.stage.group is Group.NORMS]
        if len(norms) > 1 and not has_all:
            rows = [row for row in rows if row.group is not Group.NORMS]
            rows.append(_all_norms(model, norms, labels))
    found = grouped(rows, labels, all_headings=has_all or detail is Detail.BRIEF)
    if detail is not Detail.BRIEF:
        return found
    return (replace(row, kind=RowKind.MEMBER) for row in found if row.kind is RowKind.GROUP)


def _totals(model: Model, labels: Labels) -> Iterator[Counted]:
    """The total, the active parameters if fewer, and the total without embeddings."""

    def row(id: str, label: str, note: str, count: int, active: int | None) -> Counted:
        head = cell(own_label(labels, (id,), label), note)
        return Counted(head, count, active=active, kind=RowKind.TOTAL, name=id)

    yield row(TOTAL, _("Total"), "", model.total, model.active)
    if model.active != model.total:
        note = _("parameters that one token uses")
        yield row(ACTIVE, _("Active"), note, model.active, model.active)
    note = _("excludes embeddings and LM head (scaling-law convention)")
    label = _("Total without embeddings")
    yield row(NON_EMBEDDING, label, note, model.non_embedding, None)


def _stage(model: Model, occurrence: Occurrence, labels: Labels) -> Counted:
    """The row of a stage."""
    architecture, stage = model.architecture, occurrence.stage
    experts = experts_text(stage, architecture)
    head = cell(stage_label(occurrence, labels), occurrence.where, _tied(stage), experts)
    row = _row(model, occurrence, head, _shapes(stage, architecture), stage)
    return replace(row, name=stage_name(model, stage))


def _tensors(model: Model, occurrence: Occurrence) -> Iterator[Counted]:
    """A row for each tensor of a stage."""
    for tensor in occurrence.stage.tensors:
        numbers = shape_numbers(tensor.stored, model.architecture)
        head = cell(tensor.name, occurrence.where, _tied(occurrence.stage))
        source = cell(shape_line(tensor.stored), numbers)
        row = _row(model, occurrence, head, source, tensor)
        yield replace(row, name=tensor_name(model, occurrence.stage, tensor))


def _row(
    model: Model, occurrence: Occurrence, head: Cell, source: Cell, counted: Stage | Tensor
) -> Counted:
    """The row of a stage or a tensor."""
    count = model.architecture.count
    layers = count(occurrence.layers)
    row = counted_in(occurrence, head, source, count(counted.parameters), layers)
    return replace(row, active=count(counted.active) * layers)


def _all_norms(model: Model, norms: Sequence[Occurrence], labels: Labels) -> Counted:
    """One row for all norms: the number of vectors of each shape, such as 65 × D."""
    architecture = model.architecture
    vectors: Counter[Shape] = Counter()
    count = 0
    for each in norms:
        layers = architecture.count(each.layers)
        count += layers * architecture.count(each.stage.parameters)
        for tensor in each.stage.tensors:
            vectors[tensor.stored] += layers * (not tensor.tied_to)
    lines: list[Line] = []
    for shape, number in vectors.items():
        times = f"{thousands(number)}{TIMES}"
        lines += cell((times, *shape_line(shape)), f"{times}{shape_numbers(shape, architecture)}")
    group = Group.NORMS
    head = cell(own_label(labels, (group.value,), _(group.label)))
    source = tuple(lines)
    return Counted(head, count, group=group, source=source, active=count, name=group.value)


def _tied(stage: Stage) -> str:
    return _("tied to {weights}, counted there", weights=_(stage.tied_to)) if stage.tied_to else ""


def _shapes(stage: Stage, architecture: Architecture) -> Cell:
    """A line of symbols and a line of numbers for each of the stage's shapes."""
    lines: list[Line] = []
    for weights in weights_of(stage):
        symbols: Line = (*weights.prefix, *shape_line(weights.shape))
        numbers = shape_numbers(weights.shape, architecture)
        if weights.bias:
            symbols = filled(
                _("{weights} + bias {shape}"), weights=symbols, shape=shape_line(weights.bias)
            )
            numbers += f" + {shape_numbers(weights.bias, architecture)}"
        lines += cell(symbols, numbers)
    return tuple(lines)
