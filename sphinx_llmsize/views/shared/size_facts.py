"""Lists of a model's sizes: those that readers look for, then the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Fact, Facts
from sphinx_llmsize.config.symbols import (
    D_H,
    E_S,
    F_E,
    H_KV,
    L_DEC,
    L_ENC,
    D,
    E,
    F,
    H,
    K,
    L,
    P,
    T,
    V,
)
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.wording import variable

MAIN_SIZES = {T, D, L, L_ENC, L_DEC, H, H_KV, F, E, K, V, D_H, F_E, P}
"""Sizes that readers look for."""
MEANINGS_OF_ONE = {
    E_S: N_("shared expert"),
    H_KV: N_("key/value head"),
    K: N_("expert per token"),
}
"""Meanings of symbols whose value is 1."""


def facts_of(sizes: Iterable[tuple[Symbol, int]], names: Mapping[Symbol, str]) -> Facts:
    """The list of sizes, main sizes first.

    Args:
        sizes: pairs of a symbol and its value.
        names: name in the role ``llm-size`` of each symbol that has one.
    """
    main_first = sorted(sizes, key=lambda size: size[0] not in MAIN_SIZES)
    return Facts(
        tuple(
            Fact(variable(symbol), thousands(value), _meaning(symbol, value), names.get(symbol, ""))
            for symbol, value in main_first
        )
    )


def _meaning(symbol: Symbol, value: int) -> str:
    """``shared experts``; ``shared expert`` if there is one."""
    if value == 1:
        return _(MEANINGS_OF_ONE.get(symbol, symbol.meaning))
    return _(symbol.meaning)
