"""Table view: every component with its shape, parameters and share of the total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.attention_heads import has_attention
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.blocks import Block, Cell, Facts, Line, Note, RowKind, cell
from sphinx_llmsize.config.symbols import D, H, L
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import Labels, own_label, stage_label
from sphinx_llmsize.views.numbers.byte_measures import ACTIVE
from sphinx_llmsize.views.numbers.part_selection import NON_EMBEDDING, TOTAL
from sphinx_llmsize.views.numbers.row_names import size_names, stage_name, tensor_name
from sphinx_llmsize.views.parameters.norms_row import row_of_all_norms
from sphinx_llmsize.views.parameters.parameter_columns import (
    USUAL,
    WITHOUT_SHAPES,
    parameter_columns,
)
from sphinx_llmsize.views.shared.counted_table import (
    CountedRow,
    counted_table,
    grouped,
    occurrence_row,
)
from sphinx_llmsize.views.shared.experts_text import experts_text
from sphinx_llmsize.views.shared.identifiers import with_code
from sphinx_llmsize.views.shared.model_titles import about, title
from sphinx_llmsize.views.shared.norm_vectors import norm_vectors
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_with_tensors
from sphinx_llmsize.views.shared.outer_parts import parts_outside_layers
from sphinx_llmsize.views.shared.papers import KAPLAN
from sphinx_llmsize.views.shared.size_facts import facts_of, total_text
from sphinx_llmsize.views.shared.weight_lines import weight_lines
from sphinx_llmsize.views.shared.wording import (
    filled,
    formula_line,
    label_line,
    separated,
    shape_line,
    shape_numbers,
    tied_text,
)
from sphinx_llmsize.views.view_options import Detail, ViewOptions

PLUS = " + "
"""Sign between the lengths of vectors."""
VIEWS_OF_ACTIVATIONS = frozenset(("compute", "memory", "scaling"))
"""Views with the sizes of activations and caches in their formulas; shapes have their own list."""


def breakdown(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The model's sizes, the table of its parameters, and notes on the count."""
    is_brief = options.detail is Detail.BRIEF
    rows = (*_grouped_rows(model, options), *_totals(model, options.labels, is_brief=is_brief))
    usual = WITHOUT_SHAPES if is_brief else USUAL
    columns = parameter_columns(model, options.columns, usual)
    caption = N_("Parameters by component")
    table = counted_table((_(caption),), rows, columns)
    table = replace(table, label=about(model, N_("{model}: parameters by component"), caption))
    notes = (
        Note(with_code(_(note)), is_of_preset=note == model.preset_note) for note in model.notes
    )
    return (_facts(model, options), table, *notes)


def _facts(model: Model, options: ViewOptions) -> Facts:
    """The model's name, its total, and its sizes: D, L and those that the page shows."""
    used = {D, L, *_symbols_of_weights(model.architecture)}
    if "diagram" in options.shown and has_attention(model.architecture):
        used.add(H)  # boxes of attention name it
    if _shows_activations(options):
        used |= _symbols_of_activations(model.architecture)
    sizes = {symbol: n for symbol, n in model.architecture.sizes.items() if symbol in used}
    for quantity in sorted((s for s in used if isinstance(s, Quantity)), key=str):
        sizes.setdefault(quantity, quantity.value)
    size_facts = facts_of(sizes.items(), size_names(model))
    total, note = total_text(model), _rounded_total(model)
    return replace(size_facts, name=title(model), total=total, note=note)


def _rounded_total(model: Model) -> str:
    """``(6.74B)``, with the active parameters if they are fewer; empty for small totals."""
    if model.active == model.total:
        is_exact = short(model.total) == thousands(model.total)
        return "" if is_exact else f"({short(model.total)})"
    return _(
        "({total}), {active} active ({rounded})",
        total=short(model.total),
        active=model.active,
        rounded=short(model.active),
    )


def _shows_activations(options: ViewOptions) -> bool:
    """True if a view of the document has formulas with the sizes of activations or caches."""
    has_every_shape = options.detail in {Detail.FULL, Detail.TENSOR} and "diagram" in options.shown
    return has_every_shape or not VIEWS_OF_ACTIVATIONS.isdisjoint(options.shown)


def _symbols_of_weights(architecture: Architecture) -> set[Symbol]:
    """The symbols in the shapes of weights, and in the sum of the parameters.

    Numbers of layers are those of the sum: L_Mamba and L_dense, not L_Mamba,dense.
    """
    return _without_layers({*architecture.symbols}, architecture) | _factors_of_sum(architecture)


def _symbols_of_activations(architecture: Architecture) -> set[Symbol]:
    """The symbols in the shapes of activations and caches."""
    used = {*architecture.activation_symbols}
    for placed in architecture.placed_stages():
        sizes = [matmul.flops for matmul in placed.stage.computes]
        for shape in placed.stage.caches:
            sizes += shape
        for size in sizes:
            used |= size.symbols()
    return _without_layers(used, architecture)


def _without_layers(symbols: set[Symbol], architecture: Architecture) -> set[Symbol]:
    """The symbols that are not numbers of equal layers."""
    return symbols.difference(*(stack.layers.symbols() for stack in architecture.stacks()))


