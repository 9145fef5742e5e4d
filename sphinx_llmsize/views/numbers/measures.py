"""Numbers with a unit: bytes of weights and KV cache, FLOPs, elements of activations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    check_lengths,
    elements_text,
    layers_measure,
    weight_bytes,
)
from sphinx_llmsize.views.numbers.counted_parts import activation_parts, flops_parts
from sphinx_llmsize.views.numbers.counts import count
from sphinx_llmsize.views.numbers.number_formats import read_format
from sphinx_llmsize.views.numbers.parts import NUM_LAYERS, Ids, Part
from sphinx_llmsize.views.option_values import read_tokens
from sphinx_llmsize.views.shared.data_size import UNITS
from sphinx_llmsize.views.shared.lengths import check_tokens, generates

KV_CACHE = "kv_cache"
"""Name of a measure."""
AVERAGE = "per_token"
"""Last id of an average in a name, as in ``flops.per_token``."""


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
    check_lengths(model)
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


def difference_format(name: str, words: list[str]) -> Callable[[Fraction], str]:
    """Function that formats the difference of two measures.

    Args:
        name: name of the second measure, whose words decide the format.
        words: the words after its name.
    """
    quantity, last = name.partition(".")[0], words[-1] if words else ""
    if last == ELEMENTS:
        return elements_text
    if quantity in {"weights", KV_CACHE}:
        return lambda number: byte_measure(number, last if last in UNITS else "").text
    if last == "exact":
        return lambda number: thousands(round(number))
    return flops_text if quantity.startswith("flops") else short


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
        return layers_measure(number)
    total = Fraction(sum(part.count for part in parts))
    if is_average:
        number, total = number / tokens, total / tokens
    formats: dict[str, Callable[[Fraction], str]] = {
        "short": short_text,
        "exact": lambda number: thousands(round(number)),
        "share": lambda number: percent(number / total if total else 0),
    }
    return Measure(number, formats[read_format(words, "short", formats)](number))
