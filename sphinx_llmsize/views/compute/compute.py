"""Compute view: FLOPs of a forward pass and of the next token, and common rules of thumb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import flops_in_layer, forward
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import Block, Cell, Line, Note, RowKind, Table, cell
from sphinx_llmsize.formats import flops_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import nearest, quotient
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.author_labels import stage_label
from sphinx_llmsize.views.compute.flops_rules import rules_table
from sphinx_llmsize.views.compute.flops_sums import flops_sums
from sphinx_llmsize.views.compute.next_token import batch_text, flops_of_next_token
from sphinx_llmsize.views.compute.scores_note import scores_note
from sphinx_llmsize.views.numbers.row_names import flops_name
from sphinx_llmsize.views.shapes.stage_arrays import of_whole_sequence
from sphinx_llmsize.views.shared.counted_columns import (
    component_column,
    count_column,
    layers_column,
    share_column,
    source_column,
)
from sphinx_llmsize.views.shared.counted_table import (
    CountedRow,
    counted_table,
    grouped,
    occurrence_row,
)
from sphinx_llmsize.views.shared.experts_text import experts_text
from sphinx_llmsize.views.shared.lengths import (
    equal_lengths_note,
    tokens_line,
    tokens_of,
)
from sphinx_llmsize.views.shared.model_titles import about_line
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences_by_group
from sphinx_llmsize.views.shared.operations import Evaluator, merged, product_of
from sphinx_llmsize.views.shared.wording import joined_sentences, label_line
from sphinx_llmsize.views.view_options import ViewOptions

COUNTED = N_(
    "Every multiplication and every addition in a matrix product is one FLOP. Norms, activation "
    "functions, softmax and rotary positions are not matrix products and are not counted."
)
CONVOLUTIONS = N_(
    "Convolutions are not counted either; torch counts about two FLOPs for each of their weights "
    "and each token."
)


def compute(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of FLOPs by stage, their exact sum, FLOPs of the next token, and rules of thumb."""
    return tuple(block for part in PARTS for block in part(model, options))


def _forward_pass(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of FLOPs by stage, with a note on what is counted."""
    tokens = tokens_of(model, options)
    sentences = (
        (_(COUNTED),),
        _convolutions_note(model),
        scores_note(model, tokens),
        equal_lengths_note(model),
    )
    return (_table(model, tokens, options), Note(joined_sentences(*sentences)))


def _sums(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Exact sum of the FLOPs of a forward pass."""
    return flops_sums(model, tokens_of(model, options), options.labels)


def _rules(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of rules of thumb."""
    return (rules_table(model, tokens_of(model, options), options.labels),)


def _convolutions_note(model: Model) -> Line:
    """Note on convolutions; empty if the model has none."""
    has_any = any("convolution" in stage.id for stage in model.architecture.stages())
    return (_(CONVOLUTIONS),) if has_any else ()


def _table(model: Model, tokens: int, options: ViewOptions) -> Table:
    """Table of the FLOPs by stage, in total, and per token."""
    total = model.flops(tokens)
    caption = about_line(
        model,
        N_("Forward pass of {model} with {tokens}: {flops}"),
        N_("Forward pass with {tokens}: {flops}"),
        tokens=tokens_line(tokens),
        flops=flops_text(total),
    )
    placed_stages = (
        placed for placed in model.architecture.placed_stages() if placed.stage.matmuls
    )
    stages = occurrences_by_group(placed_stages, model.architecture)
    rows = [_row(model, each, tokens, options) for each in stages]
    groups_with_flops = {row.group for row in rows if row.count}
    shown = [row for row in rows if row.group in groups_with_flops]
    columns = (
        component_column(_("Component")),
        source_column(_("Operation"), lambda operations: operations),
        layers_column(_("Layers")),
        count_column(_("FLOPs")),
        share_column(_("Share"), total),
    )
    grouped_rows = grouped(shown, options.labels, all_headings=False)
    return counted_table(caption, (*grouped_rows, *_total_rows(total, tokens, options)), columns)


def _total_rows(total: int, tokens: int, options: ViewOptions) -> Iterator[CountedRow]:
    """The rows of the total, the FLOPs per token, and those of a batch of several sequences."""
    total_row = CountedRow(
        cell(_("Total")), total, kind=RowKind.TOTAL, name="flops", words=(tokens,)
    )
    yield total_row
    yield replace(
        total_row,
        head=cell(_("Per token")),
        count=nearest(quotient(total, tokens)),
        has_share=False,
        name="flops.per_token",
    )
    if options.batch != 1:
        count = options.batch * total
        head = cell(batch_text(options.batch))
        yield replace(total_row, head=head, count=count, has_share=False, name="")


def _row(model: Model, occurrence: Occurrence, tokens: int, options: ViewOptions) -> CountedRow:
    """The row of a stage."""
    architecture, stage = model.architecture, occurrence.stage
    label = stage_label(options.labels, stage, occurrence.stacks)
    head = cell(label_line(label), occurrence.where)
    operations = _operations(stage, architecture, tokens)
    forward_pass = forward(tokens)
    in_layer = sum(flops_in_layer(architecture, matmul, forward_pass) for matmul in stage.matmuls)
    # layers that share weights are computed once each
    uses = sum(architecture.count(s.uses) for s in occurrence.stacks) or 1
    row = occurrence_row(occurrence, head, operations, in_layer, uses)
    name, experts = flops_name(model, stage), experts_text(stage, architecture)
    return replace(row, name=name, words=(tokens,), group_note=experts)


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


PARTS = (_forward_pass, _sums, flops_of_next_token, _rules)
"""Functions that make the parts of the view; an interactive page changes each part by itself."""
