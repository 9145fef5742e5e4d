"""Table view: every component with its shape, parameters and share of the total."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import Block, Cell, Facts, Line, Muted, Paragraph, Row, Table, cell
from sphinx_llmsize.config.symbols import D_H, H_KV, D, E, F, H, L
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.measures import ACTIVE
from sphinx_llmsize.views.numbers.parts import NON_EMBEDDING, TOTAL
from sphinx_llmsize.views.numbers.row_names import size_names, stage_name, tensor_name
from sphinx_llmsize.views.shared.change_notes import change_notes
from sphinx_llmsize.views.shared.counted_table import (
    Counted,
    counted_columns,
    counted_rows,
    occurrences_by_group,
    total_row,
)
from sphinx_llmsize.views.shared.occurrences import Occurrence
from sphinx_llmsize.views.shared.wording import (
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
    places = (place for place in model.architecture.places() if place.stage.tensors)
    stages = occurrences_by_group(model, places)
    counted = [row for stage in stages for row in _counted(model, stage, options.detail)]
    rows = (*counted_rows(counted, model.total), *_totals(model))
    table = Table(caption(model), counted_columns(_("Parameters"), _("Shape")), rows)
    notes = (*change_notes(model), *map(_, model.notes))
    return (facts(model), table, *(Paragraph((note,)) for note in notes))


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


def _totals(model: Model) -> Iterator[Row]:
    yield total_row(cell(_("Total")), model.total, model.total, TOTAL)
    if model.active != model.total:
        head = cell(_("Active"), _("parameters that one token uses"))
        yield total_row(head, model.active, model.total, ACTIVE)
    note = _("excludes embeddings and LM head (scaling-law convention)")
    head = cell(_("Total without embeddings"), note)
    yield total_row(head, model.non_embedding, model.total, NON_EMBEDDING)


def _counted(model: Model, occurrence: Occurrence, detail: Detail) -> Iterator[Counted]:
    """One row for a stage, or with ``Detail.TENSOR`` one for each of its tensors."""
    architecture, stage = model.architecture, occurrence.stage
    tied = _("tied to {weights}, counted there", weights=_(stage.tied_to)) if stage.tied_to else ""
    name = stage_name(model, stage)
    lines = [(_(stage.label), _shapes(stage, architecture), stage.parameters, name)]
    if detail is Detail.TENSOR:
        lines = []
        for tensor in stage.tensors:
            numbers = shape_numbers(tensor.stored, architecture)
            shape = cell(shape_line(tensor.stored), numbers)
            name = tensor_name(model, stage, tensor)
            lines.append((tensor.name, shape, tensor.parameters, name))
    layers = architecture.count(occurrence.layers)
    for label, shape, size, name in lines:
        head = cell(label, occurrence.where, tied)
        yield Counted(occurrence, head, shape, architecture.count(size), layers, name)


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
    if experts := experts_text(stage, architecture):
        lines.append((Muted(experts),))
    return tuple(lines)
