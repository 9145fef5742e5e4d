"""Numbers with a unit: bytes of weights and KV cache, FLOPs, elements of activations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from sphinx_llmsize.architecture.cost import ForwardPass, forward, next_token
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import flops_text, percent, short, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.byte_measures import (
    ELEMENTS,
    Measure,
    byte_measure,
    cache_bytes,
    elements_text,
    layers_measure,
    refuse_unknown_cache,
    weight_bytes,
)
from sphinx_llmsize.views.numbers.counted_parts import activation_parts, flops_parts
from sphinx_llmsize.views.numbers.counts import count_selected
from sphinx_llmsize.views.numbers.number_formats import KNOWN_FORMATS, read_format
from sphinx_llmsize.views.numbers.part_selection import NUM_LAYERS, Ids, Part
from sphinx_llmsize.views.numbers.units import Unit
from sphinx_llmsize.views.option_values import read_tokens
from sphinx_llmsize.views.shared.data_size import UNITS
from sphinx_llmsize.views.shared.lengths import check_tokens, generates

NO_TOKENS_OF_ACTIVATIONS = N_("activations need a number of tokens")
KV_CACHE = "kv_cache"
"""Name of the measure that is in bytes or elements."""
AVERAGE = "per_token"
"""Last id in the name of an average over the tokens: ``flops.mlp.per_token``."""


def forward_flops(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs of a forward pass, for words such as ``["5"]`` (tokens) or ``["5", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    return _flops(model, ids, words, forward)


def next_token_flops(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs of one generated token, for words such as ``["4096", "exact"]`` (tokens in context).

    Raises:
        ConfigError: the words are not tokens and optionally a format; or the model does not
            generate.
    """
    refuse_unknown_cache(model)
    if not generates(model):
        hint = _("it processes all tokens at once: write flops instead")
        raise ConfigError(_("{name} generates no tokens", name=model.label), Problem.NUMBER, hint)
    return _flops(model, ids, words, next_token)


def activations(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Elements of the stages' outputs in a forward pass, for words as in :func:`forward_flops`.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    tokens, rest = read_token_count(model, words, NO_TOKENS_OF_ACTIVATIONS)
    parts = activation_parts(model, tokens)
    measure = _measure(model, parts, ids, tokens, rest, lambda number: short(round(number)))
    return _in_unit(measure, Unit.ELEMENTS, ids)


MEASURES: dict[str, Callable[[Model, Ids, list[str]], Measure]] = {
    "weights": weight_bytes,
    KV_CACHE: cache_bytes,
    "flops": forward_flops,
    "flops_per_token": next_token_flops,
    "activations": activations,
}
"""Functions for measures, by the first id of their name.

They are called with the model, the other ids of the name, and the words after it.

In ``flops.mlp:2048:exact``, ``mlp`` is the other id, and ``2048`` and ``exact`` are the words.
"""


def read_token_count(
    model: Model, words: list[str], message: str = N_("FLOPs need a number of tokens")
) -> tuple[int, list[str]]:
    """The number of tokens, which is the first word, and the other words.

    Args:
        model: the model.
        words: the words.
        message: message if there is no number.

    Raises:
        ConfigError: the number is missing or invalid, or the model has fewer positions.
    """
    if not words:
        raise ConfigError(_(message), Problem.NUMBER, _("add it, such as 4096"))
    if words[0] in KNOWN_FORMATS:
        hint = _("write it before the format: {example}", example="4096:exact")
        raise ConfigError(_(message), Problem.NUMBER, hint)
    tokens = read_tokens(words[0], Problem.NUMBER)
    return check_tokens(model, tokens, Problem.NUMBER), words[1:]


def difference_format(name: str, words: list[str]) -> Callable[[Fraction], str]:
    """Function that formats the difference of two measures like the second one.

    Args:
        name: name of the second measure.
        words: the words after its name; the last may be a unit or a format.
    """
    measure = name.partition(".")[0]
    unit_or_format = words[-1] if words else ""
    if unit_or_format == ELEMENTS:
        return elements_text
    if measure in {"weights", KV_CACHE}:
        unit = unit_or_format if unit_or_format in UNITS else ""
        return lambda number: byte_measure(number, unit).text
    if unit_or_format == "exact":
        return _exact
    return flops_text if measure.startswith("flops") else short


def _flops(
    model: Model, ids: Ids, words: list[str], forward_pass: Callable[[int], ForwardPass]
) -> Measure:
    """FLOPs of a forward pass.

    Args:
        model: the model.
        ids: ids of the parts to count.
        words: number of tokens, and optionally a format.
        forward_pass: function from the number of tokens to the forward pass.
    """
    tokens, rest = read_token_count(model, words)
    parts = flops_parts(model, forward_pass(tokens))
    return _in_unit(_measure(model, parts, ids, tokens, rest, flops_text), Unit.FLOPS, ids)


def _in_unit(measure: Measure, unit: Unit, ids: Ids) -> Measure:
    """The measure in its unit, unless it is a number of layers."""
    return measure if ids[-1:] == (NUM_LAYERS,) else replace(measure, unit=unit)


def _measure(  # noqa: PLR0917 - everything that a name selects
    model: Model,
    parts: Sequence[Part],
    ids: Ids,
    tokens: int,
    format_words: list[str],
    short_text: Callable[[Fraction], str],
) -> Measure:
    """The sum of the parts with these ids, divided by the tokens if the last id is ``per_token``.

    Args:
        model: the model.
        parts: all parts of the model, with their counts for these tokens.
        ids: the ids.
        tokens: number of tokens.
        format_words: the words after the tokens: optionally a format.
        short_text: function that formats the number in the default format.
    """
    is_average = ids[-1:] == (AVERAGE,)
    number = Fraction(count_selected(parts, ids[:-1] if is_average else ids, model.label))
    if ids[-1:] == (NUM_LAYERS,):
        return layers_measure(number)
    total = Fraction(sum(part.count for part in parts))
    if is_average:
        number, total = number / tokens, total / tokens
    formats: dict[str, Callable[[Fraction], str]] = {
        "short": short_text,
        "exact": _exact,
        "share": lambda number: percent(number / total if total else 0),
    }
    return Measure(number, formats[read_format(format_words, "short", formats)](number))


def _exact(number: Fraction) -> str:
    return thousands(round(number))
