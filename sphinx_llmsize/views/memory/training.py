"""Memory for training, by published formulas.

Model states: Rajbhandari et al. 2019, https://arxiv.org/abs/1910.02054, section 3.1.
Activations: Korthikanti et al. 2022, https://arxiv.org/abs/2205.05198; equation 1 for one layer
without recomputation, section 5 for recomputing the attention scores or whole layers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from sphinx_llmsize.algebra import ZERO
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Line,
    Note,
    Row,
    RowKind,
    Table,
    Variable,
    cell,
)
from sphinx_llmsize.config.symbols import BATCH, D, H, L, T
from sphinx_llmsize.formats import decimal, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.training_notes import NO_ACTIVATIONS, about_formula, about_states
from sphinx_llmsize.views.numbers.part_selection import UNION
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.counted_table import EMPTY
from sphinx_llmsize.views.shared.data_size import size_cell, size_columns
from sphinx_llmsize.views.shared.folding import folding_row
from sphinx_llmsize.views.shared.lengths import USUAL_TOKENS, longest_context, tokens_of
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    about_line,
    filled,
    size_line,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions

STATE_BYTES = (2, 2, 4, 4, 4)
"""Bytes per parameter of a 16-bit weight and gradient, an fp32 weight and Adam's two moments."""
LAYER_BYTES = 34
"""Bytes of activations in a layer per element of its T × D input, without the scores."""
SCORE_BYTES = 5
"""Bytes of activations per attention score."""
INPUT_BYTES = 2
"""Bytes per element of a layer's input."""
STATES = "states"
"""Id of the memory for model states: weights, gradients and the optimizer's moments."""


class MemoryPart(NamedTuple):
    """Memory for the model states or for activations: a row of the table.

    Attributes:
        label: its name.
        formula: formula of the bytes, in symbols and in numbers.
        size: its size in bytes.
        id: key in :func:`training_bytes`.
    """

    label: Cell
    formula: Cell
    size: Fraction
    id: str


