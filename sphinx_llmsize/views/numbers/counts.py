"""Sums over selected parts: in all layers, in one layer, and the number of layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.part_selection import (
    NUM_LAYERS,
    SUFFIXES,
    TOTAL,
    Ids,
    Part,
    has_id,
    select,
)


def count_selected(
    parts: Sequence[Part], ids: Ids, model_name: str, others: Iterable[str] = ()
) -> int | Fraction:
    """The sum over the parts with these ids: in all layers, or in one for ``qkv.per_layer``.

    Args:
        parts: all parts of the model.
        ids: the ids. As the last one, ``per_layer`` gives the number in one layer, and
            ``num_layers`` the number of layers.
        model_name: name of the model, for errors.
        others: ids of other numbers, for the hint of an error.

    Raises:
        ConfigError: the model has no such part, or its number differs between layers.
    """
    part_ids, suffix = without_suffix(parts, ids)
    selected = select(parts, part_ids, model_name, others)
    if not suffix:
        return sum(part.count for part in selected)
    in_layers = [part for part in selected if part.stack]
    if suffix == NUM_LAYERS:
        # parts with the same ids of layers are in the same layers, which are counted once
        return sum({part.ids.layers: part.layers for part in in_layers}.values())
    shown_name = repr(".".join(part_ids or (TOTAL,))[:60])
    if not in_layers:
        raise ConfigError(_("{what} is not in the layers", what=shown_name), Problem.NUMBER)
    return _in_one_layer(in_layers, shown_name, model_name)


def _in_one_layer(parts: Sequence[Part], shown_name: str, model_name: str) -> int | Fraction:
    """The sum over parts in one layer.

    Args:
        parts: the parts, at least one; all are in layers.
        shown_name: name of the number, for the error.
        model_name: name of the model, for the error.

    Raises:
        ConfigError: layers have different numbers.
    """
    numbers: dict[frozenset[str], Fraction] = {}
    for part in parts:
        in_one_layer = Fraction(part.count, part.layers)
        numbers[part.ids.layers] = numbers.get(part.ids.layers, Fraction(0)) + in_one_layer
    different_numbers = set(numbers.values())
    if len(different_numbers) == 1:
        return _whole(different_numbers.pop())
    ids_of_all_layers = frozenset.intersection(*numbers)
    ids_of_some_layers = sorted(frozenset().union(*numbers) - ids_of_all_layers)
    hint = _("add one of {names}", names=", ".join(ids_of_some_layers[:20]))
    message = _("layers of {name} differ in {what}", name=model_name, what=shown_name)
    raise ConfigError(message, Problem.NUMBER, hint)


def without_suffix(parts: Sequence[Part], ids: Ids) -> tuple[Ids, str]:
    """Ids without a final one of :data:`SUFFIXES`, and that suffix; empty if there is none."""
    if not ids or ids[-1] not in SUFFIXES:
        return ids, ""
    is_id_of_part = len(ids) == 1 and has_id(parts, ids[-1])
    return (ids, "") if is_id_of_part else (ids[:-1], ids[-1])


def _whole(number: Fraction) -> int | Fraction:
    """The number, as an int if it is whole."""
    return int(number) if number.denominator == 1 else number
