"""Names of numbers: each number that a view shows has one, which gives the same number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache

import pytest
from families import DEFAULTS, EVERY_PRESET, ONE_OF_EACH_FAMILY

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.blocks import Derivation, Document, Facts, Formula, Table
from sphinx_llmsize.formats import FLOPS_PREFIXES, thousands, three_digits
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox import render
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.numbers.model_numbers import number_of, number_text, value_of
from sphinx_llmsize.views.numbers.number_headings import number_heading
from sphinx_llmsize.views.numbers.unknown_numbers import QUANTITIES
from sphinx_llmsize.views.scaling.scaled_models import scaled_models
from sphinx_llmsize.views.shared.data_size import UNITS
from sphinx_llmsize.views.view_options import Detail, ViewOptions

WITHOUT_NUMBER = {"", "–", "tied"}
ARTICLES = ("llama-7b", "gpt2", "deepseek-v3", "jamba-v0.1", "t5-base", "mamba-130m")
OPTIONS = (
    ("table", ViewOptions(detail=Detail.TENSOR)),
    ("compute", ViewOptions(tokens=7, context=9)),
    ("memory", ViewOptions(context=300, dtype="fp8")),
    ("memory", ViewOptions(dtype="4.5")),
    ("scaling", ViewOptions(vary="num_layers", factors=(Fraction(2), Fraction(3)))),
    *((view, ViewOptions()) for view in VIEWS),
)
Named = tuple[str, str]
"""A name, and the text that has it."""


def named_numbers(blocks: Document) -> Iterator[tuple[str, Named]]:
    """The column of each number, with its names and texts; a name is empty if there is none."""
    for block in blocks:
        if isinstance(block, Facts):
            lengths = {"T", "P"}
            named = (fact for fact in block.facts if fact.name or fact.symbol.base not in lengths)
            yield from (("", (fact.name, fact.value)) for fact in named)
        elif isinstance(block, Table):
            for row in block.rows:
                for (cell, names), column in zip(row.named_cells, block.columns, strict=True):
                    texts = ["".join(map(str, line)) for line in cell] or [""]
                    if names or (column.numeric and texts[0] not in WITHOUT_NUMBER):
                        pairs = zip(names or ("",), texts, strict=False)
                        numbers = (pair for pair in pairs if pair[1] not in WITHOUT_NUMBER)
                        yield from ((column.label, number) for number in numbers)


@cache
def scaled_model(model: Model, key: str, factor: Fraction) -> Model:
    """The model with a size times a factor, and what grows with it."""
    return scaled_models(model, ViewOptions(vary=key, factors=(factor,))).models[factor]


def texts_of(model: Model, name: str) -> set[str]:
    """The number of a name in each of its formats, of which views show one."""
    words = name.split(":")
    if name.startswith("?"):
        change, *words = name.removeprefix("?").split(":")
        key, _times, factor = change.partition("*")
        model = scaled_model(model, key, Fraction(factor))
    texts = {number_text(model, tuple(words))}
    if words[0].startswith("growth."):
        texts.add(three_digits(number_of(model, *words)))
    with suppress(ConfigError):  # sizes in bytes have units, not formats
        texts.add(number_text(model, (*words, "exact")))
    if words[0] == "flops.per_token":  # below the heading "GFLOPs per token": 13.5
        number = Fraction(number_of(model, *words))
        texts |= {three_digits(number / 1000**power) for power in (*FLOPS_PREFIXES, 0)}
    # the unit can be the column's heading: 524,288
    texts |= {text.removesuffix(" bytes") for text in texts}
    return texts | {f"{text}×" for text in texts}


def rounded_size(model: Model, name: str, text: str) -> bool:
    """True if the text is the size in bytes of this name, rounded as all sizes of its column."""
    digits, _space, unit = text.partition(" ")
    if unit not in UNITS or name.startswith("?"):
        return False
    places = len(digits.partition(".")[2])
    size = Fraction(number_of(model, *name.split(":"))) / UNITS[unit]
    if digits.startswith("<"):
        return 0 < size < Fraction(digits[1:])
    return f"{float(round(size, places)):,.{places}f}" == digits


def check_names(model: Model, view: str, options: ViewOptions) -> None:
    try:
        blocks = document(model, (view,), options)
    except ConfigError:
        return  # the model cannot have this option
    for column, (name, text) in named_numbers(blocks):
        assert name, (view, column, text)
        is_size = rounded_size(model, name, text if " " in text else f"{text} {column}")
        assert text in texts_of(model, name) or is_size, (view, column, name)


SLOW = {"llama-7b", "deepseek-v3", "jamba-v0.1", "t5-base"}
"""Models whose growth takes seconds."""


@pytest.mark.presets
@pytest.mark.parametrize(("view", "options"), OPTIONS)
@pytest.mark.parametrize("name", ARTICLES)
def test_the_name_of_each_number_gives_it(name: str, view: str, options: ViewOptions) -> None:
    if view == "scaling" and name in SLOW and not EVERY_PRESET:
        pytest.skip("with LLMSIZE_EVERY_PRESET only")
    check_names(load(name), view, options)


@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY[:: 1 if EVERY_PRESET else 12])
def test_qkv_names_the_projections_of_every_family_with_attention(name: str) -> None:
    """Also those in several steps, as of latent attention."""
    model = load(name)
    count = model.architecture.count
    projections = [
        count(placed.layers * tensor.parameters)
        for placed in model.architecture.placed_stages()
        for tensor in placed.stage.tensors
        if placed.stage.id == "qkv"
        or (
            re.match(r"attn_(q|k|v|kv)(_|$)", tensor.component)
            and not placed.stage.id.startswith("cross")
        )
    ]
    if projections:
        assert number_of(model, "qkv") == sum(projections)
    else:
        with pytest.raises(ConfigError):
            number_of(model, "qkv")


@pytest.mark.presets
@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY[:: 1 if EVERY_PRESET else 24])
def test_the_names_of_results_in_sums_give_them(name: str) -> None:
    model = load(name)
    blocks = document(model, ("formula",), ViewOptions())
    rows = [row for block in blocks if isinstance(block, Derivation) for row in block.rows]
    assert rows[-1].number_name in {"total", "active"}
    nameless = []
    for row in rows:
        if row.number_name:
            assert thousands(number_of(model, row.number_name)) == row.result, row.number_name
        elif row.result and not row.result.startswith("−"):  # unused experts
            nameless.append(row.name)
    assert not nameless


@pytest.mark.presets
@pytest.mark.parametrize("view", ["compute", "memory"])
@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY[:: 1 if EVERY_PRESET else 24])
def test_the_names_of_costs_in_sums_give_them(name: str, view: str) -> None:
    model = load(name)
    blocks = document(model, (view,), ViewOptions(context=100, tokens=100))
    rows = [row for block in blocks if isinstance(block, Derivation) for row in block.rows]
    assert rows or (name, view) != ("llama-7b", "compute")
    for row in rows:
        number, *words = row.number_name.split(":")
        found = Fraction(number_of(model, number, *words))
        assert row.result.removesuffix(" bytes") == thousands(int(found)), row.number_name


def test_names_of_results_in_sums() -> None:
    (block,) = document(load("llama-7b"), ("formula",), ViewOptions())
    assert isinstance(block, Derivation)
    assert [row.number_name for row in block.rows] == [
        "embedding",
        "attention.per_layer",
        "feed_forward.per_layer",
        "attention+feed_forward.per_layer",
        "attention+feed_forward",
        "norms",
        "lm_head",
        "total",
    ]


@pytest.mark.parametrize("name", ["llama-7b", "gpt2", "mixtral-8x7b"])
def test_names_of_results_in_the_rule_of_thumb_give_them(name: str) -> None:
    model = load(name)
    formula, _share = document(model, ("rule",), ViewOptions())
    assert isinstance(formula, Formula)
    named = {
        key: "".join(line)
        for line, key in zip(formula.lines, formula.number_names, strict=True)
        if key
    }
    assert set(named) == {"rule.c", "rule"}
    assert f"= {thousands(int(number_of(model, 'rule')))}" in re.sub("[{}]", "", named["rule"])
    assert str(number_of(model, "rule.c").numerator) in named["rule.c"]


@pytest.mark.presets
@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY[:: 1 if EVERY_PRESET else 24])
def test_headings_of_all_numbers_have_no_ids(name: str) -> None:
    model = load(name)
    headings = {}
    for view in ("table", "compute", "composition", "memory"):
        for _column, (number_name, _text) in named_numbers(document(model, (view,), ViewOptions())):
            if number_name and not number_name.startswith("?"):
                headings[number_name] = number_heading((model,), tuple(number_name.split(":")))
    assert len(headings) > 10
    wrong = {
        number_name: heading
        for number_name, heading in headings.items()
        if re.search(r"[a-z]_[a-z]|\d{4}", heading)
    }
    assert not wrong


@pytest.mark.presets
@pytest.mark.parametrize("name", ONE_OF_EACH_FAMILY[:: 1 if EVERY_PRESET else 16])
def test_every_family_has_names(name: str) -> None:
    model = load(name)
    for view in ("table", "shapes", "compute", "composition", "memory"):
        check_names(model, view, ViewOptions())
    check_names(model, "table", ViewOptions(detail=Detail.TENSOR))


def test_names_of_quantities_are_no_ids() -> None:
    """No group, stage, component or key of any model is called like a quantity."""
    for name, config in DEFAULTS.items():
        model = load("model", config)
        stages = {placed.stage.id for placed in model.architecture.placed_stages()}
        groups = {placed.stage.group.value for placed in model.architecture.placed_stages()}
        ids = {*stages, *groups, *model.components, *model.keys}
        assert not QUANTITIES.keys() & ids, name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rule.c", "12.06"),
        ("rule.c:fraction", "193/16"),
        ("rule.feed_forward:fraction", "129/16"),
        ("rule.r:fraction", "43/16"),
        ("rule:exact", "6,476,005,376"),
        ("rule:share", "96.1%"),
        ("rule:12:share", "95.6%"),
        ("rule.per_layer:exact", "202,375,168"),
        ("rule.rest:exact", "262,410,240"),
        ("rule.rest.norms:exact", "266,240"),
        ("qkv.per_layer:exact", "50,331,648"),
        ("attention+feed_forward.per_layer:exact", "202,375,168"),
        ("norms.per_layer", "8.19K"),
        ("q_proj.weight:share", "8.0%"),
        ("attention.weight", "2.15B"),
        ("feed_forward.num_layers", "32"),
        ("weights.feed_forward:bf16", "8.66 GB"),
        ("flops.qkv:2048:share", "22.5%"),
        ("flops.per_token:2048", "14.3 GFLOPs"),
        ("flops_per_token.activations:2048:exact", "1,073,741,824"),
        ("flops_rule.forward.error:2048", "−5.7%"),
        ("flops_polynomial.break_even", "25,204"),
        ("training.states", "108 GB"),
        ("training.activations:2048:GiB", "28.5 GiB"),
        ("kv_cache:elements", "262,144"),
        ("growth.total:hidden_dim*2", "3.92"),
        ("growth.total", "3.92"),
        ("growth.flops.per_token:2048:num_layers*2", "1.98"),
        ("exponent.attention:hidden_dim", "2"),
        ("exponent.total:hidden_dim*1..2", "1.97"),
        ("exponent.total:hidden_dim*2", "1.97"),
        ("D", "4,096"),
    ],
)
def test_names_of_llama(name: str, text: str) -> None:
    assert number_text(load("llama-7b"), tuple(name.split(":"))) == text


@pytest.mark.parametrize(
    ("model", "name", "text"),
    [
        ("gpt2", "qkv.per_layer:exact", "1,771,776"),
        ("gpt2", "embedding.embedding:exact", "38,597,376"),
        ("deepseek-v3", "ffn_up.per_layer", "264M"),
        ("deepseek-v3", "moe.num_layers", "58"),
        ("deepseek-v3", "L_MoE", "58"),
        ("deepseek-v3", "weights.active:bf16", "75.1 GB"),
        ("deepseek-v3", "active.experts:share", "3.4%"),
        ("deepseek-v3", "kv_cache.multi_head:131072", "655 GB"),
        ("jamba-v0.1", "kv_cache.full_attention:8192", "134 MB"),
        ("jamba-v0.1", "kv_cache.mamba:8192", "9.18 MB"),
        ("gemma-2-9b", "kv_cache.sliding_attention:8192", "705 MB"),
        ("t5-base", "qkv.encoder.per_layer:exact", "1,769,472"),
    ],
)
def test_names_of_other_models(model: str, name: str, text: str) -> None:
    assert number_text(load(model), tuple(name.split(":"))) == text


@pytest.mark.parametrize(
    ("model", "name", "message"),
    [
        ("llama-7b", "qvk", "did you mean 'qkv'?"),
        ("llama-7b", "qkv.per_layr", "did you mean 'per_layer'?"),
        ("llama-7b", "flops.atention:5", "did you mean 'attention'?"),
        ("llama-7b", "rule.atention", "rule has no 'atention' (did you mean 'attention'?)"),
        ("llama-7b", "rule.c:exakt", "did you mean 'exact'?"),
        ("llama-7b", "growth.total:hiden_dim*2", "did you mean 'hidden_dim'?"),
        ("llama-7b", "growth.total:hidden_dim*x", "'x' is not a factor"),
        ("llama-7b", "growth.total:2", "unexpected '2' after total"),
        ("llama-7b", "qkv.lm_head", "no part has all of these ids"),
        ("llama-7b", "head.per_layer", "'head' is not in the layers"),
        ("deepseek-v3", "total.per_layer", "differ in 'total' (add one of dense, layers1"),
        ("deepseek-v3", "rule.c", "the rule of thumb does not apply to DeepSeek-V3"),
        ("deepseek-v3", "exponent.norms:num_heads*3/7..1", "×"),
        ("llama-7b", "growth.total:hidden_dim*2..4", "growth needs one factor"),
        ("llama-7b", "growth.total:hidden_dim*1", "a factor of 1 changes nothing"),
        ("llama-7b", "growth.exponent.total", "'exponent' is not a number that grows"),
        ("gpt2", "weights.num_layers:bf16:GiB", "unknown format 'GiB' (one of exact"),
        ("gpt2", "kv_cache.num_layers:5:GiB", "unknown format 'GiB'"),
        ("gpt2", "flops.num_layers:5:share", "no format 'share'"),
        ("gpt2", "growth.lm_head", "has none of it, so there is no ratio"),
        ("llama-7b", "rule:1e400", "unknown format '1e400'"),
        ("gpt2", "training.activations", "activations need a number of tokens"),
        ("gpt2", "flops:words", "FLOPs need a number of tokens (write it before the format: "),
        ("gpt2", "activations:exact:5", "activations need a number of tokens (write it before"),
        ("gpt2", "flops:5:words", "this number has no format 'words' (one of short, exact, share)"),
        ("mamba-130m", "flops_rule.with_scores:5", "one of forward, training"),
    ],
)
def test_invalid_names(model: str, name: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        number_text(load(model), tuple(name.split(":")))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("model", "name", "hint"),
    [
        ("llama-7b", "ruel.c", "rule.c"),
        ("llama-7b", "exponant.total", "exponent.total"),
        ("llama-7b", "growht.total:hidden_dim*2", "growth.total"),
        ("llama-7b", "atention.per_layer", "attention.per_layer"),
        ("llama-7b", "ffn.per_layer", "feed_forward.per_layer"),
        ("llama-7b", "memory.qkv:bf16", "weights.qkv"),
        ("llama-7b", "c", "rule.c"),
        ("llama-7b", "C:fraction", "rule.c"),
        ("llama-7b", "r", "rule.r"),
        ("llama-7b", "untied", "counted.untied"),
        ("llama-7b", "break_even", "flops_polynomial.break_even"),
        ("llama-7b", "states", "training.states"),
        ("llama-7b", "multi_head:4096", "kv_cache.multi_head"),
        ("llama-7b", "kv_cache.mult_head", "multi_head"),
        ("llama-7b", "flops.per_tokn:5", "per_token"),
        ("gemma-2-9b", "kv_cache.full", "full_attention"),
    ],
)
def test_suggested_names(model: str, name: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        number_text(load(model), tuple(name.split(":")))
    assert caught.value.hint == f"did you mean '{hint}'?"


@pytest.mark.presets
@pytest.mark.parametrize("name", ["llama-7b", *(["deepseek-v3", "gemma-2-9b"] * EVERY_PRESET)])
def test_a_transposition_in_the_first_id_of_any_name_is_corrected(name: str) -> None:
    model = load(name)
    blocks = document(model, ("table", "memory"), ViewOptions(detail=Detail.TENSOR))
    names = {named[0].partition(":")[0] for _column, named in named_numbers(blocks)}
    dotted = {name for name in names if "." in name}
    assert dotted
    for number_name in dotted:
        first, _dot, others = number_name.partition(".")
        misspelt = f"{first[:-2]}{first[-1]}{first[-2]}.{others}"
        if misspelt == number_name:
            continue
        with pytest.raises(ConfigError) as caught:
            number_text(model, (misspelt,))
        assert caught.value.hint == f"did you mean {number_name!r}?"


@pytest.mark.parametrize(
    ("model", "name", "listed"),
    [
        ("llama-7b", "xyz", ("attention", "feed_forward", "qkv", "ffn_up", "ffn_down", "rule")),
        ("mixtral-8x7b", "xyz", ("active", "experts", "experts_up", "kv_cache")),
        ("llama-7b", "attention.xyz", ("qkv", "attn_q", "per_layer")),
        ("llama-7b", "flops.xyz:5", ("qkv", "scores", "per_token")),
        ("t5-base", "qkv.xyz", ("encoder", "decoder")),
        ("deepseek-v3", "qkv.xyz", ("dense", "moe")),
        ("gemma-2-9b", "kv_cache.xyz", ("keys_and_values", "sliding_attention", "multi_head")),
    ],
)
def test_names_in_the_list_of_an_error(model: str, name: str, listed: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as caught:
        number_text(load(model), tuple(name.split(":")))
    names = re.sub("^(there are|one of) ", "", caught.value.hint).split(", ")
    assert set(listed) <= set(names)
    internal = {"array1", "keys", "keys_and", "layers", "layers1", "lm", "mlp_gate.weight"}
    absent = {"sequence_mixing", "residual_streams"}
    assert not {*internal, *absent} & set(names)


def test_templates_calculate_with_names() -> None:
    model = load("llama-7b")
    assert value_of(model, "qkv.per_layer") == 3 * 4096**2
    assert value_of(model, "flops.qkv:2048") == 32 * 2 * 2048 * 3 * 4096**2
    assert value_of(model, "rule.c") == Fraction(193, 16)


@pytest.mark.parametrize("name", ["flops.mlp:1024", "growth.total:hidden_dim*3"])
def test_slow_numbers_take_more_steps_of_a_template(name: str) -> None:
    number = f'{{{{ model("gpt2")["{name}"] }}}}'
    source = f"{{% for n in range(900) %}}{number}{{% endfor %}}"
    with pytest.raises(ConfigError, match="steps"):
        render(source, load)
