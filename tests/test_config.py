"""Configurations: one vocabulary, and errors for keys outside it."""

from __future__ import annotations

from typing import Any

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture.families import all_families, all_keys
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.config.keys_of_other_families import affects_no_size, is_known_elsewhere
from sphinx_llmsize.config.symbols import E
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.make_model import load_preset, make_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _

LLAMA = "model_type: llama\nhidden_size: 64\nnum_attention_heads: 4"


def written(text: str) -> Model:
    """Model of a directive's body, in which unknown keys are errors."""
    return make_model("model", read_text(text), is_config_json=False)


def saved(text: str) -> Model:
    """Model of a saved configuration, in which unknown keys are ignored."""
    return make_model("model", read_text(text), is_config_json=True)


def refused(text: str) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        written(text)
    return caught.value


def test_names_are_unique_within_a_family_and_known_everywhere() -> None:
    for family in all_families():
        names = [name for key in family.keys for name in key.names if name not in family.names]
        assert len(names) == len(set(names)), family.model_type
    known = {name.partition(".")[0] for family in all_families() for name in family.vocabulary}
    missing = sorted(name for name in known if not is_known_elsewhere(name))
    assert missing == [], "add them to sphinx_llmsize/config/known_keys.txt"
    ignored = sorted(filter(affects_no_size, known))
    assert ignored == [], "add 'size' after them in sphinx_llmsize/config/known_keys.txt"


def test_plain_names_have_one_meaning_in_all_families() -> None:
    meanings = {(key.name, key.meaning, key.symbol) for key in all_keys()}
    assert len(meanings) == len({key.name for key in all_keys()})
    assert all(key.meaning for key in all_keys())


@pytest.mark.parametrize("name", ["hidden_dim", "hidden_size", "n_embd", "d_model", "dim"])
def test_names_of_one_key(name: str) -> None:
    model = load({name: 64, "n_layer": 2, "n_head": 4, "vocab_size": 100})
    assert model.components["token_embedding"] == 6400


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("hiden_size", "hidden_size"),
        ("hidden-dim", "hidden_dim"),
        ("Hidden_Dim", "hidden_dim"),
        ("num_layer", "num_layers"),
        ("num_hiden_layers", "num_hidden_layers"),
        ("intermediate_sise", "intermediate_size"),
        ("vocabsize", "vocab_size"),
    ],
)
@pytest.mark.parametrize("read", [written, saved])
def test_misspelt_keys_have_a_suggestion(read: Any, key: str, meant: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read(f"{LLAMA}\n{key}: 8")
    error = caught.value
    assert (error.problem, error.line) == (Problem.KEY, 3)
    assert str(error) == f"unknown key {key!r} (did you mean {meant!r}?)"


def test_unknown_keys_are_ignored_in_saved_configurations_only() -> None:
    text = f"{LLAMA}\nquantization_config: {{bits: 4}}"
    assert saved(text).total == saved(LLAMA).total
    assert refused(text).message == "unknown key 'quantization_config'"


@pytest.mark.parametrize("key", ["rope_theta: 10000.0", "torch_dtype: float16", "use_cache: true"])
def test_keys_that_change_no_size(key: str) -> None:
    assert written(f"{LLAMA}\n{key}").total == written(LLAMA).total


def test_a_key_by_two_names() -> None:
    text = f"{LLAMA}\nhidden_dim: "
    error = refused(text + "64")
    assert (error.problem, error.line) == (Problem.KEY, 3)
    assert "hidden_dim and hidden_size are names of the same key" in error.message
    assert saved(text + "64").components == written(LLAMA).components
    with pytest.raises(ConfigError, match="are names of the same key"):
        saved(text + "65")


@pytest.mark.parametrize("key", ["num_key_value_heads", "head_dim", "intermediate_size"])
def test_null_equals_an_absent_key(key: str) -> None:
    assert written(f"{LLAMA}\n{key}: null").components == written(LLAMA).components


@pytest.mark.parametrize("key", ["num_layers", "vocab_size", "tie_embeddings"])
def test_null_for_a_value_that_cannot_be_derived(key: str) -> None:
    error = refused(f"hidden_dim: 64\n{key}: null")
    assert (error.problem, error.line) == (Problem.VALUE, 1)
    assert "not empty" in str(error)


def test_missing_keys_are_named() -> None:
    error = refused("# my model\n\nhidden_dim: 64\nnum_heads: 4")
    assert (error.problem, error.line) == (Problem.MISSING, 2)
    assert error.message == "missing num_layers, vocab_size"


def test_all_problems_are_counted() -> None:
    error = refused("hiden_dim: 64\nnum_layers: 0\nfoo: 1")
    assert error.line == 0
    assert "and 2 more problems below" in str(error)


@pytest.mark.parametrize(
    ("model_type", "hint"),
    [
        ("lama", "did you mean 'llama'?"),
        ("gpt-2", "did you mean 'gpt2'?"),
        ("Llama", "did you mean 'llama'?"),
        ("qwen3_tiny_text", "names of this line: qwen3, "),
        ("exaone9", "names of this line: exaone, exaone4, exaone4_5, exaone_moe"),
        ("wav2vec2", "supported text encoders: bert"),
        ("qqq", "the documentation lists the families"),
        *((value, "such as llama") for value in ("3", "[llama]", '""', "null")),
    ],
)
def test_families_that_are_not_supported(model_type: str, hint: str) -> None:
    error = refused(f"hidden_dim: 64\nmodel_type: {model_type}")
    assert (error.problem, error.line) == (Problem.VALUE, 1)
    assert hint in error.hint


def test_architectures_that_are_not_supported() -> None:
    with pytest.raises(ConfigError, match="Wav2Vec2ForCTC") as caught:
        saved("hidden_size: 64\narchitectures: [Wav2Vec2ForCTC]")
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model_type: gpt2\nnum_kv_heads: 4", "num_kv_heads is not a key of model_type gpt2"),
        ("model_type: gpt2\nmultiple_of: 256", "multiple_of is not a key of model_type gpt2"),
        ("hidden_dim: 64\nmlp_bias: true", "mlp_bias is not a key of a model without"),
    ],
)
def test_keys_of_other_families(text: str, message: str) -> None:
    error = refused(text)
    assert (error.problem, error.line) == (Problem.KEY, 1)
    assert message in error.message


