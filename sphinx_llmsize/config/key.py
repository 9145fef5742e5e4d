"""What a configuration key is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.translation import N_


class Kind(Enum):
    """What a key's value is."""

    COUNT = N_("a whole number ≥ 1")
    WHOLE = N_("a whole number ≥ 0")
    LAYER = N_("a layer's number from 0, or -1 for the last")
    FLAG = N_("true or false")
    RATIO = N_("a number > 0")
    NAME = N_("a name")
    COUNTS = N_("a whole number ≥ 0, or a list of them")
    LAYERS = N_("a layer's number, or a list of them")
    LETTERS = N_("a letter for each layer")
    NAMES = N_("a list of names")
    CHOICE = N_("a name, or true or false")
    SECTION = N_("a mapping")
    WINDOW = N_("a whole number of tokens, or 0, -1 or null for all of them")
    PATTERN = N_("a whole number ≥ 0, or letters L and G")
    TURNS = N_("lists of kinds, each with a number of turns")


@dataclass(frozen=True)
class Key:
    """A configuration key.

    ``optional`` keys may be null, which means the same as leaving them out: the value
    is then derived from the others, as the model's own code does.
    """

    name: str
    meaning: str
    aliases: tuple[str, ...] = ()
    kind: Kind = Kind.COUNT
    symbol: Symbol | None = None
    optional: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Every spelling of the key, the plain one first."""
        return (self.name, *self.aliases)


def size_key(
    symbol: Symbol, name: str, *aliases: str, kind: Kind = Kind.COUNT, optional: bool = False
) -> Key:
    """The key of a size that has a symbol."""
    return Key(name, symbol.meaning, aliases, kind, symbol, optional)


def flag(name: str, meaning: str, *aliases: str) -> Key:
    """A key that is true or false."""
    return Key(name, meaning, aliases, Kind.FLAG)
