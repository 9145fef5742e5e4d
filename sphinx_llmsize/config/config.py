"""Checked configuration: a value for each key, and the set of explicitly written keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, Union, cast

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.rule import ints_of, names_of
from sphinx_llmsize.config.symbols import D_H, H_KV, D, H, L, P, V
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.traced import is_whole
from sphinx_llmsize.translation import _

DISPLAY_FIRST = (D, L, H, H_KV, D_H)
"""Symbols listed first among a model's sizes."""
DISPLAY_LAST = (V, P)
"""Symbols listed last."""

Setting = Union[
    int,
    float,
    bool,
    str,
    tuple[int, ...],
    tuple[float, ...],
    tuple[str, ...],
    tuple[Section, ...],
    Section,
    None,
]
"""Value of a key."""
Value = TypeVar("Value")


@dataclass(frozen=True)
class Config:
    """A value for every key of a family; hashable, equal by value.

    Values are looked up by symbol or key: ``config[D]``, ``config[TIE_EMBEDDINGS]``.
    """

    settings: tuple[tuple[Key, Setting], ...]
    """Each key with its value."""
    explicit: frozenset[Key] = frozenset()
    """Keys written with a value other than null; the others have defaults or derived values."""
    nulls: frozenset[Key] = frozenset()
    """Keys written as null, which overrides a default."""
    _by_key: dict[Key, Setting] = field(init=False, repr=False, compare=False)
    _key_of: dict[Symbol, Key] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", dict(self.settings))
        keys = {key.symbol: key for key, _value in self.settings if key.symbol}
        object.__setattr__(self, "_key_of", keys)

    def __getitem__(self, key: Key | Symbol) -> Setting:
        return self._by_key[self._key(key)]

    def count(self, key: Key | Symbol) -> int:
        """Value of a whole-number key.

        Raises:
            ConfigError: it is null, and no rule derives it.
        """
        value = self[key]
        if not is_whole(value):
            raise missing_value(self._key(key).name)
        return cast("int", value)

    def flag(self, key: Key) -> bool:
        """Value of a true-or-false key."""
        return self[key] is True

    def has(self, key: Key | Symbol) -> bool:
        """True unless the value is null, zero, false or empty."""
        return self[key] not in (None, 0, False, "", (), Section(()))

    def names(self, key: Key) -> tuple[str, ...]:
        """Names in a list; empty if the value is null or a single name."""
        return names_of(self._by_key, key)

    def counts(self, key: Key | Symbol) -> tuple[int, ...]:
        """Value as a tuple of whole numbers; a single number becomes one entry, null becomes ()."""
        return ints_of(self._by_key, self._key(key))

    def is_explicit(self, key: Key | Symbol) -> bool:
        """True if the key was written with a value other than null."""
        return self._key(key) in self.explicit

    @cached_property
    def sizes(self) -> dict[Symbol, int]:
        """Whole-number value of each symbol, in display order."""
        sizes = {
            symbol: cast("int", value)
            for symbol, key in self._key_of.items()
            if is_whole(value := self._by_key[key])
        }
        first = [symbol for symbol in DISPLAY_FIRST if symbol in sizes]
        last = [symbol for symbol in DISPLAY_LAST if symbol in sizes]
        between = [symbol for symbol in sizes if symbol not in {*first, *last}]
        return {symbol: sizes[symbol] for symbol in (*first, *between, *last)}

    def name_of(self, symbol: Symbol) -> str:
        """Plain name of a symbol's key; the symbol itself if it has no key."""
        return self._key_of[symbol].name if symbol in self._key_of else str(symbol)

    def value_of(self, declared: Value | Callable[[Config], Value]) -> Value:
        """A value that a family declares, for all configurations or as a function of one."""
        return declared(self) if callable(declared) else declared

    def _key(self, key: Key | Symbol) -> Key:
        """The key itself, or the key with this symbol."""
        return self._key_of[key] if isinstance(key, Symbol) else key


def missing_value(name: str) -> ConfigError:
    """Error for a required size that is null."""
    hint = _("write its number, or leave it out for the family's default")
    return ConfigError(_("{name} has no value", name=name), Problem.MISSING, hint)
