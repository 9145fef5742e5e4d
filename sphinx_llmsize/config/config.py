"""A checked configuration: which values were given, which the family's defaults supply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.vocabulary import KEY_OF_SYMBOL, Key

Setting = Union[int, float, bool, str, None]


@dataclass(frozen=True)
class Config:
    """One value for every key that its family knows; hashable, equal by value.

    Look values up by symbol or key: ``config[D]``, ``config[TIE_EMBEDDINGS]``.
    """

    settings: tuple[tuple[Key, Setting], ...]
    given: frozenset[Key] = frozenset()
    """The keys that were written down; the others are defaults or derived."""
    _by_key: dict[Key, Setting] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", dict(self.settings))

    def __getitem__(self, key: Key | Symbol) -> Setting:
        return self._by_key[KEY_OF_SYMBOL[key] if isinstance(key, Symbol) else key]

    def flag(self, key: Key) -> bool:
        """Whether a true-or-false key is true."""
        return self[key] is True

    def was_given(self, key: Key | Symbol) -> bool:
        """Whether the value was written down and not null."""
        return (KEY_OF_SYMBOL[key] if isinstance(key, Symbol) else key) in self.given

    @property
    def sizes(self) -> dict[Symbol, int]:
        """Every symbol with its number, in the vocabulary's order."""
        return {
            symbol: value
            for symbol, key in KEY_OF_SYMBOL.items()
            if isinstance(value := self._by_key.get(key), int)
        }