@pytest.mark.parametrize(
    ("key", "value"), [("max_position_embeddings", 4096), ("hidden_act", "silu")]
)
def test_usual_keys_without_effect_are_keys_of_every_family(key: str, value: object) -> None:
    for family in all_families():
        if key not in family.vocabulary:
            skipped = family.read(read_text(f"{key}: {value}")).skipped_sizes
            assert not skipped, family.model_type


@pytest.mark.parametrize(
    "text",
    [
        "model_type: deepseek_v3\nnum_key_value_heads: 128",
        "model_type: qwen3\nattention_out_bias: false",
        "model_type: nemotron_h\nn_shared_experts: 1",
        "model_type: nemotron_h\nsliding_window: null",
        "model_type: gpt2\nnum_key_value_heads: 12",
    ],
)
def test_keys_of_other_families_that_agree_with_the_architecture(text: str) -> None:
    assert written(text).total == written(text.partition("\n")[0]).total


@pytest.mark.parametrize(
    "entry", ["hidden_act: swiglu", "qkv_bias: false", "sliding_window: 64", "num_experts: 8"]
)
def test_keys_of_other_families_that_contradict_the_architecture(entry: str) -> None:
    error = refused(f"model_type: gpt2\n{entry}")
    assert (error.problem, error.line) == (Problem.KEY, 1)
    assert "is not a key of model_type gpt2" in error.message


def test_config_json_may_have_keys_of_other_families() -> None:
    text = "model_type: gpt2\nattention_bias: true"
    assert saved(text).total == load("gpt2").total


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("hidden_dim: 100\nnum_heads: 3\n", 1, "3 heads do not divide hidden_dim 100"),
        ("n_head: 3\nn_embd: 100\n", 0, "3 heads do not divide n_embd 100"),
        ("hidden_dim: 64\nnum_heads: 4\nnum_kv_heads: 3", 2, "3 key/value heads do not divide 4"),
        ("hidden_dim: 64\nnum_heads: 4\nnum_kv_heads: 8", 2, "8 key/value heads do not divide 4"),
        ("hidden_dim: 64\nnum_heads: 1\nnum_kv_heads: 8", 2, "do not divide a single head"),
        ("hidden_dim: 64\nnum_heads: 128", 1, "128 heads do not divide hidden_dim 64"),
    ],
)
@pytest.mark.parametrize("rest", ["\nnum_layers: 2\nvocab_size: 100", "\nmodel_type: llama"])
def test_heads_divide(text: str, rest: str, line: int, message: str) -> None:
    error = refused(text + rest)
    assert (error.problem, error.line) == (Problem.SHAPE, line)
    assert message in error.message


def test_heads_need_not_divide_if_head_dim_is_set() -> None:
    model = written("model_type: llama\nhidden_dim: 100\nnum_heads: 3\nhead_dim: 32\nnum_layers: 1")
    assert model.components["attn_q"] == 100 * 96


