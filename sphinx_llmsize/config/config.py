"""A checked configuration: which values were given, which the family's defaults supply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import DISPLAY_FIRST, DISPLAY_LAST
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import _

Setting = Union[int, float, bool, str, tuple[int, ...], tuple[str, ...], Section, None]


@dataclass(frozen=True)
class Config:
    """One value for every key that its family knows; hashable, equal by value.

    Look values up by symbol or key: ``config[D]``, ``config[TIE_EMBEDDINGS]``.
    """

    settings: tuple[tuple[Key, Setting], ...]
    explicit: frozenset[Key] = frozenset()
    """The keys that were written down; the others are defaults or derived."""
    nulls: frozenset[Key] = frozenset()
    """Those that were written down as null, in place of a default."""
    _by_key: dict[Key, Setting] = field(init=False, repr=False, compare=False)
    _key_of: dict[Symbol, Key] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", dict(self.settings))
        keys = {key.symbol: key for key, _ in self.settings if key.symbol}
        object.__setattr__(self, "_key_of", keys)

    def __getitem__(self, key: Key | Symbol) -> Setting:
        return self._by_key[self._key(key)]

    def count(self, key: Key | Symbol) -> int:
        """A key's whole number.

        Raises:
            ConfigError: it is null, and nothing derives it.
        """
        value = self[key]
        if not isinstance(value, int):
            raise is_missing(self._key(key).name)
        return value

    def flag(self, key: Key) -> bool:
        """Whether a true-or-false key is true."""
        return self[key] is True

    def has(self, key: Key | Symbol) -> bool:
        """Whether a key is neither null nor zero, false or empty."""
        return bool(self[key])

    def names(self, key: Key) -> tuple[str, ...]:
        """A key's list of names; empty where it is null."""
        value = self[key]
        return tuple(map(str, value)) if isinstance(value, tuple) else ()

    def counts(self, key: Key | Symbol) -> tuple[int, ...]:
        """A key's list of whole numbers; a number on its own is a list of one, null of none."""
        value = self[key]
        numbers = value if isinstance(value, tuple) else (value,)
        return tuple(number for number in numbers if isinstance(number, int))

    def each(self, key: Key | Symbol, layers: int) -> tuple[int, ...] | int:
        """A key's number, or its list of one for each layer."""
        value = self[key]
        if isinstance(value, tuple):
            return tuple(int(number) for number in value)[:layers]
        return self.count(key)

    def is_explicit(self, key: Key | Symbol) -> bool:
        """Whether the value was written down and not null."""
        return self._key(key) in self.explicit

    @property
    def sizes(self) -> dict[Symbol, int]:
        """Every symbol with its number, in the order in which models are described."""
        sizes = {
            symbol: value
            for symbol, key in self._key_of.items()
            if isinstance(value := self._by_key[key], int)
        }
        first = [symbol for symbol in DISPLAY_FIRST if symbol in sizes]
        last = [symbol for symbol in DISPLAY_LAST if symbol in sizes]
        between = [symbol for symbol in sizes if symbol not in {*first, *last}]
        return {symbol: sizes[symbol] for symbol in (*first, *between, *last)}

    def name_of(self, symbol: Symbol) -> str:
        """The plain name of a symbol's key; the symbol itself where it has none."""
        return self._key_of[symbol].name if symbol in self._key_of else str(symbol)

    def _key(self, key: Key | Symbol) -> Key:
        return self._key_of[key] if isinstance(key, Symbol) else key


def is_missing(name: str) -> ConfigError:
    """The error for a size that is null where the family cannot do without it."""
    hint = _("write its number, or leave it out to have the family's default")
    return ConfigError(_("{name} has no value", name=name), Problem.MISSING, hint)
