"""Numbers of bytes: of the weights and of the KV cache."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean, suggestion, unknown_word
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, localize
from sphinx_llmsize.views.numbers.counted_parts import (
    active_parts,
    buffer_parts,
    cache_parts,
    multi_head_parts,
    parameter_parts,
)
from sphinx_llmsize.views.numbers.counts import count_selected
from sphinx_llmsize.views.numbers.number_formats import layers_measure
from sphinx_llmsize.views.numbers.part_selection import NUM_LAYERS, Ids
from sphinx_llmsize.views.numbers.units import Measure, Unit
from sphinx_llmsize.views.option_values import read_tokens
from sphinx_llmsize.views.shared.data_size import DTYPES, UNITS, bytes_of, size_in, size_text
from sphinx_llmsize.views.shared.lengths import check_tokens, usual_contexts

KV_CACHE = "kv_cache"
"""Name of the measure that is in bytes or elements."""
ACTIVE = "active"
"""First id of active parameters in a name, as in ``active.mlp``."""
BUFFERS = "buffers"
"""Id of memory that is needed beside the KV cache, whatever the number of tokens."""
SPECIAL_CACHES = {"multi_head": multi_head_parts, BUFFERS: buffer_parts}
"""Functions that list arrays outside the KV cache, by the first id of their names.

``kv_cache.multi_head`` is the cache of multi-head attention, for comparison, and
``kv_cache.buffers`` is memory that is needed in addition.
"""
DEFAULT_DTYPE = "bf16"
"""Default data type of the weights and the KV cache."""
ELEMENTS = "elements"
"""Unit of the KV cache: the number of elements, whatever their data type."""


def weight_bytes(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Bytes of the weights, for words such as ``["bf16"]`` or ``["4.5", "GiB"]``.

    With the last id ``num_layers``, the number of layers that have these weights.

    Raises:
        ConfigError: the words are not a data type and optionally a unit.
    """
    if len(words) > 2:  # noqa: PLR2004 - data type and unit
        message = _("unexpected {text} after the unit", text=repr(words[2][:60]))
        raise ConfigError(message, Problem.NUMBER, _("remove it"))
    if not words:
        hint = _(
            "add a data type ({names}) or bits per weight, and optionally a unit",
            names=", ".join(DTYPES),
        )
        raise ConfigError(_("weights need a data type"), Problem.NUMBER, hint)
    dtype = words[0]
    unit = words[1] if len(words) > 1 else ""
    if dtype in UNITS:
        message = _("the data type is missing before the unit")
        raise ConfigError(message, Problem.NUMBER, suggestion(f"weights:bf16:{dtype}"))
    if ids[:1] == (ACTIVE,):
        number = count_selected(active_parts(model), ids[1:], model.label)
    else:
        number = count_selected(parameter_parts(model), ids, model.label)
    size = bytes_of(number, dtype)
    if ids[-1:] == (NUM_LAYERS,):
        return layers_measure(number, words[1:])
    if unit and unit not in UNITS:
        raise unknown_word(N_("unknown unit {name}"), unit, UNITS, Problem.NUMBER)
    return byte_measure(size, unit)


def cache_bytes(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Bytes of the KV cache at a context (``["4096", "fp8", "GiB"]``), or per token (``[]``).

    With the last id ``num_layers``, the number of layers that have such a cache.

    Raises:
        ConfigError: the words are not optional tokens, data type and unit, or the model has no
            KV cache.
    """
    context, dtype, unit = _parse_cache_words(words)
    # tables show the usual contexts even where a model has fewer positions
    if context and context not in usual_contexts(model):
        check_tokens(model, context, Problem.NUMBER)
    refuse_unknown_cache(model)
    if not has_kv_cache(model):
        hint = _("it does not generate text token by token")
        raise ConfigError(_("{name} has no KV cache", name=model.label), Problem.NUMBER, hint)
    if ids and ids[0] in SPECIAL_CACHES:
        parts = SPECIAL_CACHES[ids[0]](model, context)
        elements = count_selected(parts, ids[1:], model.label)
    else:
        elements = count_selected(cache_parts(model, context), ids, model.label, SPECIAL_CACHES)
    if ids[-1:] == (NUM_LAYERS,):
        return layers_measure(elements, [unit] if unit else [])
    if unit == ELEMENTS:
        return Measure(Fraction(elements), elements_text(elements), Unit.ELEMENTS)
    return byte_measure(bytes_of(elements, dtype), unit)


def has_kv_cache(model: Model) -> bool:
    """True if the model has a cache whose size depends only on the number of tokens."""
    return model.architecture.has_cache and not model.architecture.has_unknown_lengths


def refuse_unknown_cache(model: Model) -> None:
    """Raise ConfigError if the size of the cache depends on more than the number of tokens."""
    if model.architecture.has_unknown_lengths:
        raise ConfigError(_(UNKNOWN_CACHE, name=model.label), Problem.NUMBER)


def byte_measure(size: Fraction, unit: str) -> Measure:
    """A number of bytes in a unit; if it is empty, in the largest unit that fits."""
    return Measure(size, size_in(size, unit) if unit else size_text(size), Unit.BYTES)


def elements_text(number: int | Fraction) -> str:
    """``262,144``; ``65.5`` if several tokens share an entry of the cache."""
    if number.denominator == 1:
        return thousands(number.numerator)
    return localize(f"{float(number):,}")


def is_size_of_cache(name: str) -> bool:
    """True for bytes of the KV cache or a part of it, not for its layers or other memory."""
    quantity, *ids = name.split(".")
    return quantity == KV_CACHE and ids[-1:] != [NUM_LAYERS] and ids[:1] != [BUFFERS]


def has_data_type(words: Sequence[str]) -> bool:
    """True if words after ``kv_cache`` name a data type, or ask for elements of any."""
    return not {*DTYPES, ELEMENTS}.isdisjoint(words)


def _parse_cache_words(words: list[str]) -> tuple[int | None, str, str]:
    """Read tokens, data type and unit, each optional.

    Returns:
        The tokens, None by default; the data type, bf16 by default; the unit, empty by default.

    Raises:
        ConfigError: there are other words, or the words are in another order.
    """
    units = (*UNITS, ELEMENTS)
    context, dtype, unit = None, DEFAULT_DTYPE, ""
    rest = list(words)
    if rest and rest[0][:1].isdigit():
        context = read_tokens(rest.pop(0), Problem.NUMBER)
    if rest and rest[0] in DTYPES:
        dtype = rest.pop(0)
    if rest and rest[0] in units:
        unit = rest.pop(0)
    if not rest:
        return context, dtype, unit
    message = _("unexpected {rest} after kv_cache", rest=repr(rest[0][:60]))
    order = _("write tokens such as 4096, a data type and a unit, in this order, each optional")
    known = (*DTYPES, *units)
    hint = "" if rest[0] in known else did_you_mean(rest[0], known)
    raise ConfigError(message, Problem.NUMBER, hint or order)
