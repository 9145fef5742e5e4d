"""FLOPs of one more token: products with the weights, and with the KV cache."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE, flops, next_token
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.blocks import (
    Block,
    Cell,
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
from sphinx_llmsize.views.memory.kv_cache import cached_parts
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.counted_columns import share_cell
from sphinx_llmsize.views.shared.counted_table import EMPTY
from sphinx_llmsize.views.shared.latents import caches_latents
from sphinx_llmsize.views.shared.lengths import context_of, generates, tokens_line, tokens_of
from sphinx_llmsize.views.shared.wording import (
    filled,
    joined_sentences,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

OTHER_LENGTH = N_(
    "Here, {T} is the number of tokens in context; the forward pass and the rules of thumb have "
    "another one."
)
FROM_LATENTS = N_(
    "The keys and values of earlier tokens are assumed to be available for every head, not "
    "computed again from latents."
)


def flops_of_next_token(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of the FLOPs and a note; nothing for a model that doesn't generate text."""
    if not generates(model):
        return ()
    if model.architecture.has_unknown_lengths:
        return (Paragraph((_(UNKNOWN_CACHE, name=model.label),)),)
    has_latents = caches_latents(model.architecture.stages())
    has_other_length = tokens_of(model, options) != context_of(model, options)
    sentences = (
        filled(_(OTHER_LENGTH), T=variable(T)) if has_other_length else (),
        (_(FROM_LATENTS),) if has_latents else (),
    )
    note = joined_sentences(*sentences)
    table = _next_token_table(model, options)
    return (table, Note(note)) if note else (table,)


def _next_token_table(model: Model, options: ViewOptions) -> Table:
    """Table of the FLOPs of one more token: products with the weights, and with the KV cache."""
    architecture, context = model.architecture, context_of(model, options)
    forward_pass = next_token(context)
    placed_stages = tuple(architecture.placed_stages())
    with_weights = (PlacedStage(replace(p.stage, computes=()), p.stack) for p in placed_stages)
    weights = flops(architecture, with_weights, forward_pass)
    total = flops(architecture, placed_stages, forward_pass)
    caption = filled(
        _("Next token with {tokens} in context: {flops}"),
        tokens=tokens_line(context),
        flops=flops_text(total),
    )
    parts = (
        ("weights", cell(_("Products with weights"), _("the same at any context")), weights),
        (
            "activations",
            cell(_cached_label(architecture)),
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
        cells = (cell(batch_text(options.batch)), cell(thousands(options.batch * total)), EMPTY)
        totals.append(Row(cells, RowKind.TOTAL))
    columns = number_columns(_("Products"), _("FLOPs"), _("Share"))
    return Table(caption, columns, (*rows, *totals))


def _cached_label(architecture: Architecture) -> str:
    """Label of the products with what is stored of earlier tokens."""
    has_length = [part.length is not None for part in cached_parts(architecture)]
    if all(has_length):
        return _("Products with the KV cache")
    if any(has_length):
        return _("Products with the KV cache and the states")
    return _("Products with the states")


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


def batch_text(number: int) -> str:
    """``Batch of 8 sequences``: the label of a row for all of them."""
    return _("Batch of {number} sequences", number=number)
