"""Memory: what the weights take, what is kept for the next token, what training needs."""

from __future__ import annotations

from sphinx_llmsize.blocks import Block, Cell, Column, Muted, Paragraph, Row, Table
from sphinx_llmsize.formats import decimal, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.memory.kv_cache_table import cache
from sphinx_llmsize.views.memory.training import training
from sphinx_llmsize.views.numbers.measures import CACHE_DTYPE, caches
from sphinx_llmsize.views.shared.data_size import (
    BINARY,
    DECIMAL,
    DTYPES,
    bits_of,
    size_in,
    size_text,
)
from sphinx_llmsize.views.shared.wording import title
from sphinx_llmsize.views.view_options import ViewOptions

USUAL_DTYPES = ("fp32", "bf16", "int8", "int4")
ALONE = N_(
    "That is what the weights take by themselves, all of them in one type. The scales and zero "
    "points of a quantised model come on top, unless the bits per weight count them in."
)
NOTHING_KEPT = N_(
    "Nothing is kept from one token to the next: all tokens pass at once, and none is generated "
    "from those before it."
)


def memory(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """Weights by type, the KV cache and other states by context, what training needs."""
    kept = cache(model, options) if caches(model) else (Paragraph((_(NOTHING_KEPT),)),)
    return (*_weights(model, options.dtype), *kept, *training(model, options))


def _weights(model: Model, dtype: str) -> tuple[Block, ...]:
    dtypes = {*USUAL_DTYPES, *((dtype,) if dtype else ())}
    in_order = sorted(dtypes, key=lambda dtype: (-bits_of(dtype), dtype))
    rows = tuple(_row(model, dtype) for dtype in in_order)
    columns = (
        Column(_("Type")),
        Column(_("In powers of 1000"), numeric=True),
        Column(_("In powers of 1024"), numeric=True),
    )
    caption = _("{model}: {number} weights", model=title(model), number=thousands(model.total))
    table = Table(caption, columns, rows)
    active = (_active(model),) if model.active != model.total else ()
    return (table, Paragraph((_(ALONE),)), *active)


def _row(model: Model, dtype: str) -> Row:
    bits = bits_of(dtype)
    size = model.total * bits / 8
    each = _("{number} bits", number=decimal(bits))
    name: Cell = ((dtype,), (Muted(each),)) if dtype in DTYPES else ((each,),)
    exact = Muted(size_in(size, "bytes"))
    of_1000, of_1024 = (((size_text(size, units),),) for units in (DECIMAL, BINARY))
    return Row((name, (*of_1000, (exact,)), of_1024))


def _active(model: Model) -> Paragraph:
    """What of the weights one token uses."""
    bits = bits_of(CACHE_DTYPE)
    all_of_them, used = (size_text(n * bits / 8) for n in (model.total, model.active))
    message = _(
        "All experts are in memory: with the other weights {all} in {dtype}. A token uses "
        "{number} of the weights, {used}.",
        all=all_of_them,
        dtype=CACHE_DTYPE,
        number=thousands(model.active),
        used=used,
    )
    return Paragraph((message,))