@pytest.mark.parametrize(
    "value", [0, -1, 1.5, 64.0, True, "64", None, 10**16, 10**4000, b"64", [64], {64}, {"a": 64}]
)
def test_values_from_python_are_checked_as_well(value: object) -> None:
    with pytest.raises(ConfigError, match=r"hidden_dim (must be a whole number|cannot )") as caught:
        load({"hidden_dim": value})
    assert (caught.value.problem, caught.value.line) == (Problem.VALUE, None)


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("num_layer: 3", Problem.KEY, 0),
        ("num_layers: 0", Problem.VALUE, 0),
        ("num_layers: 3\nnum_heads: 5", Problem.SHAPE, 1),
        ("num_layers: 3\nmodel_type: gpt2", Problem.VALUE, 1),
        ("num_layers: 3\nrelease: 4", Problem.KEY, 1),
    ],
)
def test_changes_to_a_preset_are_checked(text: str, problem: Problem, line: int) -> None:
    with pytest.raises(ConfigError) as caught:
        apply_changes(load_preset("llama-7b"), read_text(text))
    assert (caught.value.problem, caught.value.line) == (problem, line)


@pytest.mark.parametrize("key", ["multiple_of: 128", "ffn_dim_multiplier: 1.3"])
def test_a_width_cannot_be_both_set_and_derived(key: str) -> None:
    error = refused(f"{LLAMA}\nintermediate_size: 100\n{key}")
    assert (error.problem, error.line) == (Problem.SHAPE, 4)
    assert "intermediate_size: null" in error.hint


def test_null_removes_a_preset_value() -> None:
    model = load("llama-3-8b", {"num_kv_heads": None})
    assert model.components["attn_k"] == model.components["attn_q"]


def test_gpt2_with_cross_attention_is_counted_with_it() -> None:
    gpt2, width = load("gpt2"), 768
    crossed = load({"model_type": "gpt2", "add_cross_attention": True})
    assert crossed.total - gpt2.total == 12 * (4 * (width + 1) * width + 2 * width)
    assert load({"model_type": "gpt2", "add_cross_attention": False}).total == gpt2.total


def test_multi_query_and_cross_attention_are_incompatible() -> None:
    with pytest.raises(ConfigError, match="do not go together") as caught:
        load({"model_type": "gpt_bigcode", "add_cross_attention": True})
    assert caught.value.problem is Problem.VALUE


def test_experts_per_token_are_at_most_all_experts() -> None:
    model = load({"model_type": "mixtral", "num_experts": 1})
    assert model.active == model.total
    error = refused("model_type: mixtral\nnum_experts: 4\nnum_experts_per_tok: 5")
    assert (error.problem, error.line) == (Problem.SHAPE, 2)
    assert error.message == "a token cannot use 5 of 4 experts"
    error = refused("model_type: mixtral\nnum_experts: 1\nnum_experts_per_tok: 5")
    assert error.message == "a token cannot use 5 experts: there is only one"


@pytest.mark.parametrize("key", ["hidden_size", "num_hidden_layers", "vocab_size"])
def test_null_in_a_file_for_a_required_key(key: str) -> None:
    with pytest.raises(ConfigError, match=f"{key} must be a whole number"):
        saved(f"model_type: llama\n{key}: null")


def test_a_number_that_overflows_a_float() -> None:
    assert "not a very large number" in str(refused("hidden_dim: 1e400"))


def test_a_size_that_is_null_is_missing() -> None:
    error = refused("model_type: mixtral\nnum_experts: null")
    assert (error.problem, error.line) == (Problem.MISSING, 0)
    assert error.message == "num_experts has no value"


def test_the_text_decoder_of_a_multimodal_model() -> None:
    text = {"num_hidden_layers": 2, "hidden_size": 64, "vocab_size": 100}
    alone = load({"model_type": "gemma3_text", **text})
    within = load({"model_type": "gemma3", "text_config": text, "vision_config": {"depth": 3}})
    assert within.total == alone.total
    dismissed = (
        "Text decoder only. Not counted: vision tower (vision_config), and the layers between them "
        "and the decoder."
    )
    assert within.notes == (dismissed,)
    assert alone.notes == ()


def test_nested_keys_are_read_if_the_family_has_them() -> None:
    wide = load({"model_type": "dbrx", "n_layers": 1, "ffn_config": {"moe_num_experts": 4}})
    assert dict(wide.architecture.configured)[E] == 4
    error = refused("model_type: dbrx\nffn_config:\n  moe_num_expert: 4")
    assert (error.problem, error.line) == (Problem.KEY, 2)


def test_reserved_rows_of_position_tables_are_named() -> None:
    """Counted from the table's shape, P + 2; or stated by the family, whose P includes them."""
    (note,) = load("opt-125m").notes
    assert _(note) == (
        "Of the 2,050 rows of the position embedding, 2,048 are for positions, and 2 are reserved "
        "for padding."
    )
    (note,) = load("roberta-base").notes
    assert _(note).startswith("The first rows of the position embedding, up to that of the padding")
    assert load("gpt2").notes == ()
