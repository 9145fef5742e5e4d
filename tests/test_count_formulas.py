"""Formulas of the scaling view: the text that readers see, as a number, is the count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
import sympy
from families import EVERY_PRESET, MODELS, NOT_SCALED
from sympy.parsing.sympy_parser import auto_number, parse_expr, rationalize

from sphinx_llmsize import load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, Variable
from sphinx_llmsize.translation import NARROW_SPACE
from sphinx_llmsize.views.scaling.growth import component_growths, cost_growths
from sphinx_llmsize.views.scaling.polynomial_text import polynomial_line
from sphinx_llmsize.views.scaling.scaled_models import scaled_models
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
    text = "".join(values).replace(",", "").replace("−", "-")
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
    ],
)
def test_formulas_are_evaluated(text: str, value: Fraction) -> None:
    assert evaluated((text.replace(" (", f"{NARROW_SPACE}("),), {}) == value


@pytest.mark.presets
@pytest.mark.parametrize("model", SCALED.values(), ids=SCALED)
def test_formulas_give_the_counts(model: Any) -> None:
    scaled = scaled_models(load(model), ViewOptions())
    base = scaled.base
    sizes = {symbol.name: size for symbol, size in base.architecture.sizes.items()}
    components = component_growths(scaled)
    assert components
    for growth in components:
        assert evaluated(growth.symbols, sizes) == base.parameters_in(Group(growth.id))
    (*others, activations) = cost_growths(scaled, TOKENS, "bf16")
    if activations.symbols:
        assert evaluated(activations.symbols, sizes) == activations.counts[Fraction(1)]
    for growth in (*components, *others, activations):
        if growth.polynomial:
            line = polynomial_line(growth.polynomial, scaled.symbol, NARROW_SPACE)
            for factor, count in growth.counts.items():
                assert evaluated(line, {scaled.symbol.name: scaled.value(factor)}) == count
