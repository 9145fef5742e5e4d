"""Scaling: a complete model for every factor, and the growth as a formula."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor
from typing import Any

import pytest
from families import DEFAULTS, EVERY_PRESET, NOT_SCALED, SOME_DEFAULTS, SOME_PRESETS
from project import Build

from sphinx_llmsize import ConfigError, Model, load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import (
    Derivation,
    Paragraph,
    Rounded,
    SumRowKind,
    Table,
    Variable,
    cell,
)
from sphinx_llmsize.charts import Curves
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.formats import short, thousands, three_digits
from sphinx_llmsize.translation import NARROW_SPACE
from sphinx_llmsize.typography import NO_BREAK
from sphinx_llmsize.views import document
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.option_values import read_factors
from sphinx_llmsize.views.scaling.growth import CountGrowth, component_growths, cost_growths
from sphinx_llmsize.views.scaling.scaled_models import ScaledModels, scaled_models
from sphinx_llmsize.views.shared.tex_as_text import joined_as_text
from sphinx_llmsize.views.view_options import ViewOptions

TOKENS = 2048
NO_OPTIONS = ViewOptions()


def built(model: Model, factor: str, **options: Any) -> Model:
    """The model scaled by a factor."""
    scaled = scaled_models(model, ViewOptions(factors=(Fraction(factor),), **options))
    return scaled.models[Fraction(factor)]


def sizes_by_name(model: Model) -> dict[str, object]:
    return {key.name: value for key, value in model.config.settings}


def exponents(model: Model, **options: Any) -> dict[str, int | None]:
    """Exponents of components and costs, by name."""
    found = growths(scaled_models(model, ViewOptions(**options)))
    return {growth.name: growth.exponent for growth in found}


def growths(scaled: ScaledModels) -> tuple[CountGrowth, ...]:
    return (*component_growths(scaled), *cost_growths(scaled, TOKENS, "bf16"))


def polynomial_of(name: str, scaled: ScaledModels) -> dict[int, Fraction]:
    """Coefficients of a component or cost, by power of the scaled size."""
    growth = next(growth for growth in growths(scaled) if growth.name == name)
    assert growth.polynomial is not None
    return {power: Fraction(int(c.p), int(c.q)) for (power,), c in growth.polynomial.terms()}


def refused(model: str, **options: Any) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        document(load(model), ("scaling",), ViewOptions(**options))
    return caught.value


def prose(model: Model, **options: Any) -> str:
    """The sentences of the view."""
    blocks = document(model, ("scaling",), ViewOptions(**options))
    return "\n".join("".join(map(str, b.content)) for b in blocks if isinstance(b, Paragraph))


def test_doubling_the_hidden_dimension_doubles_the_sizes_that_follow() -> None:
    expected = load("llama-7b", {"hidden_dim": 8192, "ffn_dim": 22016, "num_heads": 64})
    assert built(load("llama-7b"), "2").total == expected.total == 26_428_841_984


def test_half_the_layers() -> None:
    half = built(load("llama-7b"), "1/2", vary="num_layers")
    assert half.components == load("llama-7b", {"num_layers": 16}).components


def test_experts_grow_but_not_their_number() -> None:
    sizes = sizes_by_name(built(load("deepseek-v3"), "2"))
    assert (sizes["expert_dim"], sizes["num_experts"], sizes["kv_latent_dim"]) == (4096, 256, 512)
    assert sizes["num_heads"] == 2 * 128


def test_one_key_value_head_stays_one() -> None:
    sizes = sizes_by_name(built(load("gemma-2b"), "2"))
    assert (sizes["num_heads"], sizes["num_kv_heads"], sizes["head_dim"]) == (16, 1, 256)


def test_head_dim_is_unchanged_if_the_number_of_heads_cannot_grow() -> None:
    sizes = sizes_by_name(built(load("llama-3-8b"), "3", vary="num_heads"))
    assert (sizes["hidden_dim"], sizes["num_heads"], sizes["head_dim"]) == (4096, 96, 128)


def test_numbers_with_own_followers_have_names() -> None:
    model = load("llama-7b")
    blocks = document(model, ("scaling",), ViewOptions(follow=("num_heads",)))
    (table, *_others) = [b for b in blocks if isinstance(b, Table)]
    names = [each for row in table.rows for cell in row.names for each in cell]
    change = "num_heads*2&num_kv_heads=32&ffn_dim=11008"
    assert f"?hidden_dim*2&{change}:total" in names
    assert not any("growth" in name for name in names)
    twice = load(f"llama-7b?hidden_dim*2&{change}")
    assert twice.total == built(model, "2", follow=("num_heads",)).total


def test_follow_none() -> None:
    twice = built(load("llama-7b"), "2", follow=("none",))
    expected = {"hidden_dim": 8192, "ffn_dim": 11008, "num_heads": 32, "head_dim": 128}
    assert twice.total == load("llama-7b", expected).total


def test_only_the_keys_of_follow_grow() -> None:
    twice = built(load("llama-7b"), "2", follow=("intermediate_size",))
    expected = {"hidden_dim": 8192, "ffn_dim": 22016, "head_dim": 128}
    assert twice.total == load("llama-7b", expected).total


def test_lists_of_layers_are_repeated_in_order() -> None:
    for name in ("nemotron-h-4b", "granite-4.0-h-micro", "kimi-linear-48b-a3b", "bamba-9b"):
        model = load(name)
        twice = built(model, "2", vary="num_layers")
        for group in (Group.MIXER, Group.ATTENTION):
            assert twice.parameters_in(group) == 2 * model.parameters_in(group) > 0


@pytest.mark.parametrize("layer", [0, 7])
def test_the_number_of_a_single_layer_is_repeated(layer: int) -> None:
    model = load({"model_type": "lfm2", "full_attn_idxs": layer})
    twice = built(model, "2", vary="num_layers")
    for group in (Group.MIXER, Group.ATTENTION):
        assert twice.parameters_in(group) == 2 * model.parameters_in(group) > 0


def test_sections_of_layers_are_repeated() -> None:
    model = load("Llama-3.1-Nemotron-Ultra-253B")
    twice = built(model, "2", vary="num_layers")
    for group in (Group.ATTENTION, Group.FEED_FORWARD):
        assert twice.parameters_in(group) == 2 * model.parameters_in(group) > 0


def test_exponents_of_the_hidden_dimension() -> None:
    assert exponents(load("llama-7b")) == {
        "Embedding": 1,
        "Attention": 2,
        Group.FEED_FORWARD.label: 2,
        "Norms": 1,
        "Head": 1,
        "Parameters": 2,
        "Weights": 2,
        "FLOPs per token": 2,
        "KV cache per token": 1,
        "Activation elements per token": 1,
    }


def test_exponents_of_the_layers() -> None:
    found = exponents(load("llama-7b"), vary="n_layers")
    assert {found[name] for name in ("Embedding", "Head")} == {0}
    assert {
        found[name] for name in ("Attention", Group.FEED_FORWARD.label, "Norms", "Parameters")
    } == {1}


def test_a_feed_forward_that_does_not_follow_grows_like_the_hidden_dimension() -> None:
    found = exponents(load("llama-7b"), follow=("num_heads", "num_kv_heads"))
    assert (found[Group.FEED_FORWARD.label], found["Attention"]) == (1, 2)


def test_more_experts_change_total_but_not_active_parameters() -> None:
    found = exponents(load("mixtral-8x7b"), vary="num_experts")
    assert (found["MoE"], found["Attention"], found["KV cache per token"]) == (1, 0, 0)
    scaled = scaled_models(load("mixtral-8x7b"), ViewOptions(vary="num_experts"))
    flops = polynomial_of("FLOPs per token", scaled)
    layers, hidden = 32, 4096
    assert flops[1] == 2 * layers * hidden  # the router's, nothing else


def test_the_polynomial_is_that_of_the_rule_of_thumb() -> None:
    total = polynomial_of("Parameters", scaled_models(load("llama-7b"), ViewOptions()))
    assert total == {2: 32 * Fraction(193, 16), 1: 2 * 32_000 + 65}


def test_latents_and_their_cache_do_not_grow() -> None:
    assert exponents(load("deepseek-v3"))["KV cache per token"] == 0
    assert "KV cache per token" not in exponents(load("mamba-130m"))
    assert "No KV cache grows" in prose(load("mamba-130m"))


def test_rounded_sizes_have_measured_ratios_and_no_exponent() -> None:
    blocks = document(load("lfm2-350m"), ("scaling",), ViewOptions())
    table = [block for block in blocks if isinstance(block, Table)][-1]
    row = next(row for row in table.rows if row.cells[0] == ((Group.FEED_FORWARD.label,),))
    assert row.cells[2:] == (cell("–"), cell("1.98"))


def test_two_factors_are_too_few_for_an_exponent() -> None:
    recurrent = exponents(load("recurrentgemma-2b"), vary="num_layers", factors=(Fraction(2),))
    assert recurrent["Attention"] is None


def test_sentences() -> None:
    text = prose(load("llama-7b"))
    assert (
        "With twice the hidden dimension, LLaMA 7B would have 3.92 times the parameters; " in text
    )
    assert "with twice the layers, 1.96 times. The sizes H = D/128 and F = 43D/16 grow with" in text
    assert "the hidden dimension D; d_h stays 128.\n" in text


def test_growth_has_three_digits_and_none_is_that_of_the_unchanged_size() -> None:
    blocks = document(load("gpt2"), ("scaling",), ViewOptions(vary="num_layers"))
    (unchanged, twice, *_others) = next(b for b in blocks if isinstance(b, Table)).rows
    assert ["".join(map(str, line)) for line in unchanged.cells[4]] == ["36.9 kB"]
    assert ["".join(map(str, line)) for line in twice.cells[4]] == ["73.7 kB", "2.00×"]
    # in every column, the number comes first
    assert ["".join(map(str, line)) for line in twice.cells[1]] == ["209M", "1.68×"]
    assert "".join(map(str, twice.cells[3][0])) == "492"


def test_counts_are_rounded_but_exact_as_data() -> None:
    (table, *_others) = (
        block
        for block in document(load("mixtral-8x7b"), ("scaling",), ViewOptions())
        if isinstance(block, Table)
    )
    (total,), (active,) = (table.rows[1].cells[column][0] for column in (1, 2))
    twice = built(load("mixtral-8x7b"), "2")
    assert total == Rounded(short(twice.total), thousands(twice.total))
    assert active == Rounded(short(twice.active), thousands(twice.active))
    flops = Fraction(twice.flops(4096), 4096)
    (flops_per_token,) = table.rows[1].cells[4][0]
    assert table.columns[4].label == "GFLOPs per token"
    assert flops_per_token == Rounded(three_digits(flops / 10**9), f"{floor(flops) / 10**9:.9f}")


def test_rows_say_how_the_size_is_scaled() -> None:
    factors = (Fraction(1, 4), Fraction(1, 2), Fraction(2))
    blocks = document(load("llama-7b"), ("scaling",), ViewOptions(factors=factors))
    table = next(block for block in blocks if isinstance(block, Table))
    names = [["".join(map(str, line)) for line in row.cells[0]] for row in table.rows]
    assert names == [
        ["1,024", "1/4×"], ["2,048", "half"], ["4,096", "1×"], ["8,192", "2×"]
    ]  # fmt: skip
    assert table.title == "Costs of LLaMA 7B by hidden dimension with T = 2,048 tokens"


@pytest.mark.parametrize("name", ["llama-7b", "gpt2", "mixtral-8x7b", "deepseek-v3"])
def test_on_a_phone_ratios_and_exponents_stay(name: str) -> None:
    blocks = document(load(name), ("scaling",), ViewOptions())
    costs, exponents = (block for block in blocks if isinstance(block, Table))
    assert costs.turns  # so that no column folds
    assert [column.label for column in exponents.columns if column.folds] == ["Formula"]
    assert all(row.folded == row.cells[1] for row in exponents.rows)  # all lines of the formula


def exponent_cells(
    model: str, **options: Any
) -> dict[str, tuple[list[str], tuple[tuple[str, ...], ...]]]:
    """The exponent of each number, the effective one if there are any, and the names of each."""
    blocks = document(load(model), ("scaling",), ViewOptions(**options))
    _costs, exponents_table = (block for block in blocks if isinstance(block, Table))
    return {
        str(row.cells[0][0][0]): (
            ["".join(map(str, line)) for each in row.cells[2:] for line in each],
            row.names[2:],
        )
        for row in exponents_table.rows
    }


def test_effective_exponents_of_costs_and_of_components_where_they_differ() -> None:
    blocks = document(load("llama-7b"), ("scaling",), ViewOptions(factors=(2, Fraction(3, 2))))
    _costs, exponents_of_d = (block for block in blocks if isinstance(block, Table))
    assert [column.label for column in exponents_of_d.columns] == [
        "Quantity", "Formula", "Exponent of D", "Effective exponent"
    ]  # fmt: skip
    rows = {str(row.cells[0][0][0]): row.cells[2:] for row in exponents_of_d.rows}
    assert rows["Parameters"] == (cell("2"), cell("1.97"))
    assert rows["KV cache per token, bytes"] == (cell("1"), cell("1.00"))
    assert rows["FFN"] == (cell("2"), cell(""))


@pytest.mark.parametrize(
    ("factors", "note"),
    [
        ((), "From 1× to 8×, an effective exponent of p means growth by a factor of 8^p."),
        (
            ("1/2", "2"),
            "From 1/2× to 2×, an effective exponent of p means growth by a factor of 4^p.",
        ),
        (
            ("3/2",),
            "From 1× to 1.5×, an effective exponent of p means growth by a factor of 1.5^p.",
        ),
        (("1/2", "3/4"), "by a factor of 2^p."),
        (("3/4",), "by a factor of (4/3)^p."),
    ],
)
def test_note_on_effective_exponents(factors: tuple[str, ...], note: str) -> None:
    found = prose(load("llama-7b"), factors=tuple(map(Fraction, factors)))
    assert note in found


def test_each_exponent_has_a_name() -> None:
    found = exponent_cells("deepseek-v3")
    assert found["Norms"] == (
        ["1", "0.94"],
        (("exponent.norms:hidden_dim",), ("exponent.norms:hidden_dim*1..8",)),
    )
    assert found["FFN"] == (
        ["2", ""],
        (("exponent.feed_forward:hidden_dim",), ()),
    )
    assert number_text(load("deepseek-v3"), ("exponent.mlp", "hidden_dim*1..2")) == "2.00"
    assert exponent_cells("deepseek-v3", follow=("none",))["Norms"][1] == ((), ())


def test_a_number_without_exponent_has_effective_ones() -> None:
    options = {"vary": "num_layers", "factors": (Fraction(2),)}
    found = exponent_cells("recurrentgemma-2b", **options)
    assert found["Parameters"] == (["–", "0.81"], ((), ("exponent.total:num_layers*1..2",)))
    assert found["FFN"][0] == ["1", ""]


def test_effective_exponents_are_left_out_if_none_differs() -> None:
    huge = {"factors": (Fraction(2**36),)}
    assert exponent_cells("llama-7b", **huge)["Parameters"][0] == ["2"]
    assert "ffective exponent" not in prose(load("llama-7b"), **huge)
    two = {"factors": (Fraction(2),)}
    assert exponent_cells("llama-7b", **two)["Parameters"][0] == ["2", "1.97"]
    assert "ffective exponent" in prose(load("llama-7b"), **two)


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        (
            "albert-base-v2", {},
            "With twice the hidden dimension, ALBERT base 2 would have 2.98 times the parameters; "
            "with twice the layers, as many as before.",
        ),
        (
            "llama-7b", {"vary": "num_layers", "factors": (Fraction(3),)},
            "With 3 times the layers, LLaMA 7B would have 2.92 times the parameters; "
            "with 3 times the hidden dimension, 8.77 times.",
        ),
        (
            "gpt2", {"factors": (Fraction(1, 2),)},
            "With half the hidden dimension, GPT-2 small would have 0.33 times the parameters; "
            "with half the layers, 0.66 times.",
        ),
        (
            "llama-7b", {"vary": "vocab_size"},
            "With twice the vocabulary size, LLaMA 7B would have 3.9% more parameters.",
        ),
        (
            "t5-base", {},
            "With twice the hidden dimension, T5 base would have 3.78 times the parameters.",
        ),
    ],
)  # fmt: skip
def test_growth_of_one_size_or_of_width_and_depth_is_one_sentence(
    name: str, options: dict[str, Any], sentence: str
) -> None:
    first, *others = prose(load(name), **options).split("\n")
    assert first.startswith(f"{sentence} ")
    assert not any("With " in line for line in others)


def test_slightly_fewer_parameters_are_a_percentage() -> None:
    first, *_others = prose(load("deberta-v2-xxlarge"), vary="conv_groups").split("\n")
    assert "DeBERTa V2 xxlarge would have 0.2% fewer parameters." in first


@pytest.mark.parametrize(
    ("name", "options", "sentences"),
    [
        (
            "llama-3-8b", {},
            "The sizes H = D/128, H_kv = D/512 and F = 7D/2 grow with the hidden dimension D; "
            "d_h stays 128.",
        ),
        (
            "recurrentgemma-2b", {},
            "The sizes H = D/256, F = 3D and D_r = D grow with the hidden dimension D; "
            "d_h = 256 and d_r = 256 stay the same.",
        ),
        (
            "lfm2-350m", {},
            "The sizes H = D/64, H_kv = D/128 and F = 13D/2 grow with the hidden dimension D; "
            "d_h stays 64. The size F_a changes in steps with the hidden dimension D.",
        ),
        (
            "recurrentgemma-2b", {"vary": "num_layers"},
            "The sizes L_recurrent and L_attn change in steps with the number of layers L.",
        ),
        (
            "mamba-130m",
            {},
            "The sizes D_inner = 2D and R_dt = D/16 grow with the hidden dimension D.",
        ),
        (
            "deepseek-v3", {},
            "The sizes H = D/56, F = 18D/7 and F_e = 2D/7 grow with the hidden dimension D; "
            "R_q = 1,536, R_kv = 512, d_nope = 128, d_rope = 64 and d_v = 128 stay the same.",
        ),
        (
            "deepseek-v3", {"vary": "num_layers"},
            "The size L_MoE = L − 3 grows with the number of layers L.",
        ),
        (
            "gpt2", {"vary": "num_heads"},
            "The size d_h = 768/H shrinks as the number of attention heads H grows.",
        ),
        (
            "llama-7b", {"vary": "vocab_size"},
            "No other size grows with the vocabulary size V.",
        ),
        (  # it has no dense layer of width F
            "qwen3-next-80b-a3b", {},
            "The sizes H = D/128, H_kv = D/1,024, H_lk = D/128, H_lv = D/64, F_e = D/4 and "
            "F_s = D/4 grow with the hidden dimension D; d_h = 256, d_lk = 128 and d_lv = 128 stay "
            "the same.",
        ),
        (  # symbols such as F_768 are named by their values
            "openelm-270m", {}, "Sizes that differ between layers grow with the hidden dimension D."
        ),
        (
            "llama-3.3-nemotron-super-49b", {},
            "The size H = D/128 grows with the hidden dimension D; d_h stays 128. "
            "Sizes that differ between layers grow with the hidden dimension D.",
        ),
        (
            "xlm-mlm-en-2048", {"vary": "num_languages"},
            "No other size grows with the number of languages V_lang.",
        ),
    ],
)  # fmt: skip
def test_sizes_that_depend_on_the_scaled_one(
    name: str, options: dict[str, Any], sentences: str
) -> None:
    first = prose(load(name), **options).split("\n")[0]
    assert first.removesuffix(" The pattern of layer kinds is repeated.").endswith(f". {sentences}")


@pytest.mark.parametrize(
    ("options", "label"),
    [({}, "hidden dimension 4,096"), ({"vary": "num_layers"}, "32 layers")],
)
def test_curves_are_relative_to_the_unchanged_size(options: dict[str, Any], label: str) -> None:
    blocks = document(load("llama-7b"), ("scaling",), ViewOptions(**options))
    curves = next(block for block in blocks if isinstance(block, Curves))
    assert curves.title == f"Growth of the costs, relative to {label}"
    assert all(series.values[curves.x.index(1)] == 1 for series in curves.series)


@pytest.mark.parametrize(("name", "has_scores"), [("llama-7b", True), ("mamba-130m", False)])
def test_activations_are_without_attention_scores(name: str, has_scores: bool) -> None:
    text = prose(load(name))
    assert ("Attention scores are not among these elements." in text) == has_scores


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("llama-7b", "L (4 H d_h + 4 D + F) + 2 D + V"),
        ("gpt2", "L (8 D + F) + 3 D + V"),
        ("albert-base-v2", "74,241 D/512 + 512"),
    ],
)
def test_activations_have_a_formula_if_each_step_has_a_vector_for_each_token(
    name: str, formula: str
) -> None:
    assert formulas(name)["Activation elements per token"][0] == formula


@pytest.mark.parametrize(
    ("name", "options", "flops", "cache"),
    [
        (
            "llama-3-8b", {},
            "L (4 D d_h (H + H_kv) + 4 T H d_h + 6 D F) + 2 V D",
            "2 L H_kv d_h × 2 bytes",
        ),
        (
            "llama-3-8b", {"dtype": "int4"},
            "L (4 D d_h (H + H_kv) + 4 T H d_h + 6 D F) + 2 V D",
            "2 L H_kv d_h × 0.5 bytes",
        ),
        (  # FLOPs of weights of attention and FFN are like terms; 1 byte needs no factor
            "bloom-7b1", {"dtype": "fp8"},
            "L (4 T H d_h + 24 D²) + 2 V D",
            "2 L D",
        ),
        (
            "gemma-4-12b", {},
            "L_sliding (4 D d_h (H + H_kv) + 4 T H d_h) + L_full (2 D d_g (2 H + H_g) + 4 T H d_g)"
            " + 6 L D F + 2 V D",
            "(2 L_sliding H_kv d_h + 2 L_full H_g d_g) × 2 bytes",
        ),
        (  # long, of latents that don't grow
            "deepseek-v3", {}, "1,220 D² + 30,306,176 D/7", "L (R_kv + d_rope) × 2 bytes"
        ),
        (  # layers applied several times
            "albert-base-v2", {}, "73,729 D²/256 + 24,832 D", ""
        ),
        (  # an entry for each group of tokens
            "deepseek-v4-flash", {}, "28,917 D²/32 + 9,210,720 D", "50,912"
        ),
    ],
)  # fmt: skip
def test_flops_and_kv_cache_have_formulas(
    name: str, options: dict[str, Any], flops: str, cache: str
) -> None:
    found = formulas(name, **options)
    assert found["FLOPs per token"][0] == flops
    assert found.get("KV cache per token, bytes", [""])[0].replace(NO_BREAK, " ") == cache


def formulas(name: str, **options: Any) -> dict[str, list[str]]:
    """The lines of the formula of each number, with normal spaces between factors."""
    blocks = document(load(name), ("scaling",), ViewOptions(**options))
    _costs, exponents_table = (block for block in blocks if isinstance(block, Table))
    return {
        str(row.cells[0][0][0]): [
            "".join(map(str, line)).replace(NARROW_SPACE, " ") for line in row.cells[1]
        ]
        for row in exponents_table.rows
    }


@pytest.mark.parametrize(
    ("name", "component", "lines"),
    [
        ("llama-3-8b", "Attention", ["2 L D d_h (H + H_kv)", "= 80 D²"]),
        ("llama-3-8b", "FFN", ["3 L D F", "= 336 D²"]),
        ("llama-3-8b", "Norms", ["(2 L + 1) D", "= 65 D"]),
        ("llama-3-8b", "LM head", ["D V", "= 128,256 D"]),
        ("llama-3-8b", "Parameters", ["416 D² + 256,577 D"]),
        ("gpt2", "Attention", ["L (4 D² + 4 D)", "= 48 D² + 48 D"]),
        (
            "deepseek-v3",
            "Attention",
            [
                "L (D R_q + R_q H (d_nope + d_rope) + D (R_kv + d_rope) + R_kv H (d_nope + d_v)"
                " + D H d_v)",
                "= 976 D²/7 + 4,149,952 D/7",
            ],
        ),
        ("deepseek-v3", "FFN", ["3 L_dense D F", "= 162 D²/7"]),
    ],
)
def test_components_have_formulas_as_in_the_derivation(
    name: str, component: str, lines: list[str]
) -> None:
    assert formulas(name)[component] == lines


@pytest.mark.parametrize("name", ["llama-3-8b", "deepseek-v3", "jamba-v0.1", "gemma-3n-e4b"])
def test_components_outside_layers_have_the_formula_of_the_derivation(name: str) -> None:
    """The rows that are neither in a bracket nor multiplied by a number of layers."""
    (derivation,) = document(load(name), ("formula",), ViewOptions())[:1]
    assert isinstance(derivation, Derivation)
    addends = {
        row.name: joined_as_text(row.symbols)
        for row in derivation.rows
        if row.kind is SumRowKind.ADDEND
    }
    found = formulas(name)
    both = found.keys() & addends.keys()
    assert "Norms" in both
    assert {each: found[each][0] for each in both} == {each: addends[each] for each in both}


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_PRESETS)
def test_formulas_are_variables_and_numbers(name: str) -> None:
    """Nothing of the TeX they are made of is left, and no symbol is text."""
    lines = [growth.symbols for growth in component_growths(scaled_models(load(name), NO_OPTIONS))]
    texts = [piece for line in lines for piece in line if not isinstance(piece, Variable)]
    assert texts
    assert not [text for text in texts if re.search(r"[A-Za-z\\{}^_·]|  ", str(text))]


def test_activations_of_training_are_those_of_the_memory_view() -> None:
    sentence = "Korthikanti et al. 2022 estimate 34 L T D bytes of stored activations, plus scores"
    assert sentence in prose(load("llama-7b")).replace(NARROW_SPACE, " ")
    assert "For training" not in prose(load("mamba-130m"))


def test_no_sentence_on_layers_if_their_number_is_not_whole() -> None:
    text = prose(load("gemma-2b"), factors=(Fraction(1, 4),))
    assert "With 0.25 times the hidden dimension, Gemma 2B would have " in text
    assert "the layers, " not in text


def test_table_and_curves_have_the_same_factors() -> None:
    blocks = document(load("llama-2-7b"), ("scaling",), ViewOptions(dtype="fp8"))
    table = next(block for block in blocks if isinstance(block, Table))
    curves = next(block for block in blocks if isinstance(block, Curves))
    assert curves.x == (1, 2, 4, 8)
    assert [row.cells[0][0] for row in table.rows] == [
        ("4,096",), ("8,192",), ("16,384",), ("32,768",)
    ]  # fmt: skip
    of_cache = next(series for series in curves.series if series.name == "KV cache per token")
    assert of_cache.values == curves.x
    assert table.rows[0].cells[2][0] == ("6.74 GB",)


@pytest.mark.parametrize(
    ("options", "option", "message"),
    [
        ({"vary": "hiden_dim"}, "vary", "did you mean 'hidden_dim'?"),
        ({"vary": "num_experts"}, "vary", "sizes of LLaMA 7B: hidden_dim, num_layers"),
        ({"vary": "tie_embeddings"}, "vary", "true or false, which cannot be scaled"),
        ({"follow": ("ffn_dims",)}, "follow", "did you mean 'ffn_dim'?"),
        ({"factors": (Fraction(1, 3),)}, "factors", "hidden_dim × 1/3 is not whole: 4,096 × 1/3"),
        ({"factors": (Fraction(1),)}, "factors", "a factor of 1 changes nothing"),
        ({"vary": "num_kv_heads"}, "vary", "num_kv_heads × 2: 64 key/value heads do not divide 32"),
        ({"follow": ("num_kv_heads",)}, "follow", "64 key/value heads do not divide 32 heads"),
        ({"tokens": 10, "vary": "vocab_size", "factors": (Fraction(10**12),)}, "vary", "at most"),
    ],
)
def test_errors_name_the_option(options: dict[str, Any], option: str, message: str) -> None:
    error = refused("llama-7b", **options)
    assert error.option == option
    assert message in str(error)


@pytest.mark.parametrize(
    ("scaled", "written"),
    [
        ("expand*2", "expand=4"),
        ("hidden_dim*2&expand=4", "hidden_dim*2&mamba_width=32768"),
        ("hidden_dim*2&expand*2", "hidden_dim*2&mamba_width=32768"),
    ],
)
def test_the_inner_dimension_of_mamba_follows_its_factors(scaled: str, written: str) -> None:
    assert load(f"jamba-v0.1?{scaled}").total == load(f"jamba-v0.1?{written}").total


def test_the_expansion_factor_can_be_varied() -> None:
    twice = built(load("jamba-v0.1"), "2", vary="expand")
    assert twice.total == load("jamba-v0.1?expand=4").total


def test_hint_names_the_sizes_to_follow() -> None:
    error = refused("mamba2-130m", follow=("none",))
    assert (error.option, error.problem) == ("follow", Problem.SHAPE)
    assert "follow names the keys that grow with hidden_dim" in error.hint
    error = refused("bamba-9b", follow=("none",))
    assert (error.option, error.problem) == ("follow", Problem.SHAPE)
    error = refused("gemma-2b", factors=(Fraction(1, 16),))
    assert "num_heads × 1/16 is not whole" in error.message


def test_lists_of_layers_have_a_bound() -> None:
    error = refused("granite-4.0-h-micro", vary="num_layers", factors=(Fraction(9999),))
    assert error.option == "factors"


def test_null_in_a_preset_stays_null_when_another_key_changes() -> None:
    lite = load("deepseek-v2-lite")
    assert load("deepseek-v2-lite", {"num_layers": 27}).total == lite.total
    assert "q_latent_dim" not in {key.name for key in built(lite, "2").config.explicit}


@pytest.mark.parametrize("text", ["1/2, 1, 2", "2,1,0.5"])
def test_factors(text: str) -> None:
    assert read_factors(text) == (Fraction(1, 2), Fraction(1), Fraction(2))


ROUNDED = {"defaults of xlstm"}
"""Models with a width that is rounded to a multiple."""


@pytest.mark.presets
@pytest.mark.parametrize("name", [name for name in SOME_DEFAULTS if name not in NOT_SCALED])
def test_every_family(name: str) -> None:
    model = load("model", DEFAULTS[name])
    scaled = scaled_models(model, ViewOptions(factors=(Fraction(2),)))
    assert (scaled.base.total, scaled.base.active) == (model.total, model.active)
    found = [growth.polynomial for growth in growths(scaled)]
    assert (None not in found) == (name not in ROUNDED)
    for growth, polynomial in zip(growths(scaled), found, strict=True):
        for factor, count in growth.counts.items():
            assert polynomial is None or polynomial.eval(scaled.value(factor)) == count


@pytest.mark.presets
@pytest.mark.parametrize("name", [*DEFAULTS][:: 7 if EVERY_PRESET else 28])
def test_every_family_is_shown(name: str) -> None:
    assert prose(load("model", DEFAULTS[name]), vary="vocab_size")


def test_on_a_page(build: Build) -> None:
    page = "T\n=\n\n.. llm-size:: gpt2\n   :show: scaling\n   :vary: n_layers\n   :factors: 1, 2\n"
    project = build({"index.rst": page})
    assert project.log == ""
    assert short(load("gpt2", {"num_layers": 24}).total) in project.output("index.html")


def test_an_error_on_a_page_has_the_line_of_its_option(build: Build) -> None:
    page = "T\n=\n\n.. llm-size:: gpt2\n   :show: scaling\n   :vary: n_layer\n   :follow: n_hed\n"
    (warned,) = build({"index.rst": page}).warned
    assert (warned.line, warned.type) == (7, "llmsize.option")


@pytest.mark.parametrize("option", ["vary: __class__", "follow: hidden_dims"])
def test_options_are_checked_even_if_the_view_is_not_shown(build: Build, option: str) -> None:
    page = f"T\n=\n\n.. llm-size:: gpt2\n   :show: table\n   :{option}\n"
    (warned,) = build({"index.rst": page}).warned
    assert (warned.line, warned.type) == (6, "llmsize.option")
