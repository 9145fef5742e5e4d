"""Numbers of derivations: every row's product is its result, without factors of 1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import explored
import pytest
import sympy
from families import MODELS_IN_FORMULAS
from sums import joined, value

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Derivation, SumRow
from sphinx_llmsize.config.symbols import E_S, H_KV, D, F, H
from sphinx_llmsize.interactive.exploration import with_followers
from sphinx_llmsize.interactive.variants import all_hold
from sphinx_llmsize.marks import MARK, text_position
from sphinx_llmsize.traced import evaluate
from sphinx_llmsize.views import document
from sphinx_llmsize.views.shared.symbolic import Notation, sympy_symbol, to_sympy
from sphinx_llmsize.views.view_options import ViewOptions

VIEWS = ("formula", "memory", "compute")
"""Views with derivations."""
FACTOR_OF_1 = re.compile(r"(?<![\d.}])1(?:\^\{\d+\})?(?= \\times)|\\times 1(?![\d.{])|(?<!\d)1\^")
"""A 1 beside another factor in TeX, or a power of 1."""
UNIT = re.compile(r"\\text\{([\d.]+) bytes?\}")
"""Number of bytes with its unit."""


def rows_of(model: Any, *views: str) -> Iterator[SumRow]:
    """The rows of all derivations in some views."""
    for block in document(load(model), views, ViewOptions()):
        if isinstance(block, Derivation):
            yield from block.rows


def numbers_of(row: SumRow) -> str:
    """TeX of a row in numbers, without units."""
    return UNIT.sub(r"\1", joined(row.numbers))


@pytest.mark.presets
@pytest.mark.parametrize("model", MODELS_IN_FORMULAS.values(), ids=MODELS_IN_FORMULAS)
def test_the_numbers_of_each_row_give_its_result(model: Any) -> None:
    rows = [row for row in rows_of(model, *VIEWS) if row.numbers]
    assert rows
    for row in rows:
        result = row.result.replace(",", "").replace("−", "-").removesuffix(" bytes")
        assert value(numbers_of(row)) == int(result), row
        assert not FACTOR_OF_1.search(numbers_of(row)), row


@pytest.mark.parametrize(
    ("tex", "is_found"),
    [
        (r"1 \times 7{,}168", True),
        (r"3 \times 1 \times 2", True),
        (r"3 \times 1", True),
        (r"2 \times (1 \times 4 + 1)", True),
        (r"3 \times 1^{2}", True),
        (r"1{,}024 + 1", False),
        (r"10{,}001 \times 12{,}341 \times 1{,}024", False),
        (r"41^{2} \times (16 + 1)", False),
        (r"0.1 \times 1.5", False),
    ],
)
def test_factors_of_1_are_found(tex: str, *, is_found: bool) -> None:
    assert bool(FACTOR_OF_1.search(tex)) is is_found


@pytest.mark.parametrize(
    ("size", "numbers"),
    [
        (3 * E_S * D * F, r"3 \times 8 \times 5"),
        (E_S * E_S * D, "8"),
        (E_S * E_S, "1"),
        (2 * E_S, "2"),
        (E_S * D + E_S, "8 + 1"),
        (D * (H + 2 * H_KV), r"8 \times (4 + 2)"),
        (2 * D * D, r"2 \times 8^{2}"),
        (F * (E_S * D + 2 * H), r"8 \times 5 + 2 \times 4 \times 5"),
    ],
)
def test_numbers_of_products(size: Any, numbers: str) -> None:
    notation = Notation({E_S: 1, H_KV: 1, D: 8, F: 5, H: 4})
    expression = to_sympy(size)
    assert joined(notation.numbers(expression)) == numbers
    assert value(numbers) == notation.count(expression)


def test_a_power_of_1_is_left_out() -> None:
    ones, hidden = sympy_symbol(E_S), sympy_symbol(D)
    assert Notation({E_S: 1, D: 8}).numbers(sympy.Mul(ones**2, hidden)) == ("8",)


@pytest.mark.parametrize(
    ("name", "row", "symbols", "numbers"),
    [
        ("deepseek-v3", "Shared expert", r"3 \, D \, F_{e}", "3 × 7,168 × 2,048"),
        ("deepseek-v2", "Shared expert", r"3 \, E_{s} \, D \, F_{e}", "3 × 2 × 5,120 × 1,536"),
        (
            "jamba-v0.1",
            "Causal convolution",
            r"D_{\mathrm{inner}} \, W + D_{\mathrm{inner}}",
            "8,192 × 4 + 8,192",
        ),
        ("jamba-v0.1", "Input projection", r"2 \, D \, D_{\mathrm{inner}}", "2 × 4,096 × 8,192"),
        (
            "jamba-v0.1",
            "Input-dependent Δ, B and C",
            r"D_{\mathrm{inner}} \, (R_{\mathrm{dt}} + 2 \, S)",
            "8,192 × (256 + 2 × 16)",
        ),
        ("bamba-9b", "Gated norm", r"D_{\mathrm{inner}}", ""),
        ("gpt-neox-japanese-2.7b", "FFN", r"2 \, M \, D^{2}", "2 × 4 × 2,560^{2}"),
    ],
)
def test_rows_in_numbers(name: str, row: str, symbols: str, numbers: str) -> None:
    (found,) = (each for each in rows_of(name, "formula") if each.name == row)
    assert joined(found.symbols) == symbols
    plain = joined(found.numbers).replace(r"\times", "×").replace("{,}", ",")
    assert plain == numbers


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("mixtral-8x7b", {}),
        ("mixtral-8x7b", {"H_kv": 1}),
        ("mixtral-8x7b", {"H_kv": 1, "L": 1}),
        ("mixtral-8x7b", {"E": 1}),
        ("mixtral-8x7b", {"k": 1}),
        ("mixtral-8x7b", {"F": 1}),
        ("mamba-130m", {"D": 1024}),
        ("mamba-130m", {"D": 1}),
    ],
)
def test_interactive_pages_show_the_same(name: str, setting: dict[str, int]) -> None:
    explorer = explored.explored(load(name), ("formula",)).explorer
    values = with_followers(explorer.trace, explorer.controls, setting)
    numbers = evaluate(explorer.trace.nodes, values)

    def shown(mark: re.Match[str]) -> str:
        """The number that a page shows in place of a mark."""
        form, (position,) = explorer.trace.texts[text_position(mark)]
        assert form == "thousands"
        return f"{numbers[position]:,}"

    variants = [each for each in explorer.views["formula"] if all_hold(each.conditions, numbers)]
    assert variants
    for variant in variants:
        sums = [block for block in variant.blocks if isinstance(block, Derivation)]
        rows = [row for block in sums for row in block.rows if row.numbers]
        assert rows
        for row in rows:
            tex, result = (MARK.sub(shown, text) for text in (numbers_of(row), row.result))
            tex = tex.replace(",", "{,}").replace("{{,}}", "{,}")
            assert value(tex) == int(result.replace(",", "").replace("−", "-")), row
            assert not FACTOR_OF_1.search(tex), row
