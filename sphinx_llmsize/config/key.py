"""Configuration keys, and the kinds of their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import cast

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

_LAYER_NUMBER = re.compile(" *[0-9]{1,15} *")
"""Layer number in a text; ``str.isdigit`` also accepts ``²``, which ``int`` refuses."""
MAX_COUNT = 10**15
"""Largest accepted whole number; no model has a size this large."""


def _is_int(value: object, least: int = 0) -> bool:
    """True for an int from ``least`` to :data:`MAX_COUNT`; false for a bool."""
    return type(value) is int and least <= value <= MAX_COUNT


def _is_int_or_list(value: object) -> bool:
    """True for an int that is 0 or more, or a list of them."""
    return all(map(_is_int, value)) if isinstance(value, tuple) else _is_int(value)


def _are_names(value: object) -> bool:
    """True for a list of texts."""
    return isinstance(value, tuple) and all(isinstance(name, str) for name in value)


def _is_pattern(value: object) -> bool:
    """True for a number, or for letters such as ``LLLG`` (local and global attention)."""
    return _is_int(value) or (isinstance(value, str) and value != "" and set(value) <= {"L", "G"})


def _is_positive(value: object) -> bool:
    """True for a number above 0 and at most :data:`MAX_COUNT`."""
    return type(value) in {int, float} and 0 < cast("float", value) <= MAX_COUNT


def _is_positive_text(value: object) -> bool:
    """True for a number > 0, also as text: ``"2.6"``."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value):
        return _is_positive(float(value))
    return _is_positive(value)


def _are_positive(value: object) -> bool:
    """True for a number above 0, or a list of them."""
    return all(map(_is_positive, value)) if isinstance(value, tuple) else _is_positive(value)


def _are_layer_numbers(value: object) -> bool:
    """True for layer numbers as a list or as text, ``3,4,5``; also for one number."""
    if isinstance(value, str):
        return all(_LAYER_NUMBER.fullmatch(number) for number in value.split(","))
    return _is_int_or_list(value)


def _are_sections(value: object) -> bool:
    """True for a list of mappings."""
    return isinstance(value, tuple) and all(isinstance(item, Section) for item in value)


def _are_turns(value: object) -> bool:
    """True for a value such as GPT-Neo's ``[[["global", "local"], 12]]``."""
    return isinstance(value, tuple) and all(map(_is_kinds_with_turns, value))


def _is_kinds_with_turns(value: object) -> bool:
    """True for a list of kinds of layers, and the number of times that they take turns."""
    if not isinstance(value, tuple) or len(value) != 2:  # noqa: PLR2004 - a pair
        return False
    kinds, turns = value
    return _are_names(kinds) and _is_int(turns)


class ValueKind(Enum):
    """Type of a key's value.

    Attributes:
        label: description, shown in messages and the reference.
        fits: predicate that is true for values of this type.
    """

    label: str
    fits: Callable[[object], bool]

    COUNT = "count", N_("a whole number ≥ 1"), partial(_is_int, least=1)
    WHOLE = "whole", N_("a whole number ≥ 0"), _is_int
    LAYER = "layer", N_("a layer's number from 0, or -1 for the last"), partial(_is_int, least=-1)
    FLAG = "flag", N_("true or false"), lambda value: isinstance(value, bool)
    POSITIVE = "positive", N_("a number > 0"), _is_positive
    POSITIVE_OR_TEXT = "positive_or_text", N_("a number > 0, also as text"), _is_positive_text
    POSITIVE_OR_LIST = "positive_or_list", N_("a number > 0, or a list of them"), _are_positive
    NAME = "name", N_("a name"), lambda value: isinstance(value, str)
    WHOLE_OR_LIST = "whole_or_list", N_("a whole number ≥ 0, or a list of them"), _is_int_or_list
    LAYERS = "layers", N_("a layer's number, or a list of them"), _is_int_or_list
    LAYER_TEXT = "layer_text", N_("layers' numbers, as a list or as text"), _are_layer_numbers
    LETTERS = "letters", N_("a letter for each layer"), lambda value: isinstance(value, str)
    NAMES = "names", N_("a list of names"), _are_names
    NAME_OR_NAMES = (
        "name_or_names",
        N_("a name, or a list of names"),
        lambda value: isinstance(value, str) or _are_names(value),
    )
    CHOICE = "choice", N_("a name, or true or false"), lambda value: isinstance(value, (str, bool))
    SECTION = "section", N_("a mapping"), lambda value: isinstance(value, Section)
    SECTIONS = "sections", N_("a list of mappings"), _are_sections
    WINDOW = (
        "window",
        N_("a whole number of tokens, or 0, -1 or null for all of them"),
        partial(_is_int, least=-1),
    )
    PATTERN = "pattern", N_("a whole number ≥ 0, or letters L and G"), _is_pattern
    TURNS = "turns", N_("lists of kinds, each with a number of turns"), _are_turns

    def __new__(cls, id: str, label: str, fits: Callable[[object], bool]) -> ValueKind:
        """Create a member whose value is ``id``."""
        member = object.__new__(cls)
        member._value_ = id
        member.label = label
        member.fits = fits
        return member


LAYER_NUMBERS = (ValueKind.LAYERS, ValueKind.LAYER_TEXT)
"""Kinds of values that list layers by their numbers."""


@dataclass(frozen=True)
class Key:
    """A configuration key.

    Attributes:
        name: plain name.
        meaning: description, shown in messages and the reference.
        aliases: names in ``config.json`` files.
        kind: type of its value.
        symbol: symbol of a size; None for other keys.
        optional: the value may be null, which overrides the family's default: a rule can then
            derive the value, as the model's own code does.
        part: id of the group of stages that it changes without any shape, such as ``experts``;
            empty for other keys.
    """

    name: str
    meaning: str
    aliases: tuple[str, ...] = ()
    kind: ValueKind = ValueKind.COUNT
    symbol: Symbol | None = None
    optional: bool = False
    part: str = ""

    def __hash__(self) -> int:
        return hash(self.name)  # cheap, since values are looked up by their keys

    @property
    def names(self) -> tuple[str, ...]:
        """Name and aliases, the plain name first."""
        return (self.name, *self.aliases)


def make_key(
    names: str,
    meaning: str,
    kind: ValueKind = ValueKind.COUNT,
    *,
    optional: bool = False,
    part: str = "",
) -> Key:
    """Make a key; ``names`` are the plain name and its aliases, separated by spaces."""
    name, *aliases = names.split()
    return Key(name, meaning, tuple(aliases), kind, optional=optional, part=part)


def size_key(
    symbol: Symbol, names: str, *, kind: ValueKind = ValueKind.COUNT, optional: bool = False
) -> Key:
    """Make a key for a size, described by its symbol; for ``names`` see :func:`make_key`."""
    name, *aliases = names.split()
    return Key(name, symbol.meaning, tuple(aliases), kind, symbol, optional)


def flag(names: str, meaning: str, *, optional: bool = False, part: str = "") -> Key:
    """Make a true-or-false key; for the arguments see :func:`make_key`."""
    return make_key(names, meaning, ValueKind.FLAG, optional=optional, part=part)
