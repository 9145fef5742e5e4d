"""The derivation agrees with the table and the list of sizes beside it, for every preset."""

from __future__ import annotations

import re
from functools import cache

import pytest
from families import SOME_PRESETS
from project import Build
from sums import joined, total_of

from sphinx_llmsize import load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Derivation, Facts, Paragraph, SumRow, SumRowKind, Table
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.markup import Markup
from sphinx_llmsize.html.math_elements import display_math
from sphinx_llmsize.views import document
from sphinx_llmsize.views.view_options import ViewOptions

LAYERS = re.compile(r"(?<![A-Za-z{])L(?:_\{((?:\\mathrm\{[^}]*\}|[^{}])*)\})?")
"""A number of layers in TeX, with its subscript."""
OF_LAYERS = re.compile(r" \([\d,]+ (?:\S+ )*layers?\)$")
"""The layers after the name of a component."""


@cache
def shown(name: str) -> tuple[Facts, Table, Derivation]:
    """The list of sizes, the table and the first sum of a model."""
    blocks = document(load(name), ("table", "formula"), ViewOptions())
    derivation = next(block for block in blocks if isinstance(block, Derivation))
    facts, table = blocks[:2]
    assert isinstance(facts, Facts)
    assert isinstance(table, Table)
    return facts, table, derivation


def layer_symbols(found: Derivation) -> set[str]:
    """Names of the symbols for numbers of layers: ``L``, ``L_Mamba``."""
    names = set()
    for row in found.rows:
        for subscript in LAYERS.findall(joined(row.symbols)):
            plain = re.sub(r"\\mathrm\{([^}]*)\}", r"\1", subscript)
            names.add(f"L_{plain}" if plain else "L")
    return names


def the_layers_of_the_sum_are_in_the_list_of_sizes(name: str) -> None:
    model = load(name)
    facts, _table, derivation = shown(name)
    values = {str(fact.symbol): fact.value for fact in facts.facts}
    layers = layer_symbols(derivation)
    assert layers <= values.keys()
    sizes = {str(symbol): f"{n:,}" for symbol, n in model.architecture.sizes.items()}
    assert {name: values[name] for name in layers} == {name: sizes[name] for name in layers}
    # and no others, but those that readers look for, or that have a configuration key
    configured = {str(symbol) for symbol, _value in model.architecture.configured}
    assert {name for name in values if name.startswith("L_")} <= layers | configured


def the_layers_of_the_cache_are_in_the_list_of_sizes(name: str) -> None:
    facts, *blocks = document(load(name), ("table", "memory"), ViewOptions())
    assert isinstance(facts, Facts)
    listed = {str(fact.symbol) for fact in facts.facts}
    for block in blocks:
        if isinstance(block, Derivation):
            assert layer_symbols(block) <= listed


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mixtral-8x7b", "A token is sent to k of the E experts."),
        ("switch-base-8", "A token is sent to 1 of the E experts."),
        ("nllb-moe-54b", "A token is sent to 2 of the E experts."),
    ],
)
def test_experts_of_a_token_are_a_known_symbol_or_a_number(name: str, sentence: str) -> None:
    blocks = document(load(name), ("table", "formula"), ViewOptions())
    facts = next(block for block in blocks if isinstance(block, Facts))
    texts = ["".join(map(str, each.content)) for each in blocks if isinstance(each, Paragraph)]
    assert any(sentence in text for text in texts)
    assert ("k" in sentence.split()) == ("k" in {str(fact.symbol) for fact in facts.facts})


def numbers_of(table: Table) -> dict[str, set[str]]:
    """The numbers in each row of the table, by its name; rows may have equal names."""
    found: dict[str, set[str]] = {}
    for row in table.rows:
        texts = {"".join(map(str, line)) for cell in row.cells[2:] for line in cell}
        found.setdefault("".join(map(str, row.cells[0][0])), set()).update(texts)
    return found


