"""Configurations that were once counted wrongly, or refused without need."""

from __future__ import annotations

from typing import Any

import pytest

from sphinx_llmsize import ConfigError, load

QWEN2_7B = {
    "hidden_size": 3584,
    "intermediate_size": 18_944,
    "num_hidden_layers": 28,
    "num_attention_heads": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152_064,
}
CODE_LLAMA = {
    **{"dim": 4096, "n_layers": 32, "n_heads": 32, "multiple_of": 256},
    **{"ffn_dim_multiplier": 1.0, "norm_eps": 1e-5, "rope_theta": 1_000_000},
}
"""``params.json`` of the 7B model, without the size of its vocabulary."""
INTERNLM2_VE = {"model_type": "internlm2", "architectures": ["InternLM2VEForCausalLM"]}
VOXTRAL_REALTIME = {
    **{"model_type": "voxtral_realtime_text", "hidden_size": 3072, "intermediate_size": 9216},
    **{"num_hidden_layers": 26, "head_dim": 128, "vocab_size": 131_072},
}
MINICPM_V_2 = {
    **{"model_type": "minicpmv", "hidden_size": 2304, "intermediate_size": 5760},
    **{"num_hidden_layers": 40, "num_attention_heads": 36, "vocab_size": 122_753},
}
MINIMAX_TEXT_01 = {
    **{"model_type": "minimax_text_01", "architectures": ["MiniMaxText01ForCausalLM"]},
    **{"hidden_size": 6144, "intermediate_size": 9216, "head_dim": 128, "vocab_size": 200_064},
    **{"num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8},
    **{"num_local_experts": 32, "num_experts_per_tok": 2, "postnorm": True},
    **{"attn_type_list": [*[0] * 7, 1] * 10, "shared_intermediate_size": 0},
}
EMU3 = {
    "architectures": ["Emu3ForCausalLM"],
    "auto_map": {"AutoModelForCausalLM": "modeling_emu3.Emu3ForCausalLM"},
    "hidden_size": 4096,
    "image_area": 262_144,
    "intermediate_size": 14_336,
    "model_type": "Emu3",
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "vocab_size": 184_622,
}
HUNYUAN_7B = {
    **{"model_type": "hunyuan_v1_dense", "architectures": ["HunYuanDenseV1ForCausalLM"]},
    **{"hidden_size": 4096, "intermediate_size": 14_336, "num_hidden_layers": 32},
    **{"num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128},
    **{"attention_head_dim": 128, "cla_share_factor": 2, "use_cla": False, "use_qk_norm": True},
    **{"tie_word_embeddings": True, "vocab_size": 128_167, "org_vocab_size": 128_167},
}
"""``config.json`` of tencent/Hunyuan-7B-Instruct, without the keys that affect no size."""
MAMBA_130M = {
    **{"model_type": "mamba", "architectures": ["MambaForCausalLM"], "expand": 2, "ssm_cfg": {}},
    **{"d_inner": 1536, "d_model": 768, "hidden_size": 768, "intermediate_size": 1536},
    **{"n_layer": 24, "num_hidden_layers": 24, "pad_vocab_size_multiple": 8, "rms_norm": True},
    **{"time_step_rank": 48, "use_bias": False, "use_conv_bias": True, "vocab_size": 50_280},
}
"""``config.json`` of state-spaces/mamba-130m-hf, without keys that affect no size."""
LING_TINY = {
    **{"model_type": "bailing_hybrid", "architectures": ["BailingMoeV3ForCausalLM"]},
    "auto_map": {
        "AutoConfig": "configuration_bailing_moe_v3.BailingMoeV3Config",
        "AutoModelForCausalLM": "modeling_bailing_moe_v3.BailingMoeV3ForCausalLM",
    },
    **{"hidden_size": 1536, "intermediate_size": 4608, "num_hidden_layers": 24, "head_dim": 128},
    **{"num_attention_heads": 16, "num_key_value_heads": 16, "num_kv_heads_for_linear_attn": 0},
    **{"q_lora_rank": 256, "kv_lora_rank": 512, "qk_head_dim": 192, "qk_nope_head_dim": 128},
    **{"qk_rope_head_dim": 64, "v_head_dim": 128, "layer_group_size": 4, "group_norm_size": 1},
    **{"first_k_dense_replace": 1, "num_experts": 128, "num_experts_per_tok": 8},
    **{"num_shared_experts": 1, "moe_intermediate_size": 512, "short_conv_kernel_size": 4},
    **{"moe_shared_expert_intermediate_size": 512, "moe_router_enable_expert_bias": True},
    **{"gated_attention_proj_granularity_type": "head_wise", "no_kda_lora": True},
    **{"use_bias": False, "use_qkv_bias": False, "use_qk_norm": True, "vocab_size": 157_184},
}
"""``config.json`` of inclusionAI/Ling-3.0-tiny, without keys that affect no size."""
LABELS = {"id2label": {"0": "bad", "1": "good"}, "num_labels": 3}
MODERNBERT = {"model_type": "modernbert", "classifier_pooling": "mean", "classifier_bias": False}


@pytest.mark.parametrize(
    ("config", "total"),
    [
        # the original LLaVA-OneVision names its text decoder by the class alone
        (
            {"model_type": "llava", "architectures": ["LlavaQwenForCausalLM"], **QWEN2_7B},
            7_615_616_512,
        ),
        ({**MODERNBERT, "classifier_activation": "gelu"}, 149_014_272),
        ({"model_type": "bart", "_num_labels": 3}, 406_291_456),
        (HUNYUAN_7B, 7_504_568_320),
        (
            {
                "model_type": "bart",
                "architectures": ["BartForSequenceClassification"],
                "encoder_layers": 1,
                "decoder_layers": 1,
            },
            84_022_275,  # BART has three labels by default
        ),
        (EMU3, 8_492_011_520),  # 8B
        (MINIMAX_TEXT_01, 456_089_655_296),
        ({**MINIMAX_TEXT_01, "model_type": "minimax_m1", "architectures": None}, 456_089_655_296),
        ({**MINIMAX_TEXT_01, "shared_intermediate_size": [0]}, 456_089_655_296),
        # MiniMax-M2's file has the key too
        ({"model_type": "minimax_m2", "attn_type_list": [1] * 62}, 228_689_748_992),
        (MAMBA_130M, 129_135_360),
        (LING_TINY, 7_893_389_856),  # 7.9B
        ({"model_type": "llama", **LABELS}, 6_738_415_616),
        (VOXTRAL_REALTIME, 3_434_118_144),
        ({**VOXTRAL_REALTIME, "architectures": ["VoxtralRealtimeTextModel"]}, 3_434_118_144),
        # 2.7B like MiniCPM-2B; the vision tower is a name
        ({**MINICPM_V_2, "vision_encoder": "vit_so400m_patch14_siglip_384.webli"}, 2_724_880_896),
        ({**MINICPM_V_2, "version": "2.5"}, 2_724_880_896 + 122_753 * 2304),
        ({"model_type": "mamba", "expand": 2, "hidden_size": 768, "d_inner": 1536}, 129_135_360),
    ],
)
def test_total(config: dict[str, Any], total: int) -> None:
    if config["model_type"] == "mamba":
        config = {**config, "num_hidden_layers": 24, "vocab_size": 50_280}
    assert load(config).total == total


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"model_type": "llava", "architectures": ["LlavaGemmaForCausalLM"], **QWEN2_7B}, "Gemma"),
        (
            {
                "model_type": "internvl_chat",
                "llm_config": {
                    "model_type": "internlm2",
                    "architectures": ["InternLM2VEForCausalLM"],
                },
            },
            "InternLM2VEForCausalLM is not a class of internlm2",
        ),
        (
            {
                "model_type": "gemma3",
                "auto_map": {"AutoModel": "modeling_x.MyGemma3Thing"},
                "text_config": {"num_hidden_layers": 2},
            },
            "class 'MyGemma3Thing' of gemma3 is not supported",
        ),
        ({"model_type": "llava_llama", "hidden_size": 64, "llm_cfg": {}}, "sizes in text_config"),
        ({"model_type": "esm", "add_bias_fnn": True}, "add_bias_fnn is not a key"),
        ({"model_type": "switch_transformers", "tie_word_embeddings": False}, "is not supported"),
        ({"model_type": "t5", "is_decoder": True}, "is_decoder are not supported"),
        ({"model_type": "mobilebert", "true_hidden_size": 96}, "true_hidden_size must be 128"),
        (
            {
                "model_type": "zamba2",
                "num_hidden_layers": 4,
                "layers_block_type": ["mamba", "hybrid"] * 2,
                "hybrid_layer_ids": [1, 3, 1],
            },
            "are not the layers of kind hybrid",
        ),
        (
            {
                "model_type": "xlnet",
                "architectures": ["XLNetForSequenceClassification"],
                "summary_use_proj": False,
            },
            "summary_use_proj are not supported",
        ),
        ({**MINICPM_V_2, "version": "2.7"}, "version is none of 2.0, 2.5"),
        ({**MINICPM_V_2, "version": "two"}, "version must be a number > 0, also as text"),
        ({**MINIMAX_TEXT_01, "shared_intermediate_size": 4096}, "is not a key of model_type mini"),
        ({**MINIMAX_TEXT_01, "attn_type_list": [0, 1]}, "attn_type_list has 2 entries for 80"),
        ({**MINIMAX_TEXT_01, "shared_intermediate_size": [4096]}, "is not a key of model_type"),
        ({**MAMBA_130M, "vocab_size": 50_277}, "pad_vocab_size_multiple is not a key of"),
        (
            {"model_type": "llama", "architectures": ["LlamaForTokenClassification"], **LABELS},
            "num_labels is 3, but id2label has 2 entries",
        ),
        (
            {"model_type": "llama", "architectures": None, "intermediate_size": None},
            "intermediate_size is null (give its value, or multiple_of to derive it)",
        ),
        ({**LING_TINY, "group_norm_size": 8}, "Ling 2.6 is not supported"),
        ({**LING_TINY, "layer_group_size": 5}, "layer_group_size 5 does not divide 24 layers"),
        ({**LING_TINY, "pregate_shallow_hidden": 1024}, "unknown key 'pregate_shallow_hidden'"),
        ({**LING_TINY, "gated_attention_proj_granularity_type": "element_wise"}, "not supported"),
        ({**LING_TINY, "architectures": None}, "only BailingMoeV3ForCausalLM has q_lora_rank"),
        (
            {"model_type": "bailing_hybrid", "architectures": ["BailingMoeV2_5ForCausalLM"]},
            "BailingMoeV2_5ForCausalLM is not a class of bailing_hybrid",
        ),
        (CODE_LLAMA, "32016 or 32000 for Code Llama"),
    ],
)
def test_refused(config: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(config)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["LlamaForCausalLMEagle3", "MedusaModel", "LlamaRewardModel", "OLMoForCausalLM", "LlavaForX"],
)
def test_classes_with_code_of_their_own_are_no_misspellings(name: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({"architectures": [name]})
    assert "did you mean" not in caught.value.hint


def test_low_rank_gates_of_ling() -> None:
    width, rank = 16 * 128, 128
    saved = 2 * (1536 * width - (1536 + width) * rank)
    low_rank = load({**LING_TINY, "no_kda_lora": False})
    assert load(LING_TINY).total - low_rank.total == 18 * saved
