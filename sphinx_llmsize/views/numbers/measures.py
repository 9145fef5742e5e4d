"""Numbers with a unit: bytes of weights and KV cache, FLOPs, elements of activations.

In ``flops.mlp:2048:exact``, ``flops`` is the name of the measure, ``mlp`` an id, which selects
parts of the model, and ``2048`` and ``exact`` are words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from sphinx_llmsize.architecture.cost import forward, next_token
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import flops_text, percent, short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.byte_measures import (
    ELEMENTS,
    KV_CACHE,
    byte_measure,
    cache_bytes,
    elements_text,
    refuse_unknown_cache,
    weight_bytes,
)
from sphinx_llmsize.views.numbers.counted_parts import activation_parts, flops_parts
from sphinx_llmsize.views.numbers.counts import count_selected
from sphinx_llmsize.views.numbers.number_formats import (
    ELEMENT_FORMATS,
    FLOPS_FORMATS,
    KNOWN_FORMATS,
    exact_text,
    layers_measure,
    read_format,
)
from sphinx_llmsize.views.numbers.part_selection import NUM_LAYERS, Ids, Part
from sphinx_llmsize.views.numbers.units import Measure, Unit
from sphinx_llmsize.views.option_values import read_tokens
from sphinx_llmsize.views.shared.data_size import UNITS
from sphinx_llmsize.views.shared.lengths import check_tokens, generates

NO_TOKENS_OF_FLOPS = N_("FLOPs need a number of tokens")
NO_TOKENS_OF_ACTIVATIONS = N_("activations need a number of tokens")
AVERAGE = "per_token"
"""Last id in the name of an average over the tokens: ``flops.mlp.per_token``."""


def forward_flops(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs of a forward pass, for words such as ``["5"]`` (tokens) or ``["5", "exact"]``.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    tokens, rest = read_token_count(model, words, NO_TOKENS_OF_FLOPS)
    parts = flops_parts(model, forward(tokens))
    return _measure(parts, ids, rest, Unit.FLOPS, tokens=tokens, model_name=model.label)


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
    tokens, rest = read_token_count(model, words, NO_TOKENS_OF_FLOPS)
    parts = flops_parts(model, next_token(tokens))
    return _measure(parts, ids, rest, Unit.FLOPS, tokens=tokens, model_name=model.label)


def activations(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Elements of the stages' outputs in a forward pass, for words as in :func:`forward_flops`.

    Raises:
        ConfigError: the words are not tokens and optionally a format.
    """
    tokens, rest = read_token_count(model, words, NO_TOKENS_OF_ACTIVATIONS)
    parts = activation_parts(model, tokens)
    return _measure(parts, ids, rest, Unit.ELEMENTS, tokens=tokens, model_name=model.label)


MEASURES: dict[str, Callable[[Model, Ids, list[str]], Measure]] = {
    "weights": weight_bytes,
    KV_CACHE: cache_bytes,
    "flops": forward_flops,
    "flops_per_token": next_token_flops,
    "activations": activations,
}
"""Functions for measures by name, called with the model, the ids, and the words."""


def read_token_count(model: Model, words: list[str], message: str) -> tuple[int, list[str]]:
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
        return exact_text
    return flops_text if measure.startswith("flops") else short


def _measure(
    parts: Sequence[Part],
    ids: Ids,
    format_words: list[str],
    unit: Unit,
    *,
    tokens: int,
    model_name: str,
) -> Measure:
    """The sum over the parts with these ids, divided by the tokens if the last id is ``per_token``.

    Args:
        parts: all parts of the model, with their counts for these tokens.
        ids: the ids. With ``num_layers`` as the last one, the measure is a number of layers.
        format_words: the words after the tokens: optionally a format.
        unit: FLOPs or elements.
        tokens: number of tokens.
        model_name: name of the model, for errors.
    """
    if ids[-1:] == (NUM_LAYERS,):
        return layers_measure(count_selected(parts, ids, model_name), format_words)
    is_average = ids[-1:] == (AVERAGE,)
    part_ids = ids[:-1] if is_average else ids
    number = Fraction(count_selected(parts, part_ids, model_name, (AVERAGE,)))
    total = sum(part.count for part in parts)
    share = number / total if total else 0
    if is_average:
        number /= tokens
    formats = dict(FLOPS_FORMATS if unit is Unit.FLOPS else ELEMENT_FORMATS)
    formats["share"] = lambda _number: percent(share)
    format_name = read_format(format_words, "short", formats)
    return Measure(number, formats[format_name](number), unit)