def equal_names_have_equal_numbers(name: str) -> None:
    _facts, table, derivation = shown(name)
    numbers = numbers_of(table)
    counted = [row for row in derivation.rows if row.kind is not SumRowKind.HEADING]
    names = [OF_LAYERS.sub("", row.name) for row in counted]
    for row, component in zip(counted, names, strict=True):
        # several rows are parts of one in the table, as attention in encoder and decoder
        if component in numbers and names.count(component) == 1:
            assert row.result in numbers[component], row.name


def every_row_is_in_the_table(name: str) -> None:
    _facts, table, derivation = shown(name)
    numbers = numbers_of(table)
    for row in derivation.rows:
        is_layer = row.kind in {SumRowKind.PRODUCT, SumRowKind.SUBTOTAL}
        component = OF_LAYERS.sub("", row.name)
        if component in {"Experts", "Shared expert"}:
            # the table has their matrices
            prefix = "Shared expert: " if component == "Shared expert" else "Experts: "
            assert any(each.startswith(prefix) for each in numbers), row.name
        else:
            assert is_layer or component in numbers


def without_norms(name: str) -> set[str]:
    """The parameters of one layer of each kind, without those of the norms."""
    architecture = load(name).architecture
    return {
        f"{sum(architecture.count(each.stage.parameters) for each in placed_stages):,}"
        for stack in architecture.stacks()
        if (
            placed_stages := [
                each for each in stack.placed_stages if each.stage.group is not Group.NORMS
            ]
        )
    }


def the_sum_of_a_layer_has_all_of_its_stages(name: str) -> None:
    heading = ""
    for row in shown(name)[2].rows:
        if row.kind is SumRowKind.HEADING:
            heading = OF_LAYERS.sub("", row.name)
        elif row.name.startswith("One layer"):
            assert row.result in without_norms(name)
        elif row.name.endswith("in one layer"):
            assert row.name == f"{heading} in one layer"


def the_rows_add_up(name: str) -> None:
    assert total_of(shown(name)[2]) == load(name).total


@pytest.mark.presets
@pytest.mark.parametrize(
    "name", dict.fromkeys((*SOME_PRESETS, "deepseek-v3", "jamba-v0.1", "zaya1-8b"))
)
def test_the_sum_agrees_with_the_table_and_the_sizes(name: str) -> None:
    the_layers_of_the_sum_are_in_the_list_of_sizes(name)
    the_layers_of_the_cache_are_in_the_list_of_sizes(name)
    equal_names_have_equal_numbers(name)
    every_row_is_in_the_table(name)
    the_sum_of_a_layer_has_all_of_its_stages(name)
    the_rows_add_up(name)


def test_the_matrices_of_experts_are_one_row() -> None:
    rows = {row.name: row for row in derivation_of("deepseek-v3").rows}
    assert not [name for name in rows if ": " in name]
    routed, shared = rows["Experts"], rows["Shared expert"]
    assert routed.symbols == (r"3 \, E \, D \, F_{e}",)
    assert routed.result == f"{3 * 256 * 7168 * 2048:,}"
    assert shared.result == f"{3 * 7168 * 2048:,}"
    assert (routed.number_name, shared.number_name) == (
        "experts_up+experts_down.per_layer",
        "shared_up+shared_down.per_layer",
    )


def test_products_stay_on_one_line_where_names_are_short() -> None:
    views = document(load("deepseek-v3"), ("formula",), ViewOptions())
    active = [block for block in views if isinstance(block, Derivation)][-1]
    (cell,) = re.findall(
        r'<td role="cell" class="(llmsize-numbers[^"]*)">.*?256', display_math(active)
    )
    assert cell == "llmsize-numbers llmsize-unbroken"


def derivation_of(name: str) -> Derivation:
    (first, *_) = (
        block
        for block in document(load(name), ("formula",), ViewOptions())
        if isinstance(block, Derivation)
    )
    return first


