"""Numbers with a unit: bytes of weights and KV cache, FLOPs, elements of activations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.architecture.cost import UNKNOWN_CACHE, ForwardPass, forward, next_token
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean, suggestion, unknown_word
from sphinx_llmsize.formats import flops_text, percent, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, localized
from sphinx_llmsize.views.numbers.counted_parts import (
    activation_parts,
    active_parts,
    buffer_parts,
    cache_parts,
    flops_parts,
    multi_head_parts,
    parameter_parts,
)
from sphinx_llmsize.views.numbers.counts import count
from sphinx_llmsize.views.numbers.number_formats import read_format
from sphinx_llmsize.views.numbers.parts import NUM_LAYERS, Ids, Part
from sphinx_llmsize.views.shared.data_size import DTYPES, UNITS, bits_of, size_in, size_text
from sphinx_llmsize.views.shared.lengths import check_tokens, generates, usual_contexts
from sphinx_llmsize.views.view_options import read_tokens

KV_CACHE, ACTIVE, AVERAGE = "kv_cache", "active", "per_token"
"""Words in names: a measure, the first id of active parameters, the last id of an average."""
SPECIAL_CACHES = {"multi_head": multi_head_parts, "buffers": buffer_parts}
"""Arrays that the model doesn't cache: for comparison, or needed in addition to the cache."""
CACHE_DTYPE = "bf16"
"""Default data type of the KV cache."""
ELEMENTS = "elements"
"""Unit of the KV cache: the number of elements, whatever their data type."""


@dataclass(frozen=True)
class Measure:
    """A number and its text."""

    number: Fraction
    text: str


