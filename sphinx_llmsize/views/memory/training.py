"""Memory for training as a table: model states, and each choice of activations to store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Line,
    Paragraph,
    Row,
    RowKind,
    Table,
    Variable,
    cell,
)
from sphinx_llmsize.config.symbols import BATCH, D, H, L, T
from sphinx_llmsize.formats import decimal, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.memory.training_formulas import (
    INPUT_BYTES,
    LAYER_BYTES,
    SCORE_BYTES,
    STATE_BYTES,
    STATES,
    score_bytes,
    training_bytes,
    training_tokens,
)
from sphinx_llmsize.views.numbers.part_selection import UNION
from sphinx_llmsize.views.shared.counted_table import EMPTY
from sphinx_llmsize.views.shared.data_size import size_cell, size_texts
from sphinx_llmsize.views.shared.folding import folding_row
from sphinx_llmsize.views.shared.lengths import tokens_line
from sphinx_llmsize.views.shared.model_titles import title_in_sentence
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    filled,
    formula_line,
    size_line,
    variable,
)
from sphinx_llmsize.views.view_options import ViewOptions


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
    """Table of the memory of model states (mixed precision, Adam) and activations.

    A sentence, if no formula for activations applies. Sizes are estimates, without exact bytes.
    """
    tokens = training_tokens(model, options)
    if tokens is None:
        return (Paragraph(_states_sentence(model)),)
    caption: Line = (_("Memory for training in mixed precision"),)
    columns = (
        Column(_("Training")),
        Column(_("Formula"), folds=True),
        Column(_("Size"), numeric=True),
        Column(_("With model states"), numeric=True),
    )
    rows = _rows(model, columns, tokens, options.batch)
    return (Table(_with_sequences(caption, tokens, options.batch), columns, tuple(rows)),)


def _states_sentence(model: Model) -> Line:
    """``To train …, the model states take 16N = 16 × 51,570,323,328 bytes: 825 GB (768 GiB).``."""
    states = _states(model)
    formula, numbers = states.formula
    size, *others = size_texts(states.size)
    message = _("{size} ({other})", size=size, other=others[0]) if others else size
    return filled(
        _(
            "To train {model} in mixed precision, the model states (weights, gradients and Adam's "
            "moments) take {formula} = {numbers} bytes: {size}."
        ),
        model=title_in_sentence(model),
        formula=formula,
        numbers="".join(map(str, numbers)),
        size=message,
    )


def _rows(model: Model, columns: Sequence[Column], tokens: int, batch: int) -> list[Row]:
    """The row of the model states, and one for each choice of the activations to store."""
    states = _states(model)
    choice = (cell(_("Plus one of")), *(EMPTY for _column in columns[1:]))
    rows = [
        _row(columns, states, f"training.{STATES}", kind=RowKind.GROUP),
        folding_row(columns, choice, RowKind.GROUP),
    ]
    for part in _activations(model, tokens, batch):
        name = f"training.{part.id}:{tokens}" if batch == 1 else ""
        rows.append(_row(columns, part, name, size_cell(states.size + part.size)))
    return rows


def _row(
    columns: Sequence[Column],
    part: MemoryPart,
    name: str,
    with_states: Cell = EMPTY,
    kind: RowKind = RowKind.MEMBER,
) -> Row:
    """The row of a part.

    Args:
        columns: columns of the table.
        part: the part.
        name: name of its number in the role ``llm-size``, such as ``training.states``; empty for
            none.
        with_states: its size with the model states.
        kind: kind of the row.
    """
    cells = (part.label, part.formula, size_cell(part.size), with_states)
    row = replace(folding_row(columns, cells, kind), name_lines=1)
    if not name:
        return row
    name_with_states = name.replace(".", f".{STATES}{UNION}", 1)
    names = ((), (), (name,), (name_with_states,) if any(with_states) else ())
    return replace(row, names=names)


def _with_sequences(caption: Line, tokens: int, batch: int) -> Line:
    """The caption with the sequences and their length."""
    if batch == 1:
        message = _("{caption}, with a sequence of {tokens}")
        return filled(message, caption=caption, tokens=tokens_line(tokens))
    return filled(
        _("{caption}, with {b} = {batch} sequences of {tokens}"),
        caption=caption,
        b=variable(BATCH),
        batch=thousands(batch),
        tokens=tokens_line(tokens),
    )


def _states(model: Model) -> MemoryPart:
    """The row of the model states."""
    per_parameter = sum(STATE_BYTES)
    symbols = formula_line((str(per_parameter), Variable("N")))
    numbers = f"{per_parameter}{TIMES}{thousands(model.total)}"
    label = cell(_("Model states"), _("weights, gradients, Adam"))
    size = training_bytes(model, tokens=1)[STATES]  # the same for any number of tokens
    return MemoryPart(label, cell(symbols, numbers), size, STATES)


def _activations(model: Model, tokens: int, batch: int) -> Iterator[MemoryPart]:
    """A row for each choice of the activations to store."""
    hidden, layers, heads = (model.architecture.sizes[symbol] for symbol in (D, L, H))
    scores = score_bytes(tokens, hidden, heads)
    sizes_by_id = training_bytes(model, tokens)
    # number of elements of the layers' inputs, in symbols and in numbers
    elements_symbols: Line = size_line(L * T * D)
    elements_numbers = [layers, tokens, hidden]
    if batch != 1:
        elements_symbols = formula_line((variable(BATCH), "·", *elements_symbols))
        elements_numbers.insert(0, batch)
    all_stored = cell(_("All activations"))
    no_scores = cell(_("Activations without scores"), _("scores are computed again"))
    only_inputs = cell(_("Inputs of the layers"), _("all else is computed again"))
    beginning = f"({LAYER_BYTES} + {SCORE_BYTES}"
    with_scores = formula_line((beginning, *size_line(H * T), "/", variable(D), ")"))
    # id, label, and the bytes per element in symbols and in numbers
    for id, label, per_element_symbols, per_element_number in (
        ("activations", all_stored, with_scores, f"({LAYER_BYTES} + {decimal(scores)})"),
        ("scores_recomputed", no_scores, (str(LAYER_BYTES),), str(LAYER_BYTES)),
        ("inputs_stored", only_inputs, (str(INPUT_BYTES),), str(INPUT_BYTES)),
    ):
        times = "·" if len(per_element_symbols) > 1 else ""
        formula = formula_line((*per_element_symbols, times, *elements_symbols))
        numbers = TIMES.join((per_element_number, *map(thousands, elements_numbers)))
        yield MemoryPart(label, cell(formula, numbers), batch * sizes_by_id[id], id)
