"""Lists of a model's sizes, in the order in which readers look for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import Fact, Facts, Line, Variable
from sphinx_llmsize.config.symbols import (
    E_S,
    G_M,
    H_G,
    H_KV,
    N_LABELS,
    V_T,
    H,
    K,
    L,
    T,
    reading_order,
)
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.typography import NO_BREAK
from sphinx_llmsize.views.shared.wording import filled, formula_line, variable, with_commas

MEANINGS_OF_ONE = {
    E_S: N_("shared expert"),
    G_M: N_("group of state-space heads"),
    H: N_("attention head"),
    H_G: N_("key/value head in full-attention layers"),
    H_KV: N_("key/value head"),
    K: N_("expert per token"),
    L: N_("layer"),
    N_LABELS: N_("label of the classifier"),
    T: N_("token in the sequence"),
    V_T: N_("token type"),
}
"""Meanings in the singular, for symbols that are often 1."""


VIEWS_WITH_SIZES = frozenset(("table", "shapes"))
"""Views with a list of the sizes, which other views needn't repeat."""


def facts_of(sizes: Iterable[tuple[Symbol, int]], names: Mapping[Symbol, str]) -> Facts:
    """The list of sizes: the model's, those of attention, FFN, experts and mixers, then others.

    Args:
        sizes: pairs of a symbol and its value.
        names: name in the role ``llm-size`` of each symbol that has one.
    """
    facts = []
    for symbol, value in sorted(sizes, key=lambda size: reading_order(size[0])):
        meaning, name = _meaning(symbol, value), names.get(symbol, "")
        facts.append(Fact(variable(symbol), thousands(value), meaning, name))
    return Facts(tuple(facts))


def listed_sizes(
    model: Model, symbols: Iterable[Symbol], relations: Mapping[Variable, Line] | None = None
) -> Line:
    """``D = 4,096 (hidden dimension), V = 32,000 (vocabulary size).``: the sizes of a model.

    Args:
        model: the model.
        symbols: symbols of the sizes.
        relations: for some of them, an equation to write in place of the value: ``F = 4D``. The
            others then are formulas, too.
    """
    count = model.architecture.count
    facts = facts_of(((symbol, count(symbol)) for symbol in symbols), {}).facts
    sizes = []
    for fact in facts:
        equation: Line = (fact.symbol, f"{NO_BREAK}={NO_BREAK}{fact.value}")
        if relations:
            equation = relations.get(fact.symbol) or formula_line(equation)
        sizes.append(filled(_("{size} ({meaning})"), size=equation, meaning=fact.meaning))
    return filled(_("{sizes}."), sizes=with_commas(sizes))


def total_text(model: Model) -> str:
    """``6,738,415,616 parameters``: also the title of a page with a model that has no name."""
    return _("{total} parameters", total=model.total)


def _meaning(symbol: Symbol, value: int) -> str:
    """``shared experts``; ``shared expert`` if there is one."""
    if value == 1:
        return _(MEANINGS_OF_ONE.get(symbol, symbol.meaning))
    return _(symbol.meaning)
