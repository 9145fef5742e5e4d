"""Memory view: weights in each data type, KV cache, batch, training."""

from __future__ import annotations

from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE
from sphinx_llmsize.blocks import Block, Cell, Note, Paragraph, Row, Table, cell, number_columns
from sphinx_llmsize.formats import decimal
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.batch import batch
from sphinx_llmsize.views.memory.kv_cache_table import kv_cache
from sphinx_llmsize.views.memory.training import training
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, caches
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.data_size import (
    DTYPES,
    binary,
    bits_of,
    size_in,
    size_text,
    sizes_in,
    unit_of_column,
)
from sphinx_llmsize.views.shared.wording import about
from sphinx_llmsize.views.view_options import ViewOptions

USUAL_DTYPES = ("fp32", "bf16", "int8", "int4")
"""Data types of the weights that are always shown."""
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
    if caches(model):
        return kv_cache(model, options)
    if model.architecture.has_unknown_lengths:
        return (Paragraph((_(UNKNOWN_CACHE, name=model.label),)),)
    return (Paragraph((_(NO_CACHE),)),)


def _weights(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Table of the weights in the usual data types and the selected one, and notes."""
    widest_first = sorted(
        {*USUAL_DTYPES, options.dtype} - {""}, key=lambda name: (-bits_of(name), name)
    )
    sizes = [model.total * bits_of(name) / 8 for name in widest_first]
    unit = unit_of_column(sizes)
    in_bytes = unit == "bytes"
    units = (unit,) if in_bytes else (unit, binary(unit))
    texts_by_unit = [sizes_in(sizes, each) for each in units]
    texts_in_bytes = ["" if in_bytes else size_in(size, "bytes") for size in sizes]
    rows = []
    texts = zip(widest_first, texts_in_bytes, *texts_by_unit, strict=True)
    for name, size_in_bytes, first, *others in texts:
        cells = (_type_cell(name), cell(first, size_in_bytes), *map(cell, others))
        rows.append(Row(cells, names=_names(name, units, has_bytes=not in_bytes)))
    columns = number_columns(_("Type"), *units)
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


def _names(dtype: str, units: tuple[str, ...], *, has_bytes: bool) -> tuple[tuple[str, ...], ...]:
    """The names of a data type's sizes, by column.

    Args:
        dtype: the data type, or bits per weight.
        units: unit of each column.
        has_bytes: True if the first column also shows the bytes.
    """
    first_unit, *other_units = units
    first = [with_words("weights", dtype, first_unit)]
    if has_bytes:
        first.append(with_words("weights", dtype, "bytes"))
    others = ((with_words("weights", dtype, unit),) for unit in other_units)
    return ((), tuple(first), *others)


def _active_note(model: Model) -> Note:
    """Note that compares all weights with those one token uses, for MoE models."""
    bits = bits_of(DEFAULT_DTYPE)
    size_of_all = size_text(model.total * bits / 8)
    size_of_active = size_text(model.active * bits / 8)
    message = _(
        "All weights, including every expert, take {all} in {dtype}. One token uses {number} of "
        "them, {used}.",
        all=size_of_all,
        dtype=DEFAULT_DTYPE,
        number=model.active,
        used=size_of_active,
    )
    return Note((message,))


PARTS = (_weights, _cache_part, batch, training)
"""Functions that make the parts of the view, each independent of the others."""
