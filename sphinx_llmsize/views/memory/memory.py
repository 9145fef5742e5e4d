"""Memory view: weights in each data type, KV cache, batch, training."""

from __future__ import annotations

from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE
from sphinx_llmsize.blocks import Block, Cell, Column, Note, Paragraph, Row, Table, cell
from sphinx_llmsize.formats import decimal
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.batch import batch
from sphinx_llmsize.views.memory.kv_cache_table import kv_cache
from sphinx_llmsize.views.memory.training import training
from sphinx_llmsize.views.memory.training_notes import training_notes
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, has_kv_cache
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.data_size import (
    bits_of,
    bytes_cell,
    bytes_of,
    dtype_text,
    size_cell,
    size_text,
)
from sphinx_llmsize.views.shared.folding import fitting
from sphinx_llmsize.views.shared.model_titles import about
from sphinx_llmsize.views.view_options import ViewOptions

USUAL_DTYPES = ("fp32", "bf16", "int8", "int4")
"""Data types in which the size of the weights is always shown."""
AVERAGE = "4.5"
"""Example of the average bits per weight of a quantised model."""
WEIGHTS_ONLY = N_(
    "Weights only, in one data type. A quantised model also stores scales and zero points; an "
    "average such as {bits} per weight includes them."
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
        Column(_("Bytes"), numeric=True),
        Column(_("Size"), numeric=True),
    )
    rows: list[Row] = []
    for name, size in zip(widest_first, sizes, strict=True):
        cells = (_type_cell(name), bytes_cell(size), size_cell(size))
        number_name = with_words("weights", name)
        names = ((), (with_words(number_name, "bytes"),), (number_name,))
        rows.append(Row(cells, names=names))
    caption = about(model, N_("Memory for the weights of {model}"), N_("Memory for the weights"))
    _type, exact, rounded = range(len(columns))
    table = fitting(Table((caption,), columns, tuple(rows)), (rounded, exact))
    notes = [Note((_(WEIGHTS_ONLY, bits=dtype_text(AVERAGE)),))]
    if model.active != model.total:
        notes.append(_active_note(model))
    return (table, *notes)


def _type_cell(dtype: str) -> Cell:
    """A data type, or the bits per weight, with the bytes per parameter."""
    bits = bits_of(dtype)
    label = dtype_text(dtype)
    if bits == 8:  # noqa: PLR2004 - bits of a byte
        return cell(label, _("1 byte per parameter"))
    return cell(label, _("{number} bytes per parameter", number=decimal(bits / 8)))


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


PARTS = (_weights, _cache_part, batch, training, training_notes)
"""Functions that make the parts of the view; an interactive page changes each part by itself."""
