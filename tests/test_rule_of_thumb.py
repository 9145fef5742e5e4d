"""The formula and the rule of thumb: every number in them is correct."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from families import DEFAULTS

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Formula, Paragraph
from sphinx_llmsize.views.parameters.formula import formula
from sphinx_llmsize.views.parameters.parameter_sums import active_sum, total_sum
from sphinx_llmsize.views.parameters.rule_of_thumb import applies, rule_of_thumb
from sphinx_llmsize.views.shared.typeset import term, words
from sphinx_llmsize.views.view_options import ViewOptions

TEXTBOOK = {"hidden_dim": 4096, "num_layers": 32, "num_heads": 32, "vocab_size": 50_000}
MODELS: dict[str, Any] = {
    **{name: name for name in ("llama-7b", "llama-3-8b", "llama-3.2-1b", "gpt2", "gpt2-xl")},
    **DEFAULTS,
    "textbook": TEXTBOOK,
    "textbook, grouped": {**TEXTBOOK, "num_kv_heads": 8},
    "textbook, tied": {**TEXTBOOK, "tie_embeddings": True},
    "textbook, wide heads": {**TEXTBOOK, "head_dim": 100},
    "biases": {"model_type": "llama", "attention_bias": True, "mlp_bias": True},
    "odd sizes": {"model_type": "llama", "hidden_size": 99, "num_heads": 9, "ffn_dim": 101},
    "gpt2, narrow": {"model_type": "gpt2", "n_inner": 1000},
}
TEX = {
    r"\bigl": "",
    r"\bigr": "",
    r"\quad": "",
    r"\,": "",
    r"\mathbf": "",
    "{,}": "",
    "{}": "",
    "&": "",
    r"\times": "*",
    "^": "**",
    "{": "(",
    "}": ")",
}
"""TeX arithmetic and its Python equivalent."""

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def equals(formula: Formula) -> list[str]:
    """Expressions between the equals signs of a formula."""
    return "".join(formula.lines).split("&=")


def value(tex: str) -> Fraction:
    """Value of an arithmetic expression in TeX."""
    tex = re.sub(r"\\t?frac\{(\d+)\}\{(\d+)\}", r"Fraction(\1, \2)", tex)
    tex = re.sub(r"\d+\.\d+", r"Fraction('\g<0>')", tex)
    for command, python in TEX.items():
        tex = tex.replace(command, python)
    return Fraction(eval(tex, {"__builtins__": {}, "Fraction": Fraction}))


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


ruled_model = pytest.mark.parametrize(
    "model",
    [model for model in MODELS.values() if applies(load(model))],
    ids=[name for name, model in MODELS.items() if applies(load(model))],
)


@ruled_model
def test_estimate_and_rest_add_up_to_the_total(model: Any) -> None:
    model = load(model)
    rule = rule_of_thumb(model)
    assert rule.estimate(rule.c) + sum(count for _, count in rule.rest) == model.total


@every_model
def test_every_line_of_the_formula_equals_the_total(model: Any) -> None:
    model = load(model)
    left, _, *numbers = equals(total_sum(model))
    assert left.strip() == "N"
    assert len(numbers) == 3
    assert {value(tex) for tex in numbers} == {model.total}


@every_model
def test_every_line_of_the_formula_equals_the_active_parameters(model: Any) -> None:
    model = load(model)
    if model.active != model.total:
        _, _, *numbers = equals(active_sum(model))
        assert len(numbers) == 3
        assert {value(tex) for tex in numbers} == {model.active}


def test_no_rule_of_thumb_if_layers_differ() -> None:
    blocks = formula(load({"model_type": "deepseek_v3"}), ViewOptions())
    assert "since its layers differ" in "".join(map(str, blocks[-1].content))


@ruled_model
def test_every_estimate_is_correct(model: Any) -> None:
    blocks = formula(load(model), ViewOptions())
    estimates = [
        block for block in blocks if isinstance(block, Formula) and block.lines[0].startswith("L")
    ]
    assert estimates
    for estimate in estimates:
        _, *steps = equals(estimate)
        assert len(steps) == 3
        assert len({value(step) for step in steps}) == 1


@pytest.mark.parametrize(
    ("model", "pieces"),
    [
        (
            "llama-7b",
            [
                r"\underbrace{D \, V}_{\text{token embedding}}",
                r"L \, \bigl(\underbrace{2 \, D \, H \, d_{h} + 2 \, D \, H_{\mathrm{kv}} \, d_{h}}"
                r"_{\text{attention}}",
                r"\underbrace{3 \, D \, F}_{\text{feed-forward}}",
                r"\underbrace{D \, V}_{\text{LM head}}",
            ],
        ),
        ("llama-3.2-1b", [r"\underbrace{0}_{\text{LM head (tied)}}"]),
        (
            "gpt2",
            [
                r"\underbrace{D \, P}_{\text{position embedding}}",
                r"\underbrace{8 \, D^{2}}_{\text{feed-forward}}",
                r"\underbrace{5 \, D}_{\text{feed-forward biases}}",
            ],
        ),
        (TEXTBOOK, [r"L \, \bigl(\underbrace{4 \, D^{2}}_{\text{attention}}"]),
    ],
)
def test_components_are_underbraced(model: Any, pieces: list[str]) -> None:
    general = equals(total_sum(load(model)))[1]
    assert [piece for piece in pieces if piece not in general] == []


def test_the_substitution_can_be_followed() -> None:
    assert formula(load(TEXTBOOK), ViewOptions())[-2] == Formula(
        (
            r"L \, c \, D^{2} &= 32 \times 12 \times 4{,}096^{2}",
            r"&= 32 \times 201{,}326{,}592",
            r"&= 6{,}442{,}450{,}944",
        )
    )


def prose(model: Any) -> str:
    """The sentences around the formulas."""
    blocks = formula(load(model), ViewOptions())
    paragraphs = (block for block in blocks if isinstance(block, Paragraph))
    return " ".join("".join(map(str, paragraph.content)) for paragraph in paragraphs)


@pytest.mark.parametrize(
    ("model", "coverage"),
    [
        ("llama-7b", "That is 96.1% of the exact 6,738,415,616."),
        ("llama-7b", "as the rule is usually quoted, which is 95.6% of the exact"),
        ("gpt2", "position embedding 786,432, norms 38,400, biases 82,944"),
    ],
)
def test_sentences_on_the_rule_and_the_rest(model: str, coverage: str) -> None:
    assert coverage in prose(model)


@ruled_model
def test_parameters_outside_the_rule_add_up(model: Any) -> None:
    ((whole, parts),) = re.findall(r"The other ([\d,]+): (.+?)\.", prose(model))
    counts = re.findall(r" (\d[\d,]*)(?:, |$)", parts)
    assert int(whole.replace(",", "")) == sum(int(count.replace(",", "")) for count in counts)


@pytest.mark.parametrize("model", ["llama-3.1-405b", "gpt2-xl"])
def test_sums_are_broken_into_lines(model: str) -> None:
    lines = total_sum(load(model)).lines
    assert len(lines) > 8
    assert all(line.count("&") == 1 for line in lines)


@pytest.mark.parametrize(
    ("tex", "width"),
    [
        ("4{,}096", 4 + 0.55),
        (r"2 \times 3", 2 + 2.45),
        (r"x_{\text{kept}}", 1 + 4 * 0.75),
    ],
)
def test_widths_of_terms(tex: str, width: float) -> None:
    assert term(tex).width == pytest.approx(width)


def test_words_within_a_formula_are_escaped() -> None:
    assert words(r"100% of {all}_$\n$") == r"\text{100 of alln}"


@every_model
def test_a_sentence_begins_with_a_capital(model: Any) -> None:
    assert re.findall(r"\. [a-z]", prose(model)) == []
