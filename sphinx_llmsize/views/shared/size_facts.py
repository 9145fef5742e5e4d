"""Lists of a model's sizes: the main ones, then the others."""

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

MAIN_SIZES = (T, D, L, L_ENC, L_DEC, H, H_KV, F, E, K, V, D_H, F_E, P)
"""Sizes that readers look for, the most important ones first."""
MEANINGS_OF_ONE = {
    E_S: N_("shared expert"),
    H_KV: N_("key/value head"),
    K: N_("expert per token"),
}
"""Meanings of symbols whose value is 1."""
MAX_MAIN = 8
"""Maximum number of sizes that are listed before the others."""


def facts_of(sizes: Iterable[tuple[Symbol, int]], names: Mapping[Symbol, str]) -> Facts:
    """The list of symbols with their values, meanings and, if they have one, names."""
    facts = {
        symbol: Fact(
            variable(symbol), thousands(value), _meaning(symbol, value), names.get(symbol, "")
        )
        for symbol, value in sizes
    }
    by_importance = dict.fromkeys((*(s for s in MAIN_SIZES if s in facts), *facts))
    is_one_more = len(facts) == MAX_MAIN + 1  # a single one isn't set apart
    main = [*by_importance] if is_one_more else [*by_importance][:MAX_MAIN]
    return Facts(
        tuple(fact for symbol, fact in facts.items() if symbol in main),
        tuple(fact for symbol, fact in facts.items() if symbol not in main),
    )


def _meaning(symbol: Symbol, value: int) -> str:
    """``shared experts``; ``shared expert`` if there is one."""
    return _(MEANINGS_OF_ONE.get(symbol, symbol.meaning) if value == 1 else symbol.meaning)
