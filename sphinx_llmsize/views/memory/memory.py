"""Memory view: weights in each data type, KV cache, batch, training."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE
from sphinx_llmsize.blocks import Block, Cell, Column, Note, Paragraph, Row, Table, Variable, cell
from sphinx_llmsize.formats import decimal, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.batch import batch
from sphinx_llmsize.views.memory.kv_cache_table import kv_cache
from sphinx_llmsize.views.memory.training import training
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, has_kv_cache
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.data_size import (
    DTYPES,
    binary,
    bits_of,
    bytes_of,
    size_cells,
    size_text,
    units_of_cells,
)
from sphinx_llmsize.views.shared.folding import folding_row
from sphinx_llmsize.views.shared.wording import TIMES, about
from sphinx_llmsize.views.view_options import ViewOptions

USUAL_DTYPES = ("fp32", "bf16", "int8", "int4")
"""Data types in which the size of the weights is always shown."""
WEIGHTS_ONLY = N_(
    "Weights only, in one data type. Scales and zero points of a quantised model are extra, unless "
    "the bits per weight include them."
)
NO_CACHE = N_(
    "This model has no KV cache: it processes all tokens at once and doesn't generate one token "
    "after the other."
)


def memory(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Memory of the weights by data type, the KV cache by context, a batch, and training."""
    return tuple(block for part in PARTS for block in part(model, options))


def _cache_part(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """The KV cache, or the reason why there is none."""
    if has_kv_cache(model):
        return kv_cache(model, options)
    if model.architecture.has_unknown_lengths:
        return (Paragraph((_(UNKNOWN_CACHE, name=model.label),)),)
    return (Paragraph((_(NO_CACHE),)),)


def _weights(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of the weights in the usual data types and the selected one, and notes."""
    widest_first = sorted(
        {*USUAL_DTYPES, options.dtype} - {""}, key=lambda name: (-bits_of(name), name)
    )
    sizes = [bytes_of(model.total, name) for name in widest_first]
    columns = (
        Column(_("Type")),
        Column(_("Bytes"), folds=True),
        Column(_("Size"), numeric=True),
    )
    rows: list[Row] = []
    units = units_of_cells(sizes)
    size_column = size_cells(sizes, exact=True)
    for name, unit, size in zip(widest_first, units, size_column, strict=True):
        row = folding_row(columns, (_type_cell(name), _formula_cell(model, name), size))
        rows.append(replace(row, names=((), (), _names(name, unit))))
    caption = about(model, N_("Memory for the weights of {model}"), N_("Memory for the weights"))
    table = Table((caption,), columns, tuple(rows))
    notes = [Note((_(WEIGHTS_ONLY),))]
    if model.active != model.total:
        notes.append(_active_note(model))
    return (table, *notes)


def _type_cell(dtype: str) -> Cell:
    """A data type with its bits, or the bits per weight."""
    bits = _("{number} bits", number=decimal(bits_of(dtype)))
    return cell(dtype, bits) if dtype in DTYPES else cell(bits)


def _formula_cell(model: Model, dtype: str) -> Cell:
    """``2·N``, ``2 × 6,738,415,616``: bytes per parameter times the parameters."""
    per_parameter = decimal(bits_of(dtype) / 8)
    if per_parameter == "1":
        return cell((Variable("N"),), thousands(model.total))
    numbers = f"{per_parameter}{TIMES}{thousands(model.total)}"
    return cell((f"{per_parameter}·", Variable("N")), numbers)


def _names(dtype: str, unit: str) -> tuple[str, ...]:
    """The names of a data type's size in each unit of its cell.

    Args:
        dtype: the data type, or bits per weight.
        unit: decimal unit of the cell.
    """
    units = ("bytes",) if unit == "bytes" else (unit, binary(unit), "bytes")
    return tuple(with_words("weights", dtype, each) for each in units)


def _active_note(model: Model) -> Note:
    """Note that compares all weights with those one token uses, for MoE models."""
    message = _(
        "All weights, including every expert, take {all} in {dtype}. One token uses {number} of "
        "them, {used}.",
        all=size_text(bytes_of(model.total, DEFAULT_DTYPE)),
        dtype=DEFAULT_DTYPE,
        number=model.active,
        used=size_text(bytes_of(model.active, DEFAULT_DTYPE)),
    )
    return Note((message,))


PARTS = (_weights, _cache_part, batch, training)
"""Functions that make the parts of the view; an interactive page changes each part by itself."""
