"""Formulas of the scaling view: the text that readers see, as a number, is the count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
import sympy
from families import EVERY_PRESET, MODELS, MODELS_IN_FORMULAS, NOT_SCALED
from sympy.parsing.sympy_parser import auto_number, parse_expr, rationalize

from sphinx_llmsize import Model, load
from sphinx_llmsize.architecture.cost import cache_elements_per_token, output_elements
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, Variable
from sphinx_llmsize.translation import NARROW_SPACE
from sphinx_llmsize.typography import NO_BREAK
from sphinx_llmsize.views.scaling import cost_formulas
from sphinx_llmsize.views.scaling.cost_formulas import cache_line, flops_line, output_elements_line
from sphinx_llmsize.views.scaling.growth import component_growths, cost_growths
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import scaled_models
from sphinx_llmsize.views.shared.operations import Evaluator
from sphinx_llmsize.views.view_options import ViewOptions

TOKENS = 2048
FEW = ("gpt2", "llama-3-8b", "deepseek-v3", "gemma-3n-e4b", "zaya1-8b")
"""Models with biases, with grouped heads, with latents, and with many numbers of layers."""
SCALED = {
    name: model
    for name, model in (MODELS if EVERY_PRESET else dict(zip(FEW, FEW, strict=True))).items()
    if name not in NOT_SCALED
}
"""Arguments of :func:`~sphinx_llmsize.load` by name."""
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
PRODUCT = re.compile(rf"(?<=[\d)]){NARROW_SPACE}?(?=\()|(?<=\)){NARROW_SPACE}?(?=\d)")
"""Place between two factors, one of them in parentheses, as all values of symbols are."""


def evaluated(line: Line, sizes: Mapping[str, int]) -> sympy.Rational:
    """The value of a formula such as ``2 L D d_h (H + H_kv)``, ``976 D²/7``."""
    values = (f"({sizes[str(p)]})" if isinstance(p, Variable) else str(p) for p in line)
    text = "".join(values).replace(",", "").replace("−", "-").replace("×", "*")
    text = text.replace(NO_BREAK, " ").removesuffix(" bytes")
    powers = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: f"**{found[0].translate(SUPERSCRIPTS)}", text)
    expression = PRODUCT.sub("*", powers)
    assert re.fullmatch(r"[\d.()+*/ -]+", expression), expression
    return parse_expr(expression, transformations=(auto_number, rationalize))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 − 3", -1),
        ("1,000 (2)(3 + 4)", 14_000),
        ("2 (5)²/10 + 1", 6),
        ("0.5 (3)", Fraction(3, 2)),
        ("2 (3) × 0.5 bytes", 3),
    ],
)
def test_formulas_are_evaluated(text: str, value: Fraction) -> None:
    assert evaluated((text.replace(" (", f"{NARROW_SPACE}("),), {}) == value


def values_of_symbols(model: Model) -> dict[str, int]:
    """The values of all symbols in formulas, by name."""
    architecture = model.architecture
    symbols = {*architecture.sizes, *architecture.product_symbols}
    symbols |= {s for e in architecture.stages() for c in e.caches for x in c for s in x.symbols()}
    evaluator = Evaluator(architecture, TOKENS)
    return {symbol.name: evaluator.count(symbol) for symbol in symbols}


@pytest.mark.parametrize("model", ["llama-3-8b", "gpt2", "mixtral-8x7b", "jamba-v0.1"])
def test_each_cost_per_token_has_a_formula(model: str) -> None:
    costs = cost_growths(scaled_models(load(model), ViewOptions()), TOKENS, "bf16")
    per_token = [cost for cost in costs if "per token" in cost.name]
    assert len(per_token) == 3
    assert all(cost.symbols for cost in per_token)


@pytest.mark.presets
@pytest.mark.parametrize("model", MODELS_IN_FORMULAS.values(), ids=MODELS_IN_FORMULAS)
def test_formulas_of_costs_of_every_length_give_them(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also those of models that cannot be scaled, and those that are too long to be shown."""
    monkeypatch.setattr(cost_formulas, "MAX_WIDTH", 10**4)
    loaded = load(model)
    architecture = loaded.architecture
    sizes = values_of_symbols(loaded)
    stages = [*architecture.placed_stages()]
    counts = {
        flops_line(architecture, TOKENS): loaded.flops(TOKENS),
        output_elements_line(architecture): output_elements(architecture, stages, TOKENS),
        cache_line(architecture, Fraction(1, 2)): (
            TOKENS * cache_elements_per_token(architecture, stages) / 2
        ),
    }
    for line, count in counts.items():
        if line:
            assert evaluated(line, sizes) * TOKENS == count


@pytest.mark.presets
@pytest.mark.parametrize("model", SCALED.values(), ids=SCALED)
def test_formulas_give_the_counts(model: Any) -> None:
    scaled = scaled_models(load(model), ViewOptions())
    base = scaled.base
    sizes = values_of_symbols(base)
    components = component_growths(scaled)
    assert components
    for growth in components:
        assert evaluated(growth.symbols, sizes) == base.parameters_in(Group(growth.id))
    costs = tuple(cost_growths(scaled, TOKENS, "bf16"))
    for cost in costs:
        if cost.symbols:
            assert evaluated(cost.symbols, sizes) == cost.counts[Fraction(1)]
    for growth in (*components, *costs):
        if growth.polynomial:
            line = polynomial_line(growth.polynomial, scaled.symbol, NARROW_SPACE)
            for factor, count in growth.counts.items():
                assert evaluated(line, {scaled.symbol.name: scaled.value(factor)}) == count
