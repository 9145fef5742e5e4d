"""Contradictory values in the configuration of a family: one example for each check."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from families import DEFAULTS

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families import MODEL_TYPES, family_named
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import Key, ValueKind
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.views import VIEWS

STEP_LAYERS = {"layer_types": ["sliding_attention", "full_attention"]}
STEP = {"model_type": "step3p5", "num_hidden_layers": 2}
PHI = {"model_type": "mixformer-sequential"}
DECI = {"model_type": "deci", "num_hidden_layers": 2, "num_attention_heads": 6, "hidden_size": 48}
OPENELM = {"model_type": "openelm", "num_transformer_layers": 3}

GEMMA4 = {"model_type": "gemma4_text", "num_hidden_layers": 12}
"""Twelve layers, of which the layers with index 5 and 11 have full attention."""
DOTS3 = {"model_type": "dots3_note", "num_hidden_layers": 8}
WINDOWS = {
    **DOTS3,
    "num_hidden_layers": 3,
    "layer_types": ["sliding_attention"] * 2 + ["full_attention"],
}
SLIDING = {"kv_lora_rank": 256}
QWEN4 = {"model_type": "qwen4_exp_text", "index_n_heads": 4, "index_head_dim": 64}
MISTRAL_LARGE4 = {"model_type": "mistral_large4_text", "num_hidden_layers": 3}
HEADS = {"head_dim": 512, "num_key_value_heads": 2}

REFUSED: tuple[tuple[dict[str, object], str], ...] = (
    (
        {"model_type": "convbert", "hidden_size": 66, "num_attention_heads": 8},
        "twice the 4 heads do not divide",
    ),
    ({"model_type": "funnel", "block_sizes": [4, 0]}, "needs 1 to 20 blocks"),
    ({"model_type": "funnel", "block_repeats": [1, 2]}, "has 2 entries for 3 blocks"),
    ({"model_type": "funnel", "block_repeats": [1, 0, 1]}, "block_repeats needs numbers of at"),
    ({"model_type": "laguna", "gating": "per-token"}, "gating 'per-token' is not supported"),
    ({"model_type": "step3p5", "gating": "per-token"}, "gating 'per-token' is not supported"),
    ({"model_type": "funnel", "attention_type": "full"}, "'full' is not supported"),
    ({"model_type": "convbert", "add_cross_attention": True}, "add_cross_attention are not"),
    (
        {"model_type": "mobilebert", "intra_bottleneck_size": 30},
        "4 heads do not divide intra_bottleneck_size 30",
    ),
    ({"model_type": "mobilebert", "use_bottleneck": False, "hidden_size": 130}, "hidden_size 130"),
    ({"model_type": "mobilebert", "embedding_size": 513}, "513 is larger than hidden_dim 512"),
    ({"model_type": "new", "layer_norm_type": "batch"}, "'batch' is not supported"),
    ({"model_type": "deepseek_ocr2_text"}, "missing ffn_layer_types"),
    (
        {"model_type": "ernie4_5_vl_moe_text", "moe_intermediate_size": 1536},
        "moe_intermediate_size must be a list of two numbers",
    ),
    ({"model_type": "molmo2_text", "qk_norm_type": "llama"}, "'llama' is not supported"),
    (
        {"model_type": "bailing_moe_v2", "moe_shared_expert_intermediate_size": 8},
        "moe_shared_expert_intermediate_size must be the same as expert_dim",
    ),
    ({"model_type": "minicpmv", "version": 3.0}, "version is none of 2.0, 2.5, 2.6"),
    (DECI, "missing num_kv_heads_of_layers"),
    ({**DECI, "num_key_value_heads_per_layer": [2]}, "has 1 entries for 2 layers"),
    ({**DECI, "num_key_value_heads_per_layer": [2, 4]}, "4 key/value heads do not divide 6"),
    ({**DECI, "num_key_value_heads_per_layer": [0, 2]}, "0 key/value heads do not divide 6"),
    ({**DECI, "num_key_value_heads_per_layer": 5}, "5 key/value heads do not divide 6"),
    ({**PHI, "architecture": {"block_cls": "sequential"}}, "block_cls is not as in"),
    ({**PHI, "architecture": {"mixer": {"head_dim": 8}}}, "mixer is not as in"),
    ({**PHI, "architecture": {"mlp": {"n_inner": 8}}}, "mlp.n_inner is not as in"),
    ({**OPENELM, "ffn_multipliers": [1, 2, 3, 4]}, "ffn_multipliers has 4 entries for 3 layers"),
    ({**OPENELM, "qkv_multipliers": [1, 1, 1]}, "qkv_multipliers has 3 entries for 3 layers"),
    ({**OPENELM, "num_query_heads": [16, 16, 8]}, "num_query_heads does not follow from"),
    ({**OPENELM, "num_kv_heads": [16] * 4}, "num_kv_heads does not follow from"),
    ({**OPENELM, "num_query_heads": [16]}, "num_query_heads does not follow from"),
    ({**OPENELM, "num_kv_heads": 15}, "num_kv_heads does not follow from"),
    ({**OPENELM, "head_dim": None}, "head_dim has no value"),
    ({**STEP, "layer_types": ["full_attention"]}, "layer_types has 1 entries for 2 layers"),
    ({**STEP, **STEP_LAYERS, "num_nextn_predict_layers": 1, "mlp_layer_types": ["dense"] * 4}, "4"),
    (
        {**STEP, "attention_other_setting": {"num_attention_groups": 4}},
        "num_attention_groups must be the same as num_kv_heads",
    ),
    (
        {**STEP, **STEP_LAYERS, "per_layer_config": {"1": {"num_attention_heads": 8}}},
        "does not give each sliding layer",
    ),
    (
        {"model_type": "apertus1p5_text", "vocab_size": 100, "output_vocab_size": 101},
        "output_vocab_size is 101, but vocab_size is 100",
    ),
    ({"model_type": "lara_mini", "linear_num_value_heads": 12}, "12, which is not a multiple of"),
    ({"model_type": "dbrx", "hidden_size": 1024}, "hidden_size is 1,024, but DBRX"),
    ({"model_type": "dbrx", "num_key_value_heads": 4}, "num_key_value_heads is 4, but DBRX"),
    ({"model_type": "chatglm", "pre_seq_len": 128}, "a trained prefix (pre_seq_len)"),
    ({"model_type": "deepseek_v4", "layer_types": ["full"] * 80}, "a known kind for each"),
    ({"model_type": "deepseek_v4", "compress_ratios": [0, 4]}, "a known kind for each"),
    ({"model_type": "dots1", "n_routed_experts": None}, "missing num_experts"),
    ({**DOTS3, "moe_layer_freq": 0}, "is neither an interval nor a list for"),
    ({**DOTS3, "moe_layer_freq": [1, 1]}, "is neither an interval nor a list for"),
    (
        {"model_type": "gemma3n_text", "num_hidden_layers": 4, "num_kv_shared_layers": 4},
        "num_kv_shared_layers is 4 of 4 layers",
    ),
    ({"model_type": "gemma4_text", "enable_moe_block": True}, "missing num_experts"),
    (
        {"model_type": "glm_moe_dsa", "num_hidden_layers": 3, "index_topk_pattern": "FS"},
        "an F or S for each of 3 layers",
    ),
    (
        {"model_type": "glm_moe_dsa", "num_hidden_layers": 3, "index_topk_pattern": "FSX"},
        "an F or S for each of 3 layers",
    ),
    ({**MISTRAL_LARGE4, "kv_source_layers": [0, 0]}, "kv_source_layers has 2 entries for 3 layers"),
    ({**MISTRAL_LARGE4, "kv_source_layers": [0, 2, 2]}, "has 2 for layer 1, counted from 0"),
    ({**MISTRAL_LARGE4, "kv_source_layers": [0, 0, 1]}, "has 1 for layer 2, counted from 0"),
    ({**MISTRAL_LARGE4, "kv_source_layers": [0, 3, 2]}, "has 3 for layer 1, counted from 0"),
    ({**MISTRAL_LARGE4, "indexer_types": ["full", "full", "none"]}, "unknown entry 'none'"),
    ({"model_type": "internlm", "num_key_value_heads": 8}, "8 key/value heads for 32 heads"),
    (
        {"model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 4},
        "attn_layer_offset 4 is not below attn_layer_period 4",
    ),
    (
        {"model_type": "jetmoe", "num_key_value_heads": 16, "num_attention_heads": 16},
        "16 heads, but 16 key/value heads for each of 2 experts",
    ),
    ({"model_type": "glm5_next_text", "qk_rope_head_dim": 64}, "qk_rope_head_dim must be 0"),
    ({"model_type": "glm5_next_text", "first_k_dense_replace": 2}, "first_k_dense_replace 2 is"),
    (
        {"model_type": "glm5_next_text", "indexed_attention_layers": [4, 8]},
        "the default of layer_types",
    ),
    (
        {
            "model_type": "glm5_next_text",
            "num_hidden_layers": 2,
            "layer_types": ["linear_attention", "full_attention"],
            "delta_attention_layers": [1],
        },
        "delta_attention_layers lists other layers than layer_types",
    ),
    ({"model_type": "kimi_linear", "full_layers": [1, 99]}, "there is no layer 99"),
    ({"model_type": "kimi_linear", "full_layers": 98}, "there is no layer 98"),
    (
        {"model_type": "longcat_flash", "num_layers": 4, "num_attention_layers": 10},
        "4 layers have 8 attentions, not 10",
    ),
    (
        {
            "model_type": "lfm2",
            "num_hidden_layers": 2,
            "layer_types": ["conv", "sliding_attention"],
        },
        "the unknown entry 'sliding_attention'",
    ),
    ({"model_type": "longt5", "encoder_attention_type": "global"}, "'global' is not supported"),
    ({"model_type": "xlstm", "weight_mode": "joint"}, "weight_mode 'joint' is not supported"),
    ({"model_type": "eurobert", "classifier_pooling": "max"}, "'max' is not supported"),
    ({"model_type": "longcat_flash", "qk_head_dim": 7}, "qk_head_dim is not"),
    ({"model_type": "minicpm", "ffn_type": "block_linear"}, "ffn_type 'block_linear' is not"),
    (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "MX"},
        "has the unknown letter 'X'",
    ),
    ({"model_type": "nemotron_h", "hybrid_override_pattern": ""}, "no layers"),
    ({"model_type": "nemotron_h", "n_routed_experts": 0}, "there are layers with experts"),
    ({"model_type": "mixtral", "num_local_experts": 0}, "num_local_experts is 0, but there are"),
    (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "M*", "num_hidden_layers": 3},
        "num_hidden_layers is 3, but hybrid_override_pattern has 2 layers",
    ),
    (
        {"model_type": "olmo_hybrid", "layer_types": ["full_attention"] * 32},
        "not of one kind only",
    ),
    ({"model_type": "olmo_hybrid", "num_hidden_layers": 1}, "not of one kind only"),
    ({"model_type": "olmo_hybrid", "layer_types": ["linear_atention"] * 32}, "'linear_atention'"),
    ({"model_type": "qwen4_exp_text", "index_n_heads": None}, "missing"),
    ({"model_type": "recurrent_gemma", "block_types": []}, "block_types is empty"),
    (
        {"model_type": "recurrent_gemma", "ffn_dim": 10, "gate_and_up_dim": 40},
        "gate_and_up_dim 40 is not twice ffn_dim 10",
    ),
    ({"model_type": "reformer", "num_hidden_layers": 99}, "entries for 99 layers"),
    ({"model_type": "reformer", "attn_layers": []}, "a model without layers"),
    (
        {"model_type": "reformer", "axial_pos_shape": [64], "axial_pos_embds_dim": [64, 192]},
        "do not fit hidden_dim 256",
    ),
    (
        {"model_type": "reformer", "axial_pos_shape": [64, 64], "axial_pos_embds_dim": [64, 64]},
        "do not fit hidden_dim 256",
    ),
    ({"model_type": "xlm", "asm": True}, "models with asm are not supported"),
    ({"model_type": "xlstm", "num_heads": 7}, "7 heads do not divide query_factor"),
    ({"model_type": "cohere", "hidden_size": 32}, "64 heads do not divide hidden_size 32"),
    ({"model_type": "zamba", "num_hidden_layers": 2}, "has 3 layers or more, not 2"),
    ({"model_type": "zamba", "hidden_size": 7}, "16 heads do not divide hidden_size 7"),
    ({"model_type": "zamba2", "num_hidden_layers": 10}, "has 54 layers, not 10"),
    ({"model_type": "zamba2", "hybrid_layer_ids": [6, 12]}, "are not the layers of kind hybrid"),
    ({"model_type": "zamba2", "hybrid_layer_ids": 6}, "hybrid_layer_ids [6] are not the layers"),
    (
        {"model_type": "zamba2", "num_hidden_layers": 2, "layer_types": ["mamba", "hybrid"]},
        "are not the layers of kind hybrid in layer_types",
    ),
    ({"model_type": "zamba2", "tie_word_embeddings": False}, "without tied embeddings"),
    ({"model_type": "bart", "d_model": 64, "encoder_attention_heads": 7}, "7 heads do not divide"),
    ({"model_type": "llama", "vocab_size": 1, **{f"k{i}": 1 for i in range(1000)}}, "1,002 keys"),
    ({"model_type": "longcat_flash", "q_lora_rank": None}, "q_lora_rank must be a number"),
    (
        {"model_type": "bamba", "mamba_n_heads": 128, "mamba_d_head": 3},
        "128 state-space heads of 3 are not the mixer's width",
    ),
    (
        {"model_type": "bamba", "mamba_n_heads": 7, "mamba_d_head": "auto"},
        "7 state-space heads do not divide the mixer's width",
    ),
    (
        {"model_type": "olmoe", "num_attention_heads": 4, "head_dim": 3, "hidden_size": 64},
        "do not fill",
    ),
    ({**GEMMA4, "per_layer_config": {"5": HEADS}}, "the same heads"),
    ({**GEMMA4, "per_layer_config": {"5": HEADS, "11": {"head_dim": 64}}}, "the same heads"),
    ({**GEMMA4, "per_layer_config": {"5": HEADS, "11": HEADS, "4": HEADS}}, "the same heads"),
    ({**GEMMA4, "per_layer_config": {"5": HEADS, "11": HEADS, "17": HEADS}}, "the same heads"),
    ({**GEMMA4, "per_layer_config": {"5": HEADS, "11": HEADS, "all": {}}}, "the same heads"),
    ({**GEMMA4, "per_layer_config": {n: {"head_dim": 0.5} for n in ("5", "11")}}, "the same heads"),
    (
        {**GEMMA4, "per_layer_config": {"5": HEADS, "11": HEADS}, "num_global_kv_heads": 2},
        "num_global_kv_heads and per_layer_config are both given",
    ),
    (
        {**DOTS3, "swa_head_dim": 100},
        "swa_head_dim 100 is not larger than sliding_nope_head_dim 192",
    ),
    (
        {**DOTS3, "swa_head_dim": 256, "swa_qk_rope_head_dim": 1},
        "swa_head_dim 256 is not 192 + 1",
    ),
    ({**WINDOWS, "per_layer_config": {"0": SLIDING}}, "sliding layers the same sizes"),
    (
        {**WINDOWS, "per_layer_config": {"0": SLIDING, "1": {"head_dim": 64}}},
        "sliding layers the same sizes",
    ),
    (
        {**WINDOWS, "per_layer_config": {"0": SLIDING, "2": SLIDING}},
        "sliding layers the same sizes",
    ),
    (
        {**WINDOWS, "per_layer_config": {n: {"kv_lora_rank": 0.5} for n in "01"}},
        "sliding layers the same sizes",
    ),
    (
        {**WINDOWS, "per_layer_config": {n: {**SLIDING, "hidden_size": 8} for n in "01"}},
        "sliding layers the same sizes",
    ),
    (
        {**WINDOWS, "per_layer_config": {"0": SLIDING, "1": SLIDING, "all": {}}},
        "sliding layers the same sizes",
    ),
    (
        {**WINDOWS, "per_layer_config": {"0": SLIDING, "1": SLIDING, "01": SLIDING}},
        "sliding layers the same sizes",
    ),
    (
        {**WINDOWS, "layer_types": None, "num_hidden_layers": 4096, "per_layer_config": {}},
        "sliding layers the same sizes",
    ),
    ({"model_type": "qwen", "intermediate_size": 192, "ffn_dim": 192}, "is not twice ffn_dim 192"),
    ({"model_type": "jais", "position_embedding_type": "rope"}, "'rope' is not supported"),
    ({"model_type": "telechat", "n_inner": 96}, "missing add_bias_linear, use_RMSNorm"),
    ({**QWEN4, "ple_layer_ids": [99]}, "must be numbers from 1 to"),
    ({**QWEN4, "ple_layer_ids": [1], "heads_per_ngram": 7}, "do not divide"),
    (
        {**QWEN4, "ple_layer_ids": [1, 2], "heads_per_ngram": 4096, "ple_embed_dim": 4096 * 64},
        "n-gram tables are more than 4,096",
    ),
)


@pytest.mark.parametrize(("config", "message"), REFUSED, ids=[r[1] for r in REFUSED])
def test_values_that_do_not_fit_each_other(config: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(config)
    assert message in caught.value.message


UNKNOWN_NAMES = (
    ("esm", "position_embedding_type", "relative_key", "choose among absolute, rotary"),
    ("granitemoehybrid", "position_embedding_type", "x", "choose among rope, nope"),
    ("t5", "feed_forward_proj", "gated-gelo", "did you mean 'gated-gelu'?"),
    ("t5", "feed_forward_proj", "prelu", "did you mean 'relu'?"),
    ("apertus", "hidden_act", "xilu", "did you mean 'xielu'?"),
    ("jais", "activation_function", "swigul", "did you mean 'swiglu'?"),
    ("deberta", "pos_att_type", "c2p|p2p", "did you mean 'p2c'?"),
    ("deberta-v2", "norm_rel_ebd", "layernorm", "did you mean 'layer_norm'?"),
)


@pytest.mark.parametrize(("model_type", "key", "name", "hint"), UNKNOWN_NAMES)
def test_unknown_names_are_errors(model_type: str, key: str, name: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({"model_type": model_type, key: name})
    assert caught.value.message == f"{key} {name.rsplit('|', maxsplit=1)[-1]!r} is not supported"
    assert caught.value.hint == hint
    assert caught.value.problem is Problem.VALUE


def test_no_family_accepts_any_name() -> None:
    """Names select weights, so that each family knows its own; any language may be in a list."""
    kinds = {ValueKind.NAME, ValueKind.NAME_OR_NAMES, ValueKind.CHOICE, ValueKind.LETTERS}
    for family in map(family_named, MODEL_TYPES):
        for key in {key for key in family.vocabulary.values() if key.kind in kinds}:
            config = {"model_type": family.model_type, family.name_of(key): "no-such-name"}
            assert refuses(config), config


def refuses(config: dict[str, Any]) -> bool:
    try:
        load(config)
    except ConfigError:
        return True
    return False


def test_a_wrong_letter_gets_a_list_of_the_letters() -> None:
    with pytest.raises(ConfigError) as caught:
        load({"model_type": "nemotron_h", "hybrid_override_pattern": "MX"})
    assert caught.value.hint == "its letters are M (Mamba-2), * (attention), E (MoE), - (FFN)"


def test_the_width_of_state_space_heads_may_have_a_key_of_its_own() -> None:
    sizes = {"mamba_n_heads": 10, "mamba_d_head": 64}
    with pytest.raises(ConfigError) as caught:
        load({"model_type": "falcon_h1", "mamba_d_ssm": 1024, **sizes})
    assert caught.value.hint == "mamba_d_head × mamba_n_heads must be mamba_d_ssm"


V2 = {
    "model_type": "deepseek_v2",
    "num_hidden_layers": 2,
    "first_k_dense_replace": 1,
    "n_routed_experts": 4,
}
ZAMBA2 = {"model_type": "zamba2", "num_hidden_layers": 2, "layers_block_type": ["mamba", "hybrid"]}


@pytest.mark.parametrize(
    ("config", "total"),
    [
        # num_hidden_layers sets the encoder's layers only
        ({"model_type": "t5", "num_hidden_layers": 4}, 54_213_120),
        ({"model_type": "t5", "num_hidden_layers": 4, "num_layers": 5}, 50_017_280),
        ({"model_type": "mt5", "num_hidden_layers": 5, "num_decoder_layers": 3}, 149_302_144),
        # the output of no shared experts has its bias
        (
            {**V2, "first_k_dense_replace": 1, "mlp_bias": True, "n_shared_experts": 0},
            1_121_474_048,
        ),
        (
            {
                "model_type": "ernie4_5_moe",
                "num_hidden_layers": 3,
                "use_bias": True,
                "moe_num_shared_experts": 0,
            },
            1_916_767_360,
        ),
        (ZAMBA2, 341_233_968),
        ({**ZAMBA2, "hybrid_layer_ids": [1]}, 341_233_968),
    ],
)
def test_names_that_change_a_part_only(config: dict[str, object], total: int) -> None:
    """Totals as transformers 5.23 builds these configurations."""
    assert load(config).total == total


def test_a_preset_keeps_its_decoder() -> None:
    half = load("t5-small", {"num_hidden_layers": 3}).architecture.sizes
    assert {str(symbol): half[symbol] for symbol in half}.items() >= {
        "L_enc": 3,
        "L_dec": 6,
    }.items()


def test_own_head_of_t5_is_said() -> None:
    untied = load({"model_type": "t5", "tie_word_embeddings": False})
    assert untied.components["lm_head"]
    assert "transformers 5 ties it" in untied.notes[0]
    encoder = {"architectures": ["T5EncoderModel"], "tie_word_embeddings": False}
    for without_own_head in ({}, encoder):
        notes = load({"model_type": "t5", **without_own_head}).notes
        assert not any("ties" in note for note in notes)


@pytest.mark.parametrize(
    ("attention", "ffn", "message"),
    [
        ({"n_heads_in_group": 3}, {"ffn_mult": 1}, "3 heads in a group do not divide 4 heads"),
        (
            {"n_heads_in_group": None},
            {"ffn_mult": 1},
            "attention of layer 0, counted from 0, has no",
        ),
        (
            {"n_heads_in_group": 2, "window_length": 8},
            {"ffn_mult": 1},
            "window_length in the att",
        ),
        ({"no_op": True}, {"intermediate_size": 8}, "intermediate_size in the ffn of layer 0"),
        ({"no_op": True}, None, "ffn of layer 0, counted from 0, has no"),
    ],
)
def test_blocks_of_nemotron_nas(
    attention: dict[str, object], ffn: dict[str, object] | None, message: str
) -> None:
    config = {"model_type": "nemotron-nas", "num_hidden_layers": 1, "num_attention_heads": 4}
    with pytest.raises(ConfigError, match=message):
        load({**config, "block_configs": [{"attention": attention, "ffn": ffn}]})
    with pytest.raises(ConfigError, match="has 1 entries for 2 layers"):
        load({**config, "num_hidden_layers": 2, "block_configs": [{}]})


@pytest.mark.parametrize("is_last", [True, False])
@pytest.mark.parametrize("others", [0, 2])
def test_emptied_layers_of_nemotron_nas(others: int, *, is_last: bool) -> None:
    emptied = [{"attention": {"no_op": True}, "ffn": {"no_op": True}}] * 2
    kept = [{"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 1}}] * others
    blocks = [*kept, *emptied] if is_last else [*emptied, *kept]
    config = {"model_type": "nemotron-nas", "num_attention_heads": 4, "block_configs": blocks}
    model = load({**config, "num_hidden_layers": len(blocks), "hidden_size": 64})
    for view in VIEWS:
        assert model.show(view).blocks


@pytest.mark.parametrize("key", [k.LAYER_TYPES, k.FFN_LAYER_TYPES, k.INDEXER_TYPES])
def test_unknown_kinds_of_layers_are_refused(key: Key) -> None:
    accepted = []
    for config in DEFAULTS.values():
        if key in family_named(str(config["model_type"])).keys:
            with suppress(ConfigError):
                load({**config, "num_layers": 4, key.name: ["nonsense"] * 4})
                accepted.append(config)
    assert accepted == []


@pytest.mark.parametrize(
    ("model_type", "name"),
    [
        ("llama4_text", "sliding_attention"),
        ("qwen2", "chunked_attention"),
        ("zaya", "sliding_attention"),
        ("inkling_text", "sliding_attention"),
        ("inkling2_text", "full_attention"),
        ("lara_mini", "chunked_attention"),
        ("mimo_v2_flash", "chunked_attention"),
        ("minimax_m3_vl_text", "sliding_attention"),
    ],
)
def test_kinds_of_layers_of_other_families_are_refused(model_type: str, name: str) -> None:
    config = {"model_type": model_type, "num_layers": 2, "layer_types": [name] * 2}
    with pytest.raises(ConfigError, match=f"the unknown entry '{name}'"):
        load(config)


def test_indexers_need_a_query_latent() -> None:
    checked = []
    for config in DEFAULTS.values():
        model_type = str(config["model_type"])
        if {k.Q_LORA_RANK, k.INDEX_HEADS} <= {*family_named(model_type).keys}:
            with pytest.raises(ConfigError, match=r"must be a number in this family|has no value"):
                load({**config, k.Q_LORA_RANK.name: None})
            checked.append(model_type)
    assert "deepseek_v32" in checked
    # without a latent, the indexer would be left out and not be counted
    with pytest.raises(AssertionError, match="an indexer reads the query latent"):
        parts.latent_attention(query_latent=False, index=parts.lightning_indexer())
