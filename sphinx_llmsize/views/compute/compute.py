"""Compute view: FLOPs of a forward pass and of the next token, and common rules of thumb."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import (
    UNKNOWN_CACHE,
    flops,
    flops_of_layer,
    forward,
    next_token,
)
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Line,
    Note,
    Paragraph,
    Row,
    RowKind,
    Table,
    cell,
    number_columns,
)
from sphinx_llmsize.config.symbols import T
from sphinx_llmsize.formats import flops_text, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import stage_label
from sphinx_llmsize.views.compute.flops_rules import rules_table
from sphinx_llmsize.views.compute.flops_sums import flops_sums
from sphinx_llmsize.views.numbers.row_names import flops_name, with_words
from sphinx_llmsize.views.shapes.stage_operations import of_whole_sequence
from sphinx_llmsize.views.shared.counted_table import (
    EMPTY,
    CountedRow,
    component_column,
    count_column,
    counted_table,
    grouped,
    in_layer_column,
    layers_column,
    occurrence_row,
    share_cell,
    share_column,
    source_column,
)
from sphinx_llmsize.views.shared.latents import caches_latents
from sphinx_llmsize.views.shared.lengths import context_of, equal_lengths_note, generates, tokens_of
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_by_group
from sphinx_llmsize.views.shared.operations import Evaluator, merged, product_of
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    about,
    experts_text,
    filled,
    joined_sentences,
    tokens_text,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

COUNTED = N_(
    "Every multiplication and every addition in a matrix product is one FLOP. All {pairs} scores "
    "are counted, masked ones included; kernels that skip them save about half. Norms, activation "
    "functions, softmax and rotary positions are not matrix products and are not counted."
)
CONVOLUTIONS = N_(
    "Convolutions are not counted either; torch counts about two FLOPs for each of their weights "
    "and each token."
)
FROM_LATENTS = N_(
    "The keys and values of earlier tokens are assumed to be available for every head, not "
    "computed again from latents."
)


def compute(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of FLOPs by stage, exact sums, FLOPs of the next token, and rules of thumb."""
    return tuple(block for part in PARTS for block in part(model, options))


