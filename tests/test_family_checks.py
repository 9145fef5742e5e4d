"""Contradictory values in the configuration of a family: one example for each check."""

from __future__ import annotations

import pytest

from sphinx_llmsize import ConfigError, load

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
HEADS = {"head_dim": 512, "num_key_value_heads": 2}

REFUSED: tuple[tuple[dict[str, object], str], ...] = (
    (
        {"model_type": "convbert", "hidden_size": 66, "num_attention_heads": 8},
        "66 is not divisible by twice the 4 heads",
    ),
    ({"model_type": "convbert", "add_cross_attention": True}, "add_cross_attention are not"),
    ({"model_type": "deepseek_v4", "layer_types": ["full"] * 80}, "a known kind for each"),
    ({"model_type": "deepseek_v4", "compress_ratios": [0, 4]}, "a known kind for each"),
    ({"model_type": "dots1", "n_routed_experts": None}, "missing num_experts"),
    ({**DOTS3, "moe_layer_freq": 0}, "must be at least 1, or a list"),
    ({**DOTS3, "moe_layer_freq": [1, 1]}, "must be at least 1, or a list"),
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
    (
        {"model_type": "jamba", "attn_layer_period": 4, "attn_layer_offset": 4},
        "attn_layer_offset 4 is not below attn_layer_period 4",
    ),
    (
        {"model_type": "jetmoe", "num_key_value_heads": 16, "num_attention_heads": 16},
        "16 heads, but 16 key/value heads for each of 2 experts",
    ),
    ({"model_type": "kimi_linear", "full_layers": [1, 99]}, "there is no layer 99"),
    (
        {"model_type": "longcat_flash", "num_layers": 4, "num_attention_layers": 10},
        "4 layers have 8 attentions, not 10",
    ),
    ({"model_type": "longcat_flash", "qk_head_dim": 7}, "qk_head_dim is not"),
    (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "MX"},
        "has 'X'",
    ),
    (
        {"model_type": "mobilebert", "intra_bottleneck_size": 30},
        "4 heads do not divide intra_bottleneck_size 30",
    ),
    ({"model_type": "mobilebert", "use_bottleneck": False, "hidden_size": 130}, "hidden_size 130"),
    ({"model_type": "mobilebert", "embedding_size": 513}, "513 is larger than hidden_dim 512"),
    ({"model_type": "nemotron_h", "hybrid_override_pattern": ""}, "no layers"),
    ({"model_type": "new", "layer_norm_type": "batch"}, "'batch' is not supported"),
    (
        {"model_type": "nemotron_h", "hybrid_override_pattern": "M*", "num_hidden_layers": 3},
        "num_hidden_layers is 3, but hybrid_override_pattern has 2 layers",
    ),
    (
        {"model_type": "olmo_hybrid", "layer_types": ["full_attention"] * 32},
        "not of one kind only",
    ),
    ({"model_type": "olmo_hybrid", "num_hidden_layers": 1}, "not of one kind only"),
    ({"model_type": "qwen4_exp_text", "index_n_heads": None}, "missing"),
    ({"model_type": "recurrent_gemma", "block_types": []}, "block_types is empty"),
    (
        {"model_type": "recurrent_gemma", "ffn_dim": 10, "gate_and_up_dim": 40},
        "ffn_dim is 10, but gate_and_up_dim 40",
    ),
    ({"model_type": "reformer", "num_hidden_layers": 99}, "entries for 99 layers"),
    (
        {"model_type": "reformer", "axial_pos_shape": [64], "axial_pos_embds_dim": [64, 192]},
        "do not fit hidden_dim 256",
    ),
    (
        {"model_type": "reformer", "axial_pos_shape": [64, 64], "axial_pos_embds_dim": [64, 64]},
        "do not fit hidden_dim 256",
    ),
    ({"model_type": "xlm", "asm": True}, "an adaptive softmax is not supported"),
    ({"model_type": "xlstm", "num_heads": 7}, "7 heads do not divide query_factor"),
    ({"model_type": "zamba", "num_hidden_layers": 2}, "has 3 layers or more, not 2"),
    ({"model_type": "zamba2", "num_hidden_layers": 10}, "has 54 layers, not 10"),
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
    ({**DOTS3, "swa_head_dim": 100}, "sliding heads of 100 numbers"),
    ({**DOTS3, "swa_head_dim": 256, "swa_qk_rope_head_dim": 1}, "sliding heads of 256 numbers"),
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
        {**WINDOWS, "layer_types": None, "num_hidden_layers": 4096, "per_layer_config": {}},
        "sliding layers the same sizes",
    ),
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


def test_a_wrong_letter_gets_a_list_of_the_letters() -> None:
    with pytest.raises(ConfigError) as caught:
        load({"model_type": "nemotron_h", "hybrid_override_pattern": "MX"})
    assert caught.value.hint == "its letters are M (Mamba-2), * (attention), E (MoE), - (FFN)"


def test_the_width_of_state_space_heads_may_have_a_key_of_its_own() -> None:
    sizes = {"mamba_n_heads": 10, "mamba_d_head": 64}
    with pytest.raises(ConfigError) as caught:
        load({"model_type": "falcon_h1", "mamba_d_ssm": 1024, **sizes})
    assert caught.value.hint == "mamba_d_head × mamba_n_heads must be mamba_d_ssm"
