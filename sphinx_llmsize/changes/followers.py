"""Sizes and lists of layers that usually change together with another size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from sphinx_llmsize.architecture.layers import MAX_LAYERS
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import LAYER_NUMBERS, Key, ValueKind
from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.config.symbols import D_INNER, H_KV, R_DT, D, H, L
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _

FEED_FORWARDS, HEADS, WIDTHS = "F", "H", "D"
"""First letters of symbols: of feed-forward widths, numbers of heads, and other widths."""


class InvalidFactor(ConfigError):  # noqa: N818 - an error of the author
    """Error for a factor that gives a size that isn't whole, or too many layers."""


def usual_followers(key: Key, sizes: dict[Key, int]) -> tuple[Key, ...]:
    """The keys that change with a size by default.

    The widths of feed-forwards and mixers, the rank of Δ (D / 16 in Mamba) and the
    numbers of heads grow with the hidden dimension; the dimension of a head is constant. The
    key/value heads grow with the query heads if there are as many. All other sizes are constant.
    """
    if key.symbol == D:
        return tuple(other for other in sizes if other != key and _grows_with(key, other, sizes))
    if key.symbol == H:
        return tuple(
            other for other in sizes if other.symbol == H_KV and sizes[other] == sizes[key] > 1
        )
    return ()


def _grows_with(hidden: Key, other: Key, sizes: dict[Key, int]) -> bool:
    """True if the other size grows with the hidden dimension by default."""
    kind = str(other.symbol).partition("_")[0]
    if kind == HEADS:
        # multi-query attention has one key/value head at any width
        return sizes[other] > 1 or other.symbol == H
    if kind == WIDTHS:
        # a width below D is a constant bottleneck, unless it is a mixer's, whose heads grow, or
        # the hidden dimension of a submodel
        is_inner = other.symbol == D_INNER or other.name.startswith(HIDDEN_DIM.name)
        return is_inner or sizes[other] >= sizes[hidden]
    return kind == FEED_FORWARDS or other.symbol == R_DT


def layer_lists(model: Model, key: Key) -> dict[Key, Setting]:
    """Settings that list layers, or that have a value for each layer.

    Lists that the family derives are left out.

    Args:
        model: the model.
        key: key of a scaled size; the result is empty unless it is the number of layers.
    """
    if key.symbol != L:
        return {}
    layers = model.config.count(key)
    lists: dict[Key, Setting] = {}
    for other, value in model.config.settings:
        is_default = value == model.family.defaults.get(other)
        is_derived = not is_default and other not in model.config.explicit
        if value not in (None, ()) and not is_derived and _is_layer_list(other, value, layers):
            lists[other] = value
    return lists


def _is_layer_list(key: Key, value: Setting, layers: int) -> bool:
    """True for a setting that lists layers, or has a value for each of ``layers`` layers."""
    if key.kind in {*LAYER_NUMBERS, ValueKind.LETTERS}:
        return True
    return isinstance(value, tuple) and len(value) == layers


def repeated_lists(model: Model, key: Key, layers: int) -> Iterator[tuple[Key, Setting]]:
    """Each of :func:`layer_lists` for another number of layers, with its pattern repeated.

    Raises:
        InvalidFactor: the lists would have more than :data:`MAX_LAYERS` layers.
    """
    before = model.config.count(key)
    for other, value in layer_lists(model, key).items():
        if layers > MAX_LAYERS:
            message = _("{name} would list {after} layers", after=layers, name=other.name)
            hint = _("at most {number}", number=MAX_LAYERS)
            raise InvalidFactor(message, Problem.VALUE, hint)
        yield other, _repeat(other, value, before, layers)


def _repeat(key: Key, value: Setting, before: int, layers: int) -> Setting:
    """A list for ``before`` layers, repeated for ``layers``; layer numbers continue to rise."""
    starts = range(0, layers, before)
    entries = cast("tuple[int, ...]", value)  # or letters
    if key.kind not in LAYER_NUMBERS:
        return (entries * len(starts))[:layers]
    numbers = (start + number for start in starts for number in entries)
    # <= since some families count layers from 1; if a family counts from 0, the number ``layers``
    # has no effect
    return tuple(number for number in numbers if number <= layers)
