"""Default values of a family's keys, written as compactly as a paper's table of sizes."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Defaults
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key

KEY_OF = {key.symbol.name: key for key in vars(k).values() if isinstance(key, Key) and key.symbol}
"""The key of each size that several families have, by the name of its symbol."""


def sizes(**values: int | None) -> Defaults:
    """Default sizes by symbol: ``sizes(D=4096, L=32, H=32, H_kv=None, F=11_008, V=32_000)``.

    A size of None is derived by a rule of the family.
    """
    return {KEY_OF[symbol]: value for symbol, value in values.items()}


def off(*flags: Key) -> Defaults:
    """Flags that are false by default."""
    return dict.fromkeys(flags, False)


def unset(*keys: Key) -> Defaults:
    """Keys that are null by default: a rule derives them, or they change nothing."""
    return dict.fromkeys(keys)
