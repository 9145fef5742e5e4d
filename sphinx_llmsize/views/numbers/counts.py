"""Sums over selected parts: in all layers, in one layer, and the number of layers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.parts import (
    NUM_LAYERS,
    SUFFIXES,
    TOTAL,
    Ids,
    Part,
    has_id,
    select,
)


def count(parts: Sequence[Part], ids: Ids, name: str) -> int | Fraction:
    """The number in the parts with these ids; of ``qkv.per_layer``, that in one layer.

    Args:
        parts: all parts of the model.
        ids: the ids, perhaps followed by one of :data:`SUFFIXES`.
        name: name of the model, for errors.

    Raises:
        ConfigError: the model has no such part, or layers with different numbers of it.
    """
    own, suffix = without_suffix(parts, ids)
    found = select(parts, own, name)
    if not suffix:
        return sum(part.count for part in found)
    # parts with the same ids of layers are in the same layers
    in_layers = {part.ids.layers: part.layers for part in found if part.stack}
    if suffix == NUM_LAYERS:
        return sum(in_layers.values())
    numbers = {ids: Fraction(0) for ids in in_layers}
    for part in found:
        if part.stack:
            numbers[part.ids.layers] += Fraction(part.count, part.layers)
    different = set(numbers.values())
    if len(different) == 1:
        return _whole(different.pop())
    shown = repr(".".join(own or (TOTAL,))[:60])
    if not numbers:
        raise ConfigError(_("{what} is not in the layers", what=shown), Problem.NUMBER)
    kinds = sorted(frozenset().union(*numbers) - frozenset.intersection(*numbers))
    hint = _("add one of {names}", names=", ".join(kinds[:20]))
    message = _("layers of {name} differ in {what}", name=name, what=shown)
    raise ConfigError(message, Problem.NUMBER, hint)


def without_suffix(parts: Sequence[Part], ids: Ids) -> tuple[Ids, str]:
    """The ids before the suffix, and the suffix; it is empty if the last word is an id."""
    if ids and ids[-1] in SUFFIXES and not (len(ids) == 1 and has_id(parts, ids[-1])):
        return ids[:-1], ids[-1]
    return ids, ""


def _whole(number: Fraction) -> int | Fraction:
    """The number, as an int if it is whole."""
    return int(number) if number.denominator == 1 else number