def _factors_of_sum(architecture: Architecture) -> set[Symbol]:
    """The symbols in numbers of layers, and in numbers of norms' vectors such as ``2L + 1``."""
    stages = occurrences_with_tensors(architecture)
    factors = [each.layers for each in stages if each.stage.group is not Group.NORMS]
    factors += [vectors.count for vectors in norm_vectors(architecture)]
    symbols: set[Symbol] = set()
    for factor in factors:
        if architecture.count(factor) != 1:  # the sum leaves out factors of 1
            symbols |= factor.symbols()
    return symbols


def _grouped_rows(model: Model, options: ViewOptions) -> Iterator[CountedRow]:
    """The rows of stages or tensors under the headings of groups; if brief, only the groups."""
    rows = _rows(model, options)
    # a tensor alone in its group needs the heading too: its name isn't that of the group
    all_headings = options.detail is Detail.TENSOR
    for row in grouped(rows, options.labels, all_headings=all_headings):
        if options.detail is not Detail.BRIEF:
            yield row
        elif row.kind is RowKind.GROUP:
            yield replace(row, kind=RowKind.MEMBER)


def _rows(model: Model, options: ViewOptions) -> list[CountedRow]:
    """The rows of stages or tensors; all norms share a row if the table isn't a full one."""
    stages = occurrences_with_tensors(model.architecture)
    if options.detail is Detail.TENSOR:
        return [row for each in stages for row in _tensor_rows(model, each)]
    norms = [each for each in stages if each.stage.group is Group.NORMS]
    if options.detail is Detail.FULL or len(norms) <= 1:
        return [_stage_row(model, each, options.labels) for each in stages]
    others = [each for each in stages if each.stage.group is not Group.NORMS]
    rows = [_stage_row(model, each, options.labels) for each in others]
    return [*rows, row_of_all_norms(model, norms, options.labels)]


def _totals(model: Model, labels: Labels, *, is_brief: bool) -> Iterator[CountedRow]:
    """The total, the active parameters if fewer and, if not brief, that without embeddings."""

    def row(id: str, label: str, note: Line | str, count: int) -> CountedRow:
        head = cell(own_label(labels, (id,), label), note)
        return CountedRow(head, count, kind=RowKind.TOTAL, name=id)

    outside = parts_outside_layers(model, labels)
    yield replace(row(TOTAL, _("Total"), "", model.total), active=model.active)
    if model.active != model.total:
        note = _("parameters that one token uses, with {parts}", parts=outside)
        yield replace(row(ACTIVE, _("Active"), note, model.active), active=model.active)
    if is_brief:
        return
    paper = filled(_("as in {paper}"), paper=KAPLAN)
    label = _("Total without {parts}", parts=outside)
    yield row(NON_EMBEDDING, label, paper, model.non_embedding)


def _stage_row(model: Model, occurrence: Occurrence, labels: Labels) -> CountedRow:
    """The row of a stage."""
    architecture, stage = model.architecture, occurrence.stage
    label = stage_label(labels, stage, occurrence.stacks)
    head = cell(label_line(label), occurrence.where, tied_text(stage))
    row = _row(model, occurrence, head, _shapes(stage, architecture), stage)
    experts = experts_text(stage, architecture)
    return replace(row, name=stage_name(model, stage), group_note=experts)


def _tensor_rows(model: Model, occurrence: Occurrence) -> Iterator[CountedRow]:
    """A row for each tensor of a stage."""
    for tensor in occurrence.stage.tensors:
        numbers = shape_numbers(tensor.stored_shape, model.architecture)
        head = cell(tensor.name, occurrence.where, tied_text(occurrence.stage))
        source = cell(shape_line(tensor.stored_shape), numbers)
        row = _row(model, occurrence, head, source, tensor)
        yield replace(row, name=tensor_name(model, occurrence.stage, tensor))


def _row(
    model: Model, occurrence: Occurrence, head: Cell, source: Cell, counted: Stage | Tensor
) -> CountedRow:
    """The row of a stage or a tensor, without the name of its number.

    Args:
        model: the model.
        occurrence: the stage, with its stacks.
        head: first cell.
        source: cell with the shapes.
        counted: the stage or one of its tensors.
    """
    count = model.architecture.count
    layers = count(occurrence.layers)
    number = count(counted.parameters)
    row = occurrence_row(occurrence, head, source, number, layers)
    active = count(counted.active) * layers
    is_tied = bool(occurrence.stage.tied_to) and not number
    return replace(row, active=active, is_tied=is_tied, has_share=not is_tied)


def _shapes(stage: Stage, architecture: Architecture) -> Cell:
    """A line of symbols and a line of numbers for each of the stage's shapes.

    Equal matrices are counted: ``3 × D × H·d_h``. Beside others, they are also named:
    ``K, V: 2 × D × H_kv·d_h``. Vectors of several lengths are one sum: ``R_dt + 2 × S``.
    """
    lines: list[Line] = []
    all_weights = weight_lines(stage)
    if len(all_weights) > 1 and all(weights.are_vectors for weights in all_weights):
        symbols = separated((weights.symbols for weights in all_weights), PLUS)
        numbers = PLUS.join(weights.numbers(architecture) for weights in all_weights)
        return cell(formula_line(symbols), numbers)
    for weights in all_weights:
        has_name = len(all_weights) > 1 or len(weights.labels) == 1
        prefix = weights.prefix if has_name else ()
        lines += cell((*prefix, *weights.symbols), weights.numbers(architecture))
    return tuple(lines)
