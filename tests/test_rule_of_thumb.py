"""The formula and the rule of thumb: every number in them is correct."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import sympy
from families import SOME_DEFAULTS
from sums import joined, symbols, total_of, value

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Formula, Paragraph, SumRowKind, Tex
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views import document, view
from sphinx_llmsize.views.parameters.active_sum import active_sum
from sphinx_llmsize.views.parameters.parameter_sums import total_sum
from sphinx_llmsize.views.parameters.rule_of_thumb import has_rule_of_thumb, rule_of_thumb
from sphinx_llmsize.views.parameters.rule_view import rule
from sphinx_llmsize.views.shared.display_tex import (
    NUMBERS_WIDTH,
    SYMBOLS_WIDTH,
    display_tex,
    sum_lines,
)
from sphinx_llmsize.views.shared.symbolic import factored, summands
from sphinx_llmsize.views.shared.typeset import FRACTION_STRUT, width, words
from sphinx_llmsize.views.view_options import ViewOptions

PRESETS = list(presets())[::10]
TEXTBOOK = {"hidden_dim": 4096, "num_layers": 32, "num_heads": 32, "vocab_size": 50_000}
MODELS: dict[str, Any] = {
    **{name: name for name in ("llama-7b", "llama-3-8b", "llama-3.2-1b", "gpt2", "gpt2-xl")},
    **SOME_DEFAULTS,
    "textbook": TEXTBOOK,
    "textbook, grouped": {**TEXTBOOK, "num_kv_heads": 8},
    "textbook, tied": {**TEXTBOOK, "tie_embeddings": True},
    "textbook, wide heads": {**TEXTBOOK, "head_dim": 100},
    "biases": {"model_type": "llama", "attention_bias": True, "mlp_bias": True},
    "odd sizes": {"model_type": "llama", "hidden_size": 99, "num_heads": 9, "ffn_dim": 101},
    "gpt2, narrow": {"model_type": "gpt2", "n_inner": 1000},
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


@pytest.mark.parametrize(
    ("model", "c"),
    [
        (TEXTBOOK, 12),
        ("gpt2", 12),
        ("gpt2-medium", 12),
        ("gpt2-large", 12),
        ("gpt2-xl", 12),
        ("llama-7b", Fraction(193, 16)),
        ("llama-2-7b", Fraction(193, 16)),
        ("llama-3-8b", 13),
        ({**TEXTBOOK, "num_kv_heads": 8}, Fraction(21, 2)),
        ({**TEXTBOOK, "head_dim": 64}, 10),
    ],
)
def test_the_c_of_a_model(model: Any, c: Fraction) -> None:
    assert rule_of_thumb(load(model)).c == c


@cache
def models_with_rule() -> dict[str, Any]:
    """Those of :data:`MODELS` that have a rule of thumb."""
    return {name: model for name, model in MODELS.items() if has_rule_of_thumb(load(model))}


@pytest.mark.presets
def test_estimate_and_rest_add_up_to_the_total() -> None:
    for name, source in models_with_rule().items():
        model = load(source)
        rule = rule_of_thumb(model)
        rest = sum(count for *_, count in rule.uncounted)
        assert rule.estimate(rule.c) + rest == model.total, name


@pytest.mark.presets
@every_model
def test_the_rows_add_up_to_the_total(model: Any) -> None:
    model = load(model)
    assert total_of(total_sum(model)) == model.total


@pytest.mark.presets
@every_model
def test_the_rows_add_up_to_the_active_parameters(model: Any) -> None:
    model = load(model)
    if model.active != model.total:
        assert total_of(active_sum(model)) == model.active


def test_unused_experts_for_text_and_for_images_have_different_names() -> None:
    rows = active_sum(load({"model_type": "ernie4_5_vl_moe_text"})).rows
    assert [row.name for row in rows] == [
        "Total",
        "Unused experts for text (27 MoE layers)",
        "Router for images (27 MoE layers)",
        "Experts for images (27 MoE layers)",
        "Active parameters",
    ]


def test_no_rule_of_thumb_if_layers_differ() -> None:
    (paragraph,) = rule(load({"model_type": "deepseek_v3"}), ViewOptions())
    assert "".join(map(str, paragraph.content)) == (
        "The rule of thumb that the L layers of a model have about L·c·D² parameters, c·D² each, "
        "does not apply to this model, since its layers differ."
    )


@pytest.mark.parametrize(
    ("model", "rows"),
    [
        (
            "llama-7b",
            {
                "Token embedding": r"V \, D",
                "Attention": r"2 \, D \, d_{h} \, (H + H_{\mathrm{kv}})",
                "FFN": r"3 \, D \, F",
                "One layer without norms": r"N_{\text{layer}}",
                "× 32 layers": r"L \, N_{\text{layer}}",
                "Norms": r"(2 \, L + 1) \, D",
                "LM head": r"D \, V",
                "Total": "N",
            },
        ),
        (
            "gpt2",
            {
                "Token embedding": r"V \, D",
                "Position embedding": r"P \, D",
                "Attention": r"4 \, D^{2} + 4 \, D",
                "FFN": r"8 \, D^{2} + 5 \, D",
                "One layer without norms": r"N_{\text{layer}}",
                "× 12 layers": r"L \, N_{\text{layer}}",
                "Norms": r"(4 \, L + 2) \, D",
                "Total": "N",
            },
        ),
    ],
)
def test_a_row_for_each_component(model: str, rows: dict[str, str]) -> None:
    assert symbols(total_sum(load(model))) == rows


@pytest.mark.parametrize(
    ("model", "name", "tex"),
    [
        # one component in the layers of a kind needs no bracket
        (
            "deepseek-v3",
            "FFN (3 dense layers)",
            r"L_{\mathrm{dense}} \cdot 3 \, D \, F",
        ),
        # kinds of mixers and of feed-forward networks vary independently
        ("jamba-v0.1", "× 28 Mamba layers", r"L_{\mathrm{Mamba}} \, N_{\mathrm{Mamba}}"),
        (
            "jamba-v0.1",
            "Attention (4 layers)",
            r"L_{\mathrm{attn}} \cdot 2 \, D \, d_{h} \, (H + H_{\mathrm{kv}})",
        ),
        ("jamba-v0.1", "× 16 MoE layers", r"L_{\mathrm{MoE}} \, N_{\mathrm{MoE}}"),
        # layers of several components
        ("t5-base", "× 12 decoder layers", r"L_{\mathrm{dec}} \, N_{\mathrm{dec}}"),
        # vectors of several shapes
        (
            "deepseek-v3",
            "Norms",
            r"(2 \, L + 1) \, D + L \, (R_{q} + R_{\mathrm{kv}})",
        ),
        ("t5-base", "Norms", r"(2 \, L_{\mathrm{enc}} + 3 \, L_{\mathrm{dec}} + 2) \, D"),
        # wide sums are divided into stages
        ("deepseek-v3", "KV latent and RoPE key", r"D \, (R_{\mathrm{kv}} + d_{\mathrm{rope}})"),
        # a matrix has the order of its shape, except a square
        ("deepseek-v3", "Router", r"D \, E"),
        (
            "zamba-7b-v1",
            "Shared layer's result (13 hybrid layers)",
            r"L_{\mathrm{hybrid}} \, D^{2}",
        ),
    ],
)
def test_layers_that_differ(model: str, name: str, tex: str) -> None:
    assert symbols(total_sum(load(model)))[name] == tex


@pytest.mark.parametrize(
    ("names", "in_order"),
    [
        (("R_kv", "R_q", "D"), "D R_q R_kv"),  # as in the tensors: queries first
        (("H_kv", "H_w", "H"), "H H_w H_kv"),
        (("P_dec", "P_enc", "L_enc,MoE", "L_dec"), "L_enc,MoE L_dec P_enc P_dec"),
        (("d_v", "d_rope", "d_nope", "F_e", "F"), "F F_e d_nope d_rope d_v"),
    ],
)
def test_summands_are_in_one_order(names: tuple[str, ...], in_order: str) -> None:
    terms = summands(sympy.Add(*map(sympy.Symbol, names)))
    assert " ".join(map(str, terms)) == in_order


def test_higher_powers_come_first() -> None:
    a, b = sympy.symbols("R_kv R_q")
    terms = summands(sympy.expand(2 * a + a * b + b**2 + 3 + a / 2 * b * b))
    assert [str(term) for term in terms] == ["R_kv*R_q**2/2", "R_q**2", "R_kv*R_q", "2*R_kv", "3"]


def test_a_wide_component_is_one_number_per_layer() -> None:
    rows = {row.name: row for row in total_sum(load("jamba-v0.1")).rows}
    assert rows["MoE"].kind is SumRowKind.HEADING  # its layers are in the row below the bracket
    assert joined(rows["× 16 MoE layers"].numbers) == r"16 \times 2{,}818{,}637{,}824"


def test_labels_of_the_authors_own() -> None:
    labels = {"feed_forward": "MLP", "lm_head": "Output layer", "kv_down": "Latent", "total": "Sum"}
    gpt2 = total_sum(load("gpt2"), (("feed_forward", "MLP"), ("total", "Sum")))
    assert {"MLP", "Attention", "Sum"} <= symbols(gpt2).keys()
    deepseek = total_sum(load("deepseek-v3"), tuple(labels.items()))
    assert {"MLP (3 dense layers)", "Latent", "Output layer", "Sum"} <= symbols(deepseek).keys()


def test_equal_factors_are_written_once() -> None:
    a, b, c = map(sympy.Symbol, "abc")
    assert factored(a * b + a * c) == sympy.Mul(a, b + c, evaluate=False)
    assert factored(a * b + a) == a * b + a


ruled_lines = pytest.mark.parametrize(
    ("model", "lines"),
    [
        (
            TEXTBOOK,
            [
                "The rule of thumb for the parameters of the layers is exact here:",
                r"N_{\text{all layers}} = L \, c \, D^{2}",
                r"c = \underbrace{4}_{\text{attention}}"
                r" + \underbrace{8}_{\text{FFN}} = 12",
                r"L \, c \, D^{2} = 32 \times 12 \times 4{,}096^{2} = 6{,}442{,}450{,}944",
            ],
        ),
        (
            "llama-7b",
            [
                "Rule of thumb for the parameters of the layers:",
                r"N_{\text{all layers}} \approx L \, c \, D^{2}"
                r" \quad \text{with} \; F = \tfrac{43}{16} \, D, \quad H \, d_{h} = D",
                r"c = \underbrace{4\vphantom{\tfrac{1}{1}}}_{\text{attention}}"
                r" + \underbrace{3 \times \tfrac{43}{16}}_{\text{FFN}}"
                r" = \tfrac{193}{16} = 12.0625",
                r"L \, c \, D^{2} = 32 \times 12.0625 \times 4{,}096^{2}"
                r" = 6{,}476{,}005{,}376",
            ],
        ),
        (
            {**TEXTBOOK, "num_kv_heads": 8, "ffn_dim": 11264},
            [
                "The rule of thumb for the parameters of the layers is exact here:",
                r"N_{\text{all layers}} = L \, c \, D^{2}"
                r" \quad \text{with} \; F = \tfrac{11}{4} \, D, \quad "
                r"H_{\mathrm{kv}} = \tfrac{1}{4} \, H, \quad H \, d_{h} = D",
                r"c = \underbrace{2 + \tfrac{1}{2}}_{\text{attention}}"
                r" + \underbrace{2 \times \tfrac{11}{4}}_{\text{FFN}} = 8",
                r"L \, c \, D^{2} = 32 \times 8 \times 4{,}096^{2} = 4{,}294{,}967{,}296",
            ],
        ),
    ],
)


@ruled_lines
def test_the_constant_and_the_estimate(model: Any, lines: list[str]) -> None:
    lead_in, found = lead_in_and_formula(model)
    assert [lead_in, *map(joined, found.lines)] == lines


def lead_in_and_formula(model: Any) -> tuple[str, Formula]:
    """The words that introduce the rule, and its equations."""
    paragraph, found, _sentences = view("rule")(load(model), ViewOptions())
    assert isinstance(paragraph, Paragraph)
    assert isinstance(found, Formula)
    return "".join(map(str, paragraph.content)), found


def test_a_ratio_of_1_is_left_out() -> None:
    _lead_in, found = lead_in_and_formula("gpt-oss-20b")
    rule_and_widths, constant, _estimate = map(joined, found.lines)
    assert r"\text{with} \; F = D, " in rule_and_widths
    assert rf" + \underbrace{{3 \times 32{FRACTION_STRUT}}}_{{\text{{MoE}}}}" in constant


@pytest.mark.presets
def test_fractions_are_reduced() -> None:
    for name, model in models_with_rule().items():
        _lead_in, found = lead_in_and_formula(model)
        tex = "".join(map(joined, found.lines))
        for above, below in re.findall(r"\\tfrac\{(\d+)\}\{(\d+)\}", tex):
            assert math.gcd(int(above), int(below)) == 1, name


@pytest.mark.parametrize(
    ("lines", "tex"),
    [
        ((("C = 2", r" \, T"),), r"C = 2 \, T"),
        (
            ((r"N \approx 2",), ("c = 1", " + 1", " = 2")),
            "\\begin{aligned}\nN &\\approx 2 \\\\\nc &= 1 + 1 = 2\n\\end{aligned}",
        ),
        (
            ((f"c = {'1' * 78}", " + 1", " = 2"),),
            f"\\begin{{aligned}}\nc &= {'1' * 78} + 1 \\\\\n&\\quad  = 2\n\\end{{aligned}}",
        ),
    ],
)
def test_equations_are_aligned_at_their_relation_signs(lines: tuple[Tex, ...], tex: str) -> None:
    assert display_tex(Formula(lines)) == tex


def without_labels(tex: str) -> str:
    """TeX without the labels below braces."""
    kept, depth = "", 0
    for position, character in enumerate(tex):
        is_label = tex.startswith("}_{", position - 2) if position >= 2 else False
        if depth or is_label:
            depth += {"{": 1, "}": -1}.get(character, 0)
        else:
            kept += character
    return kept.replace("}_", "}")


@pytest.mark.presets
def test_every_estimate_is_correct() -> None:
    for name, model in models_with_rule().items():
        _lead_in, found = lead_in_and_formula(model)
        _rule, *_widths, constant, estimate = map(joined, found.lines)
        unlabelled = without_labels(constant.removeprefix("c = ").replace(FRACTION_STRUT, ""))
        steps = unlabelled.replace(r"\underbrace", "").replace(r"\approx", "=").split("=")
        exact = value(steps[0])
        assert all(abs(value(step) - exact) <= Fraction(1, 200) for step in steps), name
        _layers, product, result = re.split("=|approx", estimate)
        assert value(product) == value(result), name


def prose(model: Any, **options: Any) -> str:
    """The sentences of both views."""
    blocks = document(load(model), ("formula", "rule"), ViewOptions(**options))
    paragraphs = (block for block in blocks if isinstance(block, Paragraph))
    return " ".join("".join(map(str, paragraph.content)) for paragraph in paragraphs)


@pytest.mark.parametrize(
    ("model", "coverage"),
    [
        ("llama-7b", "That is 96.1% of all 6,738,415,616 parameters."),
        (
            "llama-7b",
            "With c = 12, as in Kaplan et al. 2020, L\u202fc\u202fD² is 6,442,450,944 (95.6%).",
        ),
        (
            {**TEXTBOOK, "tie_embeddings": True},
            "The other 204,800,000 are in the token embedding.",
        ),
        ("gpt2", " the embeddings, the norms and the biases of attention and FFN."),
        ("gpt2", " In Kaplan et al. 2020, c is 12 as well."),
    ],
)
def test_sentences_on_the_rule_and_the_rest(model: Any, coverage: str) -> None:
    assert coverage in prose(model)


def test_beside_the_table_the_total_is_not_repeated() -> None:
    *_blocks, last = document(load("llama-7b"), ("table", "rule"), ViewOptions())
    assert isinstance(last, Paragraph)
    assert "".join(map(str, last.content)).startswith("That is 96.1% of the total. The other ")


def test_labels_of_the_authors_own_in_a_sentence() -> None:
    labels = (("lm_head", "Output layer"), ("norms", "RMSNorms"))
    text = prose("llama-7b", labels=labels)
    assert "the RMSNorms and the output layer." in text


def test_the_rule_has_three_lines_of_math_and_two_of_text() -> None:
    for name, model in models_with_rule().items():
        _lead_in, found, sentences = view("rule")(load(model), ViewOptions())
        assert len(found.lines) == 3, name
        # of about 105 characters in the column of a page
        assert len("".join(map(str, sentences.content))) <= 210, name


@pytest.mark.presets
def test_the_rest_is_the_rest() -> None:
    for name, source in models_with_rule().items():
        model = load(source)
        found = rule_of_thumb(model)
        ((rest, parts),) = re.findall(r"The other ([\d,]+) are in (.+?)\.", prose(source)) or (
            ("0", ""),
        )
        counts = re.findall(r" \((\d[\d,]*)\)", parts) or [rest]
        numbers = [int(count.replace(",", "")) for count in (rest, *counts)]
        assert numbers[0] == model.total - found.estimate(found.c) == sum(numbers[1:]), name


def test_sums_fit_the_columns_of_every_output() -> None:
    for name in PRESETS:
        for _kind, row in sum_lines(total_sum(load(name))):
            _name, in_symbols, _sign, in_numbers, _result = row
            assert width(in_symbols) <= SYMBOLS_WIDTH + 4, name
            assert width(in_numbers) <= NUMBERS_WIDTH + 4, name


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("4{,}096", 4 + 0.55),
        (r"2 \times 3", 2 + 2.45),
        (r"x_{\text{kept}}", 1 + 4 * 0.75),
        (r"\text{kept}", 4 * 0.9),
    ],
)
def test_widths_of_tex(tex: str, expected: float) -> None:
    assert width(tex) == pytest.approx(expected)


def test_words_within_a_formula_are_escaped() -> None:
    assert words(r"100% of {all}_$\n$") == r"\text{100 of alln}"


@pytest.mark.presets
@every_model
def test_a_sentence_begins_with_a_capital(model: Any) -> None:
    assert re.findall(r"\. [a-z]", prose(model)) == []
