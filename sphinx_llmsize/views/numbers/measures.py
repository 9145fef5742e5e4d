"""Numbers with a unit: bytes of weights and KV cache, FLOPs of a forward pass."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.architecture.cost import (
    UNKNOWN_CACHE,
    ForwardPass,
    cache_elements,
    cache_elements_per_token,
    flops,
    forward,
    next_token,
)
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean, suggestion, unknown_word
from sphinx_llmsize.formats import flops_text, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.data_size import DTYPES, UNITS, bits_of, size_in, size_text
from sphinx_llmsize.views.shared.lengths import check_tokens, generates
from sphinx_llmsize.views.view_options import read_tokens

KV_CACHE = "kv_cache"
CACHE_DTYPE = "bf16"
"""Default data type of the KV cache."""
FORMAT_WORDS = {
    **dict.fromkeys(("%", "percent", "percentage", "fraction", "ratio"), "share"),
    **dict.fromkeys(("full", "long", "raw", "integer", "digits"), "exact"),
    **dict.fromkeys(("billion", "billions", "million", "text"), "words"),
    **dict.fromkeys(("b", "m", "rounded", "round"), "short"),
}
"""Words that authors use for a format, with its name."""
FLOPS_FORMATS: dict[str, Callable[[int], str]] = {"short": flops_text, "exact": thousands}


@dataclass(frozen=True)
class Measure:
    """A number of bytes or FLOPs, and its text."""

    number: Fraction
    text: str


def weight_bytes(model: Model, words: list[str]) -> Measure:
    """Bytes of all parameters; the words are, for example, ``["bf16"]`` or ``["4.5", "GiB"]``.

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
    size = Fraction(model.total * bits_of(dtype), 8)
    if unit and unit[0] not in UNITS:
        raise unknown_word(N_("unknown unit {name}"), unit[0], UNITS, Problem.NUMBER)
    return _bytes(size, *unit)


def cache_bytes(model: Model, words: list[str]) -> Measure:
    """Bytes of the KV cache at a context (``["4096", "fp8", "GiB"]``), or per token (``[]``).

    Raises:
        ConfigError: the words are not optional tokens, data type and unit, or the model has no
            KV cache.
    """
    context, dtype, unit = _cache_words(words)
    if context:
        check_tokens(model, context, Problem.NUMBER)
    _check_lengths(model)
    if not caches(model):
        hint = _("it does not generate text token by token")
        raise ConfigError(_("{name} has no KV cache", name=model.name), Problem.NUMBER, hint)
    architecture = model.architecture
    places = architecture.places()
    elements = (
        cache_elements(architecture, places, context)
        if context
        else cache_elements_per_token(architecture, places)
    )
    return _bytes(elements * bits_of(dtype) / 8, unit)


def caches(model: Model) -> bool:
    """True if the model has a KV cache or recurrent state, of a size that tokens determine."""
    if model.architecture.has_unknown_lengths:
        return False
    return any(place.stage.caches for place in model.architecture.places())


def forward_flops(model: Model, words: list[str]) -> Measure:
    """FLOPs of a forward pass over a number of tokens: ``["5"]``, ``["5", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    return _flops(model, words, forward)


def next_token_flops(model: Model, words: list[str]) -> Measure:
    """FLOPs of one generated token at a context length: ``["4096", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format; or the model does not
            generate.
    """
    _check_lengths(model)
    if not generates(model):
        hint = _("it processes all tokens at once: write flops instead")
        raise ConfigError(_("{name} generates no tokens", name=model.name), Problem.NUMBER, hint)
    return _flops(model, words, next_token)


def _check_lengths(model: Model) -> None:
    if model.architecture.has_unknown_lengths:
        raise ConfigError(_(UNKNOWN_CACHE, name=model.name), Problem.NUMBER)


MEASURES: dict[str, Callable[[Model, list[str]], Measure]] = {
    "weights": weight_bytes,
    KV_CACHE: cache_bytes,
    "flops": forward_flops,
    "flops_per_token": next_token_flops,
}
"""Measures by name; called with a model and the words after the name."""


def read_format(words: list[str], default: str, formats: Collection[str]) -> str:
    """The format in the words after the name of a number, or the default if there is none.

    Raises:
        ConfigError: the format is unknown, or there are several.
    """
    for position, word in enumerate(words):
        if word not in formats:
            error = unknown_word(N_("unknown format {name}"), word, formats, Problem.NUMBER)
            meant = FORMAT_WORDS.get(word.casefold(), "")
            hint = suggestion(meant) if meant in formats else error.hint
            raise ConfigError(error.message, Problem.NUMBER, hint)
        if position:
            message = _("{format} is a second format", format=repr(word[:60]))
            hint = _("one of {names}", names=", ".join(formats))
            raise ConfigError(message, Problem.NUMBER, hint)
    return words[0] if words else default


def _bytes(size: Fraction, unit: str = "") -> Measure:
    return Measure(size, size_in(size, unit) if unit else size_text(size))


def _cache_words(words: list[str]) -> tuple[int | None, str, str]:
    """Parse optional tokens, data type and unit; None, bf16 and an empty unit by default."""
    rest = list(words)
    context = read_tokens(rest.pop(0), Problem.NUMBER) if rest and rest[0][:1].isdigit() else None
    dtype = rest.pop(0) if rest and rest[0] in DTYPES else CACHE_DTYPE
    unit = rest.pop(0) if rest and rest[0] in UNITS else ""
    if rest:
        order = _("write tokens such as 4096, a data type and a unit, in this order, each optional")
        known = {**DTYPES, **UNITS}
        hint = (rest[0] not in known and did_you_mean(rest[0], known)) or order
        raise ConfigError(
            _("unexpected {rest} after kv_cache", rest=repr(rest[0][:60])), Problem.NUMBER, hint
        )
    return context, dtype, unit


def _flops(model: Model, words: list[str], forward_pass: Callable[[int], ForwardPass]) -> Measure:
    if not words:
        hint = _("add it, such as 4096")
        raise ConfigError(_("FLOPs need a number of tokens"), Problem.NUMBER, hint)
    tokens = check_tokens(model, read_tokens(words[0], Problem.NUMBER), Problem.NUMBER)
    form = read_format(words[1:], "short", FLOPS_FORMATS)
    total = flops(model.architecture, model.architecture.places(), forward_pass(tokens))
    return Measure(Fraction(total), FLOPS_FORMATS[form](total))