def test_products_break_where_names_are_long() -> None:
    """The longest name is in a bracket."""
    html = display_math(derivation_of("deepseek-v4-flash"), lambda tex: Markup("".join(tex)))
    html = " ".join(re.sub(r"</?span>", "", html).split())
    (class_,) = re.findall(r'class="(llmsize-numbers[^"]*)">= 4 × 4,096 × 512 \+', html)
    assert class_ == "llmsize-numbers"


SYMBOLS = (r"(2 \, L + 1) \, D", r" + L \, (R_{q} + R_{\mathrm{kv}})")
"""Symbols of 24.2 digits; there is always room for 22."""


@pytest.mark.parametrize(
    ("name", "last_factor", "result", "kind", "are_unbroken"),
    [
        # numbers of 25.6 digits leave the symbols the rest of their 27, and more beside short names
        (28, "1{,}234", 17, SumRowKind.ADDEND, (True, True)),
        (28, "123{,}456", 17, SumRowKind.ADDEND, (False, True)),
        (26, "123{,}456", 17, SumRowKind.ADDEND, (True, True)),
        # numbers that break leave more
        (28, "1{,}234{,}567", 17, SumRowKind.ADDEND, (True, False)),
        (27, "1{,}234{,}567", 17, SumRowKind.ADDEND, (False, True)),
        (28, "123{,}456", 18, SumRowKind.ADDEND, (True, False)),
        # within a bracket, names and results are indented
        (27, "123{,}456", 13, SumRowKind.INNER, (False, True)),
        (27, "123{,}456", 14, SumRowKind.INNER, (True, False)),
    ],
)
def test_symbols_have_the_room_that_the_others_leave(
    name: int, last_factor: str, result: int, kind: SumRowKind, are_unbroken: tuple[bool, bool]
) -> None:
    numbers = (r"4{,}096 \times 4{,}096 \times 4{,}096", rf" \times {last_factor}")
    row = SumRow("n" * name, SYMBOLS, numbers, "1" * result, kind)
    html = display_math(Derivation("Parameters", (row,)))
    cells = re.findall(r'class="llmsize-(?:symbols|numbers)([^"]*)"', html)
    assert tuple(cell == " llmsize-unbroken" for cell in cells) == are_unbroken


def test_what_all_layers_have_in_common_is_named_so() -> None:
    rows = derivation_of("deepseek-v4-flash").rows
    subtotals = {row.symbols: row.name for row in rows if row.kind is SumRowKind.SUBTOTAL}
    assert subtotals == {
        (r"N_{\text{common}}",): "Common to all layers",
        (r"N_{\mathrm{CSA}}",): "Subtotal",
    }


def test_products_break_before_their_parentheses() -> None:
    (row,) = (r for r in derivation_of("qwen3-next-80b-a3b").rows if "12 full" in r.name)
    assert row.numbers == (r"12 \times 2{,}048 \times 256", r" \times (3 \times 16 + 2 \times 2)")
    assert row.symbols == (
        r"L_{\mathrm{full}} \, D \, d_{h}",
        r" \, (3 \, H + 2 \, H_{\mathrm{kv}})",
    )


def test_results_have_the_names_of_their_numbers_as_tooltips(build: Build) -> None:
    page = "T\n=\n\n.. llm-size:: llama-7b\n   :show: formula, rule\n"
    in_sphinx = build({"index.rst": page}).output("index.html")
    in_html = fragment(document(load("llama-7b"), ("formula", "rule"), ViewOptions()))
    for html in (in_sphinx, in_html):
        tips = dict(re.findall(r'<span title="([^"]+)">([\d,]*)', html))
        assert tips["attention.per_layer"] == "67,108,864"
        assert tips["attention+feed_forward"] == "6,476,005,376"
        assert tips["total"] == "6,738,415,616"
        assert {"rule.c", "rule"} <= tips.keys()
