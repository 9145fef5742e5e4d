"""What grows with a size that is scaled: which other sizes, and what is told layer by layer.

Symbols say what they are: F are widths of feed-forwards, H numbers of heads, D widths.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Union, cast

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.config.symbols import H_KV, R_DT, D, H, L
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _

FEED_FORWARDS, HEADS, WIDTHS = "F", "H", "D"
MOST_LAYERS = 100_000
"""That are told one by one; no model has as many."""

Told = Union[tuple[int, ...], tuple[str, ...], str]
"""What tells the kinds of layers."""
Sizes = dict[Key, int]
"""Keys that can be scaled, with their numbers."""


def usual_followers(key: Key, sizes: Sizes) -> tuple[Key, ...]:
    """The keys that grow with a size where the author names none.

    With the hidden dimension grow the widths of feed-forwards and mixers, the rank of
    the time steps (D / 16 in Mamba) and the numbers of heads, whose dimension stays; with
    the heads those of keys and values, where each has its own. Latents, ranks and experts stay.
    """
    if key.symbol == D:
        return tuple(other for other in sizes if other != key and _grows_with(key, other, sizes))
    if key.symbol == H:
        return tuple(k for k in sizes if k.symbol == H_KV and sizes[k] == sizes[key] > 1)
    return ()


def _grows_with(hidden: Key, other: Key, sizes: Sizes) -> bool:
    kind = str(other.symbol).partition("_")[0]
    if kind == HEADS:
        # one key/value head for all is the design of multi-query attention, whatever the width
        return sizes[other] > 1 or other.symbol == H
    if kind == WIDTHS:
        # what is narrower is a bottleneck, unless it is the width of another transformer
        return sizes[other] >= sizes[hidden] or other.name.startswith(HIDDEN_DIM.name)
    return kind == FEED_FORWARDS or other.symbol == R_DT


def told_by_layer(model: Model, key: Key, factor: Fraction) -> dict[Key, Setting]:
    """What tells each layer's kind, for so many times the layers: again in the same order.

    Raises:
        ConfigError: there would be more layers than in any model.
    """
    if key.symbol != L:
        return {}
    before = model.config.count(key)
    found = dict(_lists(model, before))
    after = int(before * factor)
    if found and after > MOST_LAYERS:
        message = _(
            "each of {after} layers would be told in {name}",
            after=thousands(after),
            name=next(iter(found)).name,
        )
        hint = _("at most {number}", number=thousands(MOST_LAYERS))
        raise ConfigError(message, Problem.OPTION, hint, option="factors")
    return {other: _again(other, value, before, after) for other, value in found.items()}


def _lists(model: Model, layers: int) -> Iterator[tuple[Key, Told]]:
    """Numbers of layers, and what has an entry for each, if not derived from other keys."""
    for key, value in model.config.settings:
        if key not in model.config.explicit and value != model.family.defaults.get(key):
            continue
        for_each = isinstance(value, tuple) and len(value) == layers
        if value and (for_each or key.kind in {Kind.LAYERS, Kind.LETTERS}):
            yield key, cast("Told", value)


def _again(key: Key, value: Told, before: int, after: int) -> Setting:
    starts = range(0, after, before)
    if key.kind is not Kind.LAYERS:
        return (value * len(starts))[:after]
    found = (start + int(number) for start in starts for number in value)
    return tuple(number for number in found if number <= after)