def training(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of the memory of model states (mixed precision, Adam) and activations, and notes."""
    usual = min(USUAL_TOKENS, longest_context(model) or USUAL_TOKENS)
    tokens = tokens_of(model, options, options.context or usual)
    caption: Line = about_line(
        model,
        N_("Memory to train {model} in mixed precision"),
        N_("Memory for training in mixed precision"),
    )
    columns: tuple[Column, ...] = (Column(_("Training")), *size_columns())
    if _has_formula_for_activations(model):
        columns = (*columns, Column(_("With model states"), numeric=True))
        rows = _rows_with_activations(model, columns, tokens, options.batch)
        caption = _with_sequences(caption, tokens, options.batch)
        about_activations = about_formula(model, tokens, options.batch)
    else:
        rows = [_row(columns, _states(model), f"training.{STATES}")]
        about_activations = (_(NO_ACTIVATIONS),)
    table = Table(caption, columns, tuple(rows))
    return (table, Note(about_states(STATE_BYTES)), Note(about_activations))


def _rows_with_activations(
    model: Model, columns: Sequence[Column], tokens: int, batch: int
) -> list[Row]:
    """The row of the model states, and one for each choice of the activations to store."""
    states = _states(model)
    choice = (cell(_("plus one of:")), *(EMPTY for _column in columns[1:]))
    rows = [
        _row(columns, states, f"training.{STATES}", (EMPTY,), RowKind.GROUP),
        folding_row(columns, choice, RowKind.GROUP),
    ]
    for part in _activations(model, tokens, batch):
        name = f"training.{part.id}:{tokens}" if batch == 1 else ""
        rows.append(_row(columns, part, name, (size_cell(states.size + part.size),)))
    return rows


def _row(
    columns: Sequence[Column],
    part: MemoryPart,
    name: str,
    others: tuple[Cell, ...] = (),
    kind: RowKind = RowKind.MEMBER,
) -> Row:
    """The row of a part.

    Args:
        columns: columns of the table.
        part: the part.
        name: name of its number in the role ``llm-size``, such as ``training.states``; empty for
            none.
        others: cells of the columns after the size.
        kind: kind of the row.
    """
    size = (cell(thousands(ceil(part.size))), size_cell(part.size))
    row = folding_row(columns, (part.label, part.formula, *size, *others), kind)
    if not name:
        return row
    with_states = name.replace(".", f".{STATES}{UNION}", 1)
    names = (
        (with_words(name, "bytes"),),
        (name,),
        *((with_states,) if any(each) else () for each in others),
    )
    return replace(row, names=((), (), *names))


def _with_sequences(caption: Line, tokens: int, batch: int) -> Line:
    """The caption with the sequences and their length."""
    if batch == 1:
        message = _("{caption}, with a sequence of {T} = {number} tokens")
        return filled(message, caption=caption, T=variable(T), number=thousands(tokens))
    return filled(
        _("{caption}, with {b} = {batch} sequences of {T} = {number} tokens"),
        caption=caption,
        b=variable(BATCH),
        batch=thousands(batch),
        T=variable(T),
        number=thousands(tokens),
    )


def _has_formula_for_activations(model: Model) -> bool:
    """True if the model is L layers, each of attention and feed-forward, as the formula assumes."""
    architecture = model.architecture
    if not {L, D, H} <= set(architecture.sizes):
        return False
    stacks = tuple(architecture.stacks())
    uses = sum((stack.uses for stack in stacks), start=ZERO)
    is_one_stack = architecture.count(uses) == architecture.sizes[L]
    return is_one_stack and all(map(_has_attention_and_ffn, stacks))


def _has_attention_and_ffn(stack: Stack) -> bool:
    """True if each layer has attention, and an FFN or experts, but no replacement of attention."""
    groups = {placed.stage.group for placed in stack.placed_stages}
    has_ffn = Group.FEED_FORWARD in groups or Group.EXPERTS in groups
    return Group.ATTENTION in groups and has_ffn and Group.MIXER not in groups


def training_bytes(model: Model, tokens: int) -> dict[str, Fraction]:
    """Bytes of the model states and, if the formula applies, of the activations, by id.

    Activations are those of one sequence: all of them, with the attention scores computed again in
    the backward pass, or only the inputs of the layers.

    Args:
        model: the model.
        tokens: length of the sequence.
    """
    sizes = {STATES: sum(STATE_BYTES) * quotient(model.total, 1)}
    if _has_formula_for_activations(model):
        hidden, layers, heads = (model.architecture.sizes[symbol] for symbol in (D, L, H))
        elements = layers * tokens * hidden
        scores = _score_bytes(tokens, hidden, heads)
        sizes["activations"] = elements * (LAYER_BYTES + scores)
        sizes["scores_recomputed"] = quotient(elements * LAYER_BYTES, 1)
        sizes["inputs_stored"] = quotient(elements * INPUT_BYTES, 1)
    return sizes


def _score_bytes(tokens: int, hidden: int, heads: int) -> Fraction:
    """Bytes of a layer's attention scores (heads × T × T), per element of its T × D input."""
    per_element: Fraction = SCORE_BYTES * quotient(heads * tokens, hidden)
    return per_element


def _states(model: Model) -> MemoryPart:
    """The row of the model states."""
    per_parameter = sum(STATE_BYTES)
    formula: Line = (f"{per_parameter}·", Variable("N"))
    numbers = f"{per_parameter}{TIMES}{thousands(model.total)}"
    label = cell(_("Model states"), _("weights, gradients, Adam"))
    return MemoryPart(label, cell(formula, numbers), training_bytes(model, 1)[STATES], STATES)


def _activations(model: Model, tokens: int, batch: int) -> Iterator[MemoryPart]:
    """A row for each choice of the activations to store."""
    hidden, layers, heads = (model.architecture.sizes[symbol] for symbol in (D, L, H))
    scores = _score_bytes(tokens, hidden, heads)
    sizes_by_id = training_bytes(model, tokens)
    # number of elements of the layers' inputs, in symbols and in numbers
    elements_symbols: Line = size_line(L * T * D)
    elements_numbers = [layers, tokens, hidden]
    if batch != 1:
        elements_symbols = (variable(BATCH), "·", *elements_symbols)
        elements_numbers.insert(0, batch)
    all_stored = cell(_("All activations"))
    no_scores = cell(_("Activations without scores"), _("scores recomputed"))
    only_inputs = cell(_("Inputs of layers only"), _("other activations recomputed"))
    beginning = f"({LAYER_BYTES} + {SCORE_BYTES}·"
    with_scores: Line = (beginning, *size_line(H * T), "/", variable(D), ")")
    # id, label, and the bytes per element in symbols and in numbers
    for id, label, per_element_symbols, per_element_number in (
        ("activations", all_stored, with_scores, f"({LAYER_BYTES} + {decimal(scores)})"),
        ("scores_recomputed", no_scores, (str(LAYER_BYTES),), str(LAYER_BYTES)),
        ("inputs_stored", only_inputs, (str(INPUT_BYTES),), str(INPUT_BYTES)),
    ):
        formula: Line = (*per_element_symbols, "·", *elements_symbols)
        numbers = TIMES.join((per_element_number, *map(thousands, elements_numbers)))
        yield MemoryPart(label, cell(formula, numbers), batch * sizes_by_id[id], id)
