"""Figures that are measured in a unit: the bytes of a model's weights, and of what it keeps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from sphinx_llmsize.architecture.cost import cache_elements, cache_elements_per_token
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.data_size import DTYPES, UNITS, bits_of, size_in, size_text
from sphinx_llmsize.views.shared.lengths import check_tokens
from sphinx_llmsize.views.view_options import read_tokens

WEIGHTS = "weights"
"""Followed by a dtype, or by bits for each parameter, and perhaps a unit."""
KV_CACHE = "kv_cache"
"""Followed by any of: tokens so far, a dtype, a unit. Without tokens, what each one adds."""
CACHE_DTYPE = "bf16"
"""That of what is kept, unless told."""


@dataclass(frozen=True)
class Amount:
    """A measured number, and how it is written."""

    number: Fraction
    text: str


def weight_bytes(model: Model, how: list[str]) -> Amount:
    """What all parameters take in a type: ``["bf16", "GiB"]``.

    Raises:
        ConfigError: the words are none, too many, or no type and unit.
    """
    if not how or len(how) > 2:  # noqa: PLR2004 - a dtype and a unit
        hint = _(
            "write a dtype after it ({names}) or bits, and perhaps a unit", names=", ".join(DTYPES)
        )
        raise ConfigError(_("weights of which type?"), Problem.FIGURE, hint)
    size = Fraction(model.total * bits_of(how[0]), 8)
    if how[1:] and how[1] not in UNITS:
        hint = did_you_mean(how[1], UNITS) or _("one of {names}", names=", ".join(UNITS))
        raise ConfigError(_("unknown unit {how}", how=repr(how[1][:60])), Problem.FIGURE, hint)
    return _bytes(size, *how[1:])


def cache_bytes(model: Model, how: list[str]) -> Amount:
    """What is kept after so many tokens, ``["4096", "fp8", "GiB"]``, or for each of them.

    Raises:
        ConfigError: the words are others, or nothing is kept.
    """
    context, dtype, unit = _cache_words(how)
    if context:
        check_tokens(model, context, Problem.FIGURE)
    if not caches(model):
        hint = _("it does not generate one token after the other")
        raise ConfigError(_("{name} has no KV cache", name=model.name), Problem.FIGURE, hint)
    architecture = model.architecture
    places = architecture.places()
    numbers = (
        cache_elements(architecture, places, context)
        if context
        else cache_elements_per_token(architecture, places)
    )
    return _bytes(numbers * bits_of(dtype) / 8, unit)


MEASURES: dict[str, Callable[[Model, list[str]], Amount]] = {
    WEIGHTS: weight_bytes,
    KV_CACHE: cache_bytes,
}
"""What is measured, by the word that asks for it; the function takes the words after it."""


def caches(model: Model) -> bool:
    """Whether anything of the tokens so far is kept to generate the next one."""
    return any(place.stage.caches for place in model.architecture.places())


def _bytes(size: Fraction, unit: str = "") -> Amount:
    return Amount(size, size_in(size, unit) if unit else size_text(size))


def _cache_words(how: list[str]) -> tuple[int | None, str, str]:
    """Tokens, dtype and unit, each of them optional."""
    rest = list(how)
    context = read_tokens(rest.pop(0), Problem.FIGURE) if rest and rest[0][:1].isdigit() else None
    dtype = rest.pop(0) if rest and rest[0] in DTYPES else CACHE_DTYPE
    unit = rest.pop(0) if rest and rest[0] in UNITS else ""
    if rest:
        order = _("after it come tokens such as 4096, a dtype, a unit, or only some of them")
        known = {**DTYPES, **UNITS}
        hint = (rest[0] not in known and did_you_mean(rest[0], known)) or order
        raise ConfigError(_("no KV cache in {rest}", rest=repr(rest[0][:60])), Problem.FIGURE, hint)
    return context, dtype, unit