def weight_bytes(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Bytes of the weights, for words such as ``["bf16"]`` or ``["4.5", "GiB"]``.

    Raises:
        ConfigError: the words are not a data type and optionally a unit.
    """
    if not words or len(words) > 2:  # noqa: PLR2004 - data type and unit
        hint = _(
            "add a data type ({names}) or bits per weight, and optionally a unit",
            names=", ".join(DTYPES),
        )
        raise ConfigError(_("weights need a data type"), Problem.NUMBER, hint)
    dtype, *unit = words
    if dtype in UNITS:
        message = _("a unit without a data type")
        raise ConfigError(message, Problem.NUMBER, suggestion(f"weights:bf16:{dtype}"))
    is_active = ids[:1] == (ACTIVE,)
    parts = active_parts(model) if is_active else parameter_parts(model)
    number = count(parts, ids[1:] if is_active else ids, model.called)
    size = Fraction(number * bits_of(dtype), 8)
    if ids[-1:] == (NUM_LAYERS,):
        return _layers(number)
    if unit and unit[0] not in UNITS:
        raise unknown_word(N_("unknown unit {name}"), unit[0], UNITS, Problem.NUMBER)
    return _bytes(size, *unit)


def cache_bytes(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Bytes of the KV cache at a context (``["4096", "fp8", "GiB"]``), or per token (``[]``).

    Raises:
        ConfigError: the words are not optional tokens, data type and unit, or the model has no
            KV cache.
    """
    context, dtype, unit = _cache_words(words)
    if context and context not in usual_contexts(model):
        check_tokens(model, context, Problem.NUMBER)
    _check_lengths(model)
    if not caches(model):
        hint = _("it does not generate text token by token")
        raise ConfigError(_("{name} has no KV cache", name=model.called), Problem.NUMBER, hint)
    special = SPECIAL_CACHES.get(ids[0]) if ids else None
    parts = special(model, context) if special else cache_parts(model, context)
    elements = count(parts, ids[1:] if special else ids, model.called)
    if ids[-1:] == (NUM_LAYERS,):
        return _layers(elements)
    if unit == ELEMENTS:
        return Measure(Fraction(elements), elements_text(elements))
    return _bytes(elements * bits_of(dtype) / 8, unit)


def caches(model: Model) -> bool:
    """True if the model has a KV cache or recurrent state, of a size that tokens determine."""
    if model.architecture.has_unknown_lengths:
        return False
    return any(place.stage.caches for place in model.architecture.places())


def forward_flops(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs of a forward pass over a number of tokens: ``["5"]``, ``["5", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    return _flops(model, ids, words, forward)


def next_token_flops(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs of one generated token at a context length: ``["4096", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format; or the model does not
            generate.
    """
    _check_lengths(model)
    if not generates(model):
        hint = _("it processes all tokens at once: write flops instead")
        raise ConfigError(_("{name} generates no tokens", name=model.called), Problem.NUMBER, hint)
    return _flops(model, ids, words, next_token)


def activations(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Elements of the stages' outputs in a forward pass: ``["2048"]``, ``["2048", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    tokens, rest = read_length(model, words, N_("activations need a number of tokens"))
    parts = activation_parts(model, tokens)
    return _by_length(model, parts, ids, tokens, rest, lambda number: short(round(number)))


def _check_lengths(model: Model) -> None:
    if model.architecture.has_unknown_lengths:
        raise ConfigError(_(UNKNOWN_CACHE, name=model.called), Problem.NUMBER)


MEASURES: dict[str, Callable[[Model, Ids, list[str]], Measure]] = {
    "weights": weight_bytes,
    KV_CACHE: cache_bytes,
    "flops": forward_flops,
    "flops_per_token": next_token_flops,
    "activations": activations,
}
"""Measures by name; called with a model, the ids and the words after the name."""


def read_length(
    model: Model, words: list[str], message: str = N_("FLOPs need a number of tokens")
) -> tuple[int, list[str]]:
    """The number of tokens, which is the first word, and the other words.

    Raises:
        ConfigError: it is missing or invalid, or the model has fewer positions.
    """
    if not words:
        raise ConfigError(_(message), Problem.NUMBER, _("add it, such as 4096"))
    tokens = read_tokens(words[0], Problem.NUMBER)
    return check_tokens(model, tokens, Problem.NUMBER), words[1:]


def read_bytes(size: Fraction, words: list[str]) -> Measure:
    """A number of bytes in the unit that may be the only word.

    Raises:
        ConfigError: the unit is unknown, or there are several.
    """
    return _bytes(size, read_format(words, "", UNITS))


def difference_format(name: str, words: list[str]) -> Callable[[Fraction], str]:
    """How to write the difference of two measures, the second with these words after its name."""
    quantity, last = name.partition(".")[0], words[-1] if words else ""
    if last == ELEMENTS:
        return elements_text
    if quantity in {"weights", KV_CACHE}:
        return lambda number: _bytes(number, last if last in UNITS else "").text
    if last == "exact":
        return lambda number: thousands(round(number))
    return flops_text if quantity.startswith("flops") else short


def _bytes(size: Fraction, unit: str = "") -> Measure:
    return Measure(size, size_in(size, unit) if unit else size_text(size))


def _layers(number: int | Fraction) -> Measure:
    return Measure(Fraction(number), thousands(int(number)))


def elements_text(number: int | Fraction) -> str:
    """``262,144``; ``65.5`` if several tokens share an entry of the cache."""
    is_exact = number.denominator == 1
    return thousands(number.numerator) if is_exact else localized(f"{float(number):,}")


def _cache_words(words: list[str]) -> tuple[int | None, str, str]:
    """Parse optional tokens, data type and unit; None, bf16 and an empty unit by default."""
    units = (*UNITS, ELEMENTS)
    rest = list(words)
    context = read_tokens(rest.pop(0), Problem.NUMBER) if rest and rest[0][:1].isdigit() else None
    dtype = rest.pop(0) if rest and rest[0] in DTYPES else CACHE_DTYPE
    unit = rest.pop(0) if rest and rest[0] in units else ""
    if rest:
        order = _("write tokens such as 4096, a data type and a unit, in this order, each optional")
        known = (*DTYPES, *units)
        hint = (rest[0] not in known and did_you_mean(rest[0], known)) or order
        raise ConfigError(
            _("unexpected {rest} after kv_cache", rest=repr(rest[0][:60])), Problem.NUMBER, hint
        )
    return context, dtype, unit


def _flops(
    model: Model, ids: Ids, words: list[str], forward_pass: Callable[[int], ForwardPass]
) -> Measure:
    tokens, rest = read_length(model, words)
    parts = flops_parts(model, forward_pass(tokens))
    return _by_length(model, parts, ids, tokens, rest, flops_text)


def _by_length(  # noqa: PLR0917 - the words after a name, and how to count and write it
    model: Model,
    parts: Sequence[Part],
    ids: Ids,
    tokens: int,
    words: list[str],
    short_text: Callable[[Fraction], str],
) -> Measure:
    """The number in the parts, divided by the tokens if the last id is ``per_token``."""
    is_average = ids[-1:] == (AVERAGE,)
    number = Fraction(count(parts, ids[:-1] if is_average else ids, model.called))
    if ids[-1:] == (NUM_LAYERS,):
        return _layers(number)
    total = Fraction(sum(part.count for part in parts))
    if is_average:
        number, total = number / tokens, total / tokens
    formats: dict[str, Callable[[Fraction], str]] = {
        "short": short_text,
        "exact": lambda number: thousands(round(number)),
        "share": lambda number: percent(number / total if total else 0),
    }
    return Measure(number, formats[read_format(words, "short", formats)](number))