def _forward_pass(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of FLOPs by stage, with a note on what is counted."""
    note = filled(_(COUNTED), pairs=(variable(T), TIMES, variable(T)))
    return (
        _table(model, tokens_of(model, options), options),
        Note(joined_sentences(note, _convolutions(model), equal_lengths_note(model))),
    )


def _sums(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    return flops_sums(model, tokens_of(model, options), options.labels)


def _rules(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    return (rules_table(model, tokens_of(model, options)),)


def _convolutions(model: Model) -> Line:
    """Note on convolutions; empty if the model has none."""
    has_any = any("convolution" in place.stage.id for place in model.architecture.places())
    return (_(CONVOLUTIONS),) if has_any else ()


def _table(model: Model, tokens: int, options: ViewOptions) -> Table:
    """Table of the FLOPs by stage, in total, and per token."""
    total = model.flops(tokens)
    caption = about(
        model,
        N_("Forward pass of {model} with {tokens}: {flops}"),
        N_("Forward pass with {tokens}: {flops}"),
        tokens=tokens_text(tokens),
        flops=flops_text(total),
    )
    places = (place for place in model.architecture.places() if place.stage.matmuls)
    rows = [_row(model, each, tokens, options) for each in occurrences_by_group(model, places)]
    groups_with_flops = {row.group for row in rows if row.count}
    shown = [row for row in rows if row.group in groups_with_flops]
    total_row = CountedRow(
        cell(_("Total")), total, kind=RowKind.TOTAL, name="flops", words=(tokens,)
    )
    per_token = replace(
        total_row,
        head=cell(_("Per token")),
        count=round(quotient(total, tokens)),
        has_share=False,
        name="flops.per_token",
    )
    heading = _("FLOPs")
    columns = (
        component_column(_("Component")),
        source_column(_("Operation")),
        in_layer_column(_("Per layer")),
        layers_column(_("Layers")),
        count_column(heading),
        share_column(_("Share"), total),
    )
    totals = [total_row, per_token]
    if options.batch != 1:
        count = options.batch * total
        head = cell(_batch_label(options))
        totals.append(replace(total_row, head=head, count=count, has_share=False, name=""))
    table_rows = (*grouped(shown, options.labels, all_headings=False), *totals)
    return counted_table(caption, table_rows, columns)


def _batch_label(options: ViewOptions) -> str:
    """Label of a row for all sequences of a batch."""
    return _("Batch of {number} sequences", number=options.batch)


def _row(model: Model, occurrence: Occurrence, tokens: int, options: ViewOptions) -> CountedRow:
    """The row of a stage."""
    architecture, stage = model.architecture, occurrence.stage
    label = stage_label(options.labels, stage, occurrence.stacks)
    head = cell(label, occurrence.where, experts_text(stage, architecture))
    forward_pass = forward(tokens)
    in_layer = sum(flops_of_layer(architecture, matmul, forward_pass) for matmul in stage.matmuls)
    # layers that share weights are computed once each
    uses = sum(architecture.count(s.uses) for s in occurrence.stacks) or 1
    operations = _operations(stage, architecture, tokens)
    row = occurrence_row(occurrence, head, operations, in_layer, uses)
    # names are the same for any number of tokens
    name = f"flops.{flops_name(model, stage, forward(1))}"
    return replace(row, name=name, words=(tokens,))


def _operations(stage: Stage, architecture: Architecture, tokens: int) -> Cell:
    """Matrix products of a stage, in symbols and in numbers; labelled if there are several."""
    evaluator = Evaluator(architecture, tokens)
    products = [
        (label, evaluator.cell(product_of(matmul)))
        for label, matmul in merged(of_whole_sequence(stage).matmuls)
        if evaluator.count(matmul.count)
    ]
    lines: list[Line] = []
    for label, (symbols, *numbers) in products:
        prefix = (f"{label}: ",) if label and len(products) > 1 else ()
        lines += ((*prefix, *symbols), *numbers)
    return tuple(lines)


def _next_token(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """FLOPs of one more token; nothing for a model that doesn't generate text."""
    if not generates(model):
        return ()
    if model.architecture.has_unknown_lengths:
        return (Paragraph((_(UNKNOWN_CACHE, name=model.label),)),)
    table = _next_token_table(model, options)
    stages = (place.stage for place in model.architecture.places())
    return (table, Note((_(FROM_LATENTS),))) if caches_latents(stages) else (table,)


def _next_token_table(model: Model, options: ViewOptions) -> Table:
    """Table of the FLOPs of one more token: products with the weights, and with the KV cache."""
    architecture, context = model.architecture, context_of(model, options)
    one_more = next_token(context)
    places = tuple(architecture.places())
    with_weights = (PlacedStage(replace(p.stage, computes=()), p.stack) for p in places)
    weights = flops(architecture, with_weights, one_more)
    total = flops(architecture, places, one_more)
    caption = about(
        model,
        N_("Next token of {model}, with {context} in context: {flops}"),
        N_("Next token, with {context} in context: {flops}"),
        context=context,
        flops=flops_text(total),
    )
    parts = (
        ("weights", cell(_("Products with weights"), _("the same at any context")), weights),
        (
            "activations",
            cell(_("Products with the KV cache"), _("keys and values, states")),
            total - weights,
        ),
    )
    rows = (
        _share_row(head, number, total, f"flops_per_token.{id}", context)
        for id, head, number in parts
        if number
    )
    total_row = _share_row(cell(_("Total")), total, total, "flops_per_token", context)
    totals = [replace(total_row, kind=RowKind.TOTAL)]
    if options.batch != 1:
        cells = (cell(_batch_label(options)), cell(thousands(options.batch * total)), EMPTY)
        totals.append(Row(cells, RowKind.TOTAL))
    columns = number_columns(_("Products"), _("FLOPs"), _("Share"))
    return Table((caption,), columns, (*rows, *totals))


def _share_row(head: Cell, number: int, total: int, name: str, context: int) -> Row:
    """A row with a number of FLOPs, and its share of the total.

    Args:
        head: first cell.
        number: FLOPs of the row.
        total: FLOPs of all rows.
        name: name of the number in the role ``llm-size``.
        context: tokens in context, the word after the name.
    """
    names = (with_words(name, context), with_words(name, context, "share"))
    cells = (head, cell(thousands(number)), share_cell(quotient(number, total)))
    return Row(cells, names=((), *((each,) for each in names)))


PARTS = (_forward_pass, _sums, _next_token, _rules)
"""Functions of the parts of the view, which don't depend on each other."""
