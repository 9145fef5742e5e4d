"""Files of variants with own code, of adapters, in other formats, and with weights."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.cli import main
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.make_model import make_model
from sphinx_llmsize.sources.text import read_text


def auto_map(*names: str, module: str) -> dict[str, object]:
    """A configuration's class, a decoder's and a bare model's, of modules with a common name."""
    keys = {"AutoConfig": "configuration", "AutoModelForCausalLM": "modeling", "AutoModel": ""}
    # the bare model may be missing
    pairs = zip(keys.items(), names)  # noqa: B905
    return {"auto_map": {key: f"{kind or 'modeling'}_{module}.{n}" for (key, kind), n in pairs}}


# bigcode/santacoder; the total is that of its safetensors file
SANTACODER = {
    "model_type": "gpt2",
    "architectures": ["GPT2LMHeadCustomModel"],
    "attention_head_type": "multiquery",
    "n_embd": 2048,
    "n_head": 16,
    "n_inner": 8192,
    "n_layer": 24,
    "n_positions": 2048,
    "vocab_size": 49_280,
    **auto_map("GPT2CustomConfig", "GPT2LMHeadCustomModel", module="gpt2_mq"),
}


def test_santacoder_has_one_key_value_head() -> None:
    model = load(SANTACODER)
    assert model.total == 1_124_886_528
    assert model.cache_elements(1) == 24 * 2 * 128
    with pytest.raises(ConfigError, match="attention_head_type 'other' is not supported"):
        load({**SANTACODER, "attention_head_type": "other"})
    with pytest.raises(ConfigError, match="add_cross_attention and multi-query attention"):
        load({**SANTACODER, "add_cross_attention": True})


VARIANTS: dict[str, dict[str, Any]] = {
    "block_configs": {"model_type": "llama", "block_configs": [{"attention": {}}]},
    "num_experts": {"model_type": "llama", "num_experts": 8},
    "num_local_experts": {"model_type": "mistral", "num_local_experts": 8},
    "n_shared_experts": {"model_type": "mixtral", "n_shared_experts": 2},
    "qkv_bias": {"model_type": "llama", "qkv_bias": True},
    "lm_head_bias": {"model_type": "llama", "lm_head_bias": True},
    "bias": {"model_type": "llama", "bias": True},
    "use_qk_norm": {"model_type": "llama", "use_qk_norm": True},
    "kv_lora_rank": {"model_type": "llama", "kv_lora_rank": 512},
    "layer_types": {"model_type": "llama", "layer_types": ["linear_attention"] * 32},
    "draft_vocab_size": {"model_type": "llama", "draft_vocab_size": 32_000},
    "weight_bits": {"model_type": "llama", "weight_bits": 2},
    "multi_query": {"model_type": "gpt2", "multi_query": True},
    "num_key_value_heads": {"model_type": "gpt2", "num_key_value_heads": 4},
    "head_dim": {"model_type": "gpt_neox", "head_dim": 128},
    "position_embedding_type": {"model_type": "bert", "position_embedding_type": "relative_key"},
    "pruned_heads": {"model_type": "bert", "pruned_heads": {"0": [1]}},
    "alibi_starting_size": {"model_type": "bert", "alibi_starting_size": 512},
    "attn_config.attn_type": {
        "model_type": "mpt",
        "attn_config": {"attn_type": "grouped_query_attention"},
    },
    "attn_config.kv_n_heads": {"model_type": "mpt", "attn_config": {"kv_n_heads": 8}},
    "ffn_config.ffn_type": {"model_type": "mpt", "ffn_config": {"ffn_type": "mptglu"}},
    "no_bias": {"model_type": "mpt", "no_bias": False},
    "expansion_ratio": {"model_type": "mpt", "expansion_ratio": 2},
    "attention_out_bias": {"model_type": "qwen2", "attention_out_bias": True},
    "use_bias": {"model_type": "qwen2", "use_bias": True},
    "rms_norm": {"model_type": "bert", "rms_norm": True},
    "drop_mlp_list": {"model_type": "mistral", "drop_mlp_list": [25, 26]},
    # Nucleotide Transformer v2 has gated FFNs without biases
    "add_bias_fnn": {"model_type": "esm", "add_bias_fnn": False},
}


@pytest.mark.parametrize("key", VARIANTS)
def test_keys_of_other_architectures_are_refused(key: str) -> None:
    config = VARIANTS[key]
    with pytest.raises(ConfigError) as caught:
        load(config)
    message = f"{key} is not a key of model_type {config['model_type']}: "
    assert caught.value.message.startswith(message)
    assert caught.value.problem is Problem.KEY
    hint = f"if it is built like model_type {config['model_type']}, remove {key}"
    assert hint in caught.value.hint


def test_a_model_with_biases_is_not_one_without() -> None:
    with pytest.raises(ConfigError, match="no_bias is not a key of model_type gpt2"):
        load({"model_type": "gpt2", "no_bias": True})
    with pytest.raises(ConfigError, match="no_bias is not a key of model_type gpt2"):
        load({"model_type": "gpt2", "no_bias": 1})


def test_the_refused_key_has_a_line() -> None:
    with pytest.raises(ConfigError, match="qkv_bias") as caught:
        make_model("model", read_text("model_type: llama\nqkv_bias: true"), is_config_json=True)
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("ffn_embed_dim", "ffn_dim"),
        ("num_shared_attention_heads", "num_attention_heads"),
        ("latent_expert_dim", ""),
        ("router_rank", ""),
        ("n_experts", ""),
    ],
)
def test_unknown_sizes_are_refused(key: str, meant: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make_model("model", read_text(f"model_type: llama\n{key}: 123"), is_config_json=True)
    error = caught.value
    assert (error.message, error.problem, error.line) == (f"unknown key {key!r}", Problem.KEY, 1)
    remove = f"the model may be a variant; if it is built like model_type llama, remove {key}"
    assert error.hint == (f"did you mean {meant!r}? {remove}" if meant else remove)


def test_an_unknown_size_for_each_layer_is_refused() -> None:
    widths = {"model_type": "llama", "num_layers": 2, "transformers_version": "4.40.0"}
    for value in ([4096, 2048], [4096, 11_008], [3000, 3000]):
        with pytest.raises(ConfigError, match="unknown key 'ffn_embed_dims'"):
            load({**widths, "ffn_embed_dims": value})
    for value in ([4096, 4096], [64, 128, 256]):
        assert load({**widths, "ffn_embed_dims": value}).total == load(widths).total


@pytest.mark.parametrize("key", ["moe", "moe_cfg", "mamba_config", "ssm_cfg"])
@pytest.mark.parametrize("size", ["num_experts", "d_state", "expert_hidden"])
def test_an_unknown_mapping_with_sizes_is_refused(key: str, size: str) -> None:
    llama = {"model_type": "llama", "transformers_version": "4.40.0"}
    with pytest.raises(ConfigError, match=f"unknown key '{key}'"):
        load({**llama, key: {size: 8}})
    for unused in ({}, {size: 0}, {"dropout": 8}):
        assert load({**llama, key: unused}).total == load(llama).total


@pytest.mark.parametrize(
    ("model_type", "key", "value"),
    [("bert", "hidden_act", "geglu"), ("gpt2", "activation_function", "swiglu")],
)
def test_a_gate_that_the_family_lacks_is_refused(model_type: str, key: str, value: str) -> None:
    message = f"{key} '{value}' has a gate, but the FFN of model_type {model_type} has none"
    with pytest.raises(ConfigError, match=message):
        load({"model_type": model_type, "architectures": None, key: value})


@pytest.mark.parametrize("model_type", ["llama", "mixtral", "nomic_bert"])
def test_the_name_of_a_gate_that_the_family_has_is_accepted(model_type: str) -> None:
    gated = load({"model_type": model_type, "architectures": None, "hidden_act": "swiglu"})
    assert gated.total == load({"model_type": model_type}).total


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "llama", "ffn_embed_dim": 11_008, "block_dim": 4096, "decoder_heads": 32},
        {"model_type": "llama", "ffn_embed_dim": 1, "use_ffn": True, "mlp_kind": "gated"},
        {"model_type": "llama", "max_layers": 48, "mm_hidden_dim": 7, "rotary_emb_dim": 16},
        {"model_type": "bloom", "ffn_embed_dim": 256},
        {"model_type": "lfm2", "block_dim": 2560, "conv_dim": 2560, "conv_dim_out": 2560},
        {"model_type": "bert", "pooler_num_attention_heads": 8, "pooler_num_fc_layers": 3},
    ],
    ids=str,
)
def test_unknown_sizes_that_change_nothing_are_accepted(config: dict[str, Any]) -> None:
    saved = {**config, "transformers_version": "4.40.0"}
    assert load(saved).total == load({"model_type": config["model_type"]}).total


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "llama", "num_experts": 0, "qkv_bias": False, "kv_lora_rank": None},
        {"model_type": "llama", "top_k": 50, "is_decoder": True, "layer_types": ["full_attention"]},
        {"model_type": "gpt2", "attention_bias": True, "num_key_value_heads": 12, "head_dim": 64},
        {"model_type": "qwen2", "qkv_bias": True},
        {"model_type": "opt", "no_bias": False, "use_bias": True, "mlp_bias": True},
        {"model_type": "minimax_m2", "use_qk_norm": True, "num_mtp_modules": 3},
        {"model_type": "deepseek_v3", "moe_layer_freq": 1, "num_key_value_heads": 128},
        {"model_type": "bert", "position_embedding_type": "absolute", "pruned_heads": {}},
        {"model_type": "mpt", "attn_config": {"attn_type": "multihead_attention", "alibi": True}},
        {"model_type": "mpt", "no_bias": True, "attn_config": {"qk_ln": False, "kv_n_heads": 16}},
        {"model_type": "kimi_linear", "head_dim": 72},
        {"model_type": "nomic_bert", "pad_vocab_size_multiple": 64},
        {"model_type": "mamba2", "rms_norm": True},
        {"model_type": "sarvam_moe", "moe_router_enable_expert_bias": True, "use_bias": False},
        {"model_type": "sarvam_mla", "use_qk_norm": True, "head_dim": 576},
    ],
    ids=lambda config: str(config["model_type"]),
)
def test_keys_that_change_nothing_are_accepted(config: dict[str, Any]) -> None:
    assert load(config).total == load({"model_type": config["model_type"]}).total


@pytest.mark.parametrize(
    ("model_type", "module", "names"),
    [
        ("falcon", "falcon", "FalconConfig FalconForCausalLM FalconModel"),
        ("mpt", "mpt", "MPTConfig MPTForCausalLM"),
        ("phi", "phi", "PhiConfig PhiForCausalLM"),
        ("phi3", "phi3", "Phi3Config Phi3ForCausalLM"),
        ("phimoe", "phimoe", "PhiMoEConfig PhiMoEForCausalLM"),
        ("dbrx", "dbrx", "DbrxConfig DbrxForCausalLM"),
        ("deepseek_v2", "deepseek", "DeepseekV2Config DeepseekV2ForCausalLM DeepseekV2Model"),
        ("deepseek_v3", "deepseek", "DeepseekV3Config DeepseekV3ForCausalLM DeepseekV3Model"),
        ("minicpm3", "minicpm3", "MiniCPM3Config MiniCPM3ForCausalLM MiniCPM3Model"),
        ("internlm3", "internlm3", "InternLM3Config InternLM3ForCausalLM InternLM3Model"),
        ("ernie4_5", "ernie4_5", "Ernie4_5_Config Ernie4_5_ForCausalLM Ernie4_5_Model"),
        ("ernie4_5_moe", "ernie4_5_moe", "Ernie4_5_MoeConfig Ernie4_5_MoeForCausalLM"),
        ("ernie4_5_moe", "ernie4_5_moe", "Ernie4_5_MoeConfig Ernie4_5_Model"),
        ("hunyuan_v1_moe", "hunyuan", "HunYuanConfig HunYuanMoEV1ForCausalLM HunYuanModel"),
        ("minimax_m2", "minimax_m2", "MiniMaxM2Config MiniMaxM2ForCausalLM"),
        ("mimo_v2_flash", "mimo_v2_flash", "MiMoV2FlashConfig MiMoV2FlashForCausalLM"),
        ("kimi_linear", "kimi", "KimiLinearConfig KimiLinearForCausalLM KimiLinearModel"),
        ("nemotron_h", "nemotron_h", "NemotronHConfig NemotronHForCausalLM"),
        ("bitnet", "bitnet", "BitNetConfig BitNetForCausalLM"),
        ("codegen", "codegen", "CodeGenConfig CodeGenForCausalLM"),
        ("qwen2", "qwen2", "Qwen2Config Qwen2ForCausalLM Qwen2Model"),
        ("nomic_bert", "hf_nomic_bert", "NomicBertConfig NomicBertForPreTraining NomicBertModel"),
        ("qwen2", "qwen", "Qwen2Config Qwen2ForCausalLM Qwen2Model"),
        ("kimi_k2", "deepseek", "DeepseekV3Config DeepseekV3ForCausalLM DeepseekV3Model"),
        ("RefinedWeb", "RW", "RWConfig RWForCausalLM RWModel"),
        ("gte", "hf_alibaba_nlp_gte", "GteConfig GteForMaskedLM GteModel"),
        ("llama", "flash_llama", "LlamaConfig LlamaForCausalLM"),
        ("llama", "llama_yarn", "LlamaConfig LlamaForCausalLM"),
        ("llama", "llama_together_yarn", "LlamaConfig LlamaForCausalLM"),
        ("mistral", "mistral_yarn", "MistralConfig MistralForCausalLM"),
        ("mistral", "gritlm7b", "MistralConfig MistralForCausalLM MistralModel"),
        ("mixtral", "moe_mistral", "MixtralConfig MixtralForCausalLM"),
        ("phimoe", "slimmoe", "PhiMoEConfig PhiMoEForCausalLM"),
        ("sarvam_moe", "sarvam_moe", "SarvamMoEConfig SarvamMoEForCausalLM SarvamMoEModel"),
        ("sarvam_mla", "sarvam_moe", "SarvamMLAConfig SarvamMLAForCausalLM SarvamMLAModel"),
    ],
)
def test_released_files_that_name_the_familys_own_code(
    model_type: str, module: str, names: str
) -> None:
    with_code = load({"model_type": model_type, **auto_map(*names.split(), module=module)})
    assert with_code.total == load({"model_type": model_type}).total


@pytest.mark.parametrize(
    "path",
    [
        "LlamaForCausalLM",
        "modeling.LlamaForCausalLM",
        "transformers.LlamaForCausalLM",
        "transformers.models.llama.modeling_llama.LlamaForCausalLM",
        "togethercomputer/LLaMA-2-7B-32K--modeling_flash_llama.LlamaForCausalLM",
    ],
)
def test_other_forms_of_the_familys_own_code(path: str) -> None:
    with_code = load({"model_type": "llama", "auto_map": {"AutoModelForCausalLM": path}})
    assert with_code.total == load({"model_type": "llama"}).total


@pytest.mark.parametrize(
    ("model_type", "path"),
    [
        ("llama", "modeling_mobillama.LlamaForCausalLM"),  # one MLP for all layers
        ("llama", "MBZUAI/MobiLlama-1B--modeling_mobillama.LlamaForCausalLM"),
        ("llama", "LlamaRebuild.LlamaForCausalLM"),
        ("mistral", "modeling_dropped_mistral.MistralForCausalLM"),  # layers without attention
        ("bert", "bert_layers.BertForMaskedLM"),  # gated FFNs
        ("qwen2", "modeling_llama.Qwen2ForCausalLM"),
    ],
)
def test_other_code_with_the_familys_class_names_is_refused(model_type: str, path: str) -> None:
    module = path.rpartition("--")[2].partition(".")[0]
    with pytest.raises(ConfigError) as caught:
        load({"model_type": model_type, "auto_map": {"AutoModelForCausalLM": path}})
    message = f"auto_map names {module!r}, which is not a module of model_type {model_type}"
    assert caught.value.message == message
    assert f"if it is built like model_type {model_type}, remove auto_map" in caught.value.hint


@pytest.mark.parametrize(
    ("model_type", "names"),
    [
        ("llama", ("DeciCoderConfig", "DeciCoderForCausalLM")),
        ("llama", ("CLEXLlamaConfig", "LlamaForCausalLM")),
        ("llama", ("LlamaConfig", "LlamaForCausalLM", "LlamaEncoderModel")),
        ("gpt2", ("PolyLMConfig", "PolyLMHeadModel")),
        ("bert", ("JinaBertConfig", "JinaBertForMaskedLM", "JinaBertModel")),
        ("xlm-roberta", ("XLMRobertaFlashConfig", "XLMRobertaLoRA")),
        ("qwen2", ("Qwen2Config", "Qwen2ForRewardModel")),
        ("phi3", ("Phi3VConfig", "Phi3VForCausalLM")),
    ],
)
def test_code_of_its_own_is_refused(model_type: str, names: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError) as caught:
        load({"model_type": model_type, **auto_map(*names, module=model_type)})
    assert f"which is not a class of model_type {model_type}" in caught.value.message


def test_code_without_a_model_type_is_refused() -> None:
    config = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    with pytest.raises(ConfigError, match="not a class of a model without model_type"):
        load({**config, "vocab_size": 100, **auto_map("MyConfig", "MyForCausalLM", module="my")})


def test_a_tokenizers_code_does_not_matter() -> None:
    tokenizer = {"AutoTokenizer": ["tokenization_xgen.XgenTokenizer", None]}
    assert load({"model_type": "llama", "auto_map": tokenizer}).total


META = {"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-6}
LLAMA_3 = {
    "n_kv_heads": 8,
    "vocab_size": 128_256,
    "norm_eps": 1e-5,
    "rope_theta": 500000.0,
    "use_scaled_rope": True,
}
MISTRAL = {
    "dim": 4096,
    "n_layers": 32,
    "head_dim": 128,
    "hidden_dim": 14_336,
    "n_heads": 32,
    "n_kv_heads": 8,
    "norm_eps": 1e-5,
    "vocab_size": 32_000,
}
MAMBA = {"vocab_size": 50_277, "rms_norm": True, "residual_in_fp32": True, "fused_add_norm": True}
MAMBA2 = {
    **MAMBA,
    "d_intermediate": 0,
    "ssm_cfg": {"layer": "Mamba2"},
    "attn_layer_idx": [],
    "attn_cfg": {},
    "pad_vocab_size_multiple": 16,
    "tie_embeddings": True,
}
FORMATS: dict[str, tuple[dict[str, Any], int]] = {
    "LLaMA 7B": ({**META, "vocab_size": 32_000}, 6_738_415_616),
    "Llama 2 70B": (
        {
            "dim": 8192,
            "multiple_of": 4096,
            "ffn_dim_multiplier": 1.3,
            "n_heads": 64,
            "n_kv_heads": 8,
            "n_layers": 80,
            "norm_eps": 1e-5,
            "vocab_size": 32_000,
        },
        68_976_648_192,
    ),
    "Llama 3.1 8B": (
        {**META, **LLAMA_3, "ffn_dim_multiplier": 1.3, "multiple_of": 1024},
        8_030_261_248,
    ),
    "Llama 3.2 1B": (
        {**META, **LLAMA_3, "dim": 2048, "n_layers": 16, "ffn_dim_multiplier": 1.5},
        1_235_814_400,
    ),
    "Llama 3.2 3B": (
        {**META, **LLAMA_3, "dim": 3072, "n_layers": 28, "n_heads": 24, "ffn_dim_multiplier": 1.0},
        3_212_749_824,
    ),
    "Mistral 7B": ({**MISTRAL, "sliding_window": 4096}, 7_241_732_096),
    "Mistral Small 3.1": (
        {
            **{**MISTRAL, "dim": 5120, "n_layers": 40, "hidden_dim": 32_768},
            **{"vocab_size": 131_072, "model_max_length": 131_072},
        },
        23_572_403_200,
    ),
    "Mistral NeMo": (
        {**MISTRAL, "dim": 5120, "n_layers": 40, "vocab_size": 131_072, "rope_theta": 1e6},
        12_247_782_400,
    ),
    "Mixtral 8x7B": (
        {**MISTRAL, "moe": {"num_experts_per_tok": 2, "num_experts": 8}},
        46_702_792_704,
    ),
    "Codestral Mamba": (
        {
            "dim": 4096,
            "n_layers": 64,
            "vocab_size": 32_768,
            "n_groups": 8,
            "rms_norm": True,
            "residual_in_fp32": True,
            "fused_add_norm": True,
            "pad_vocab_size_multiple": 1,
            "tie_embeddings": False,
            "model_type": "mamba",
        },
        7_285_403_648,
    ),
    "mamba-130m": (
        {**MAMBA, "d_model": 768, "n_layer": 24, "ssm_cfg": {}, "pad_vocab_size_multiple": 8},
        129_135_360,
    ),
    "mamba-2.8b": (
        {**MAMBA, "d_model": 2560, "n_layer": 64, "ssm_cfg": {}, "pad_vocab_size_multiple": 8},
        2_768_345_600,
    ),
    "mamba2-130m": ({**MAMBA2, "d_model": 768, "n_layer": 24}, 128_989_632),
    "mamba2-2.7b": ({**MAMBA2, "d_model": 2560, "n_layer": 64}, 2_702_599_680),
}
"""Files of the original releases, with the totals on the Hub."""


@pytest.mark.parametrize("name", FORMATS)
def test_other_formats(name: str, tmp_path: Path) -> None:
    config, total = FORMATS[name]
    path = tmp_path / "params.json"
    path.write_text(json.dumps(config, indent=1), "utf-8")
    assert load(config).total == load(path).total == total
    assert make_model(name, read_text(json.dumps(config))).total == total


def test_a_params_json_without_a_window_has_none() -> None:
    windowed = load({**MISTRAL, "sliding_window": 4096})
    assert load(MISTRAL).cache_elements(8192) == 2 * windowed.cache_elements(8192)


def test_a_params_json_with_an_image_encoder_is_its_text_part() -> None:
    model = load({**MISTRAL, "vision_encoder": {"hidden_size": 1024}})
    assert model.total == load(MISTRAL).total
    assert "Text decoder only" in model.notes[0]


@pytest.mark.parametrize(
    ("config", "line", "message"),
    [
        ({**META, "vocab_size": -1}, 6, "32000 for LLaMA and Llama 2"),
        ({**META, "vocab_size": 9, "moe_args": {"num_experts": 16}}, 7, "moe_args in this format"),
        ({**MISTRAL, "kv_lora_rank": 512}, 9, "kv_lora_rank in this format is not supported"),
        ({**MISTRAL, "sliding_window": [4096, 8192]}, 9, "sliding_window in this format"),
        ({**MISTRAL, "moe": {"num_experts": 8, "num_shared_experts": 1}}, 11, "num_shared_experts"),
        ({**MAMBA2, "d_model": 64, "n_layer": 2, "attn_layer_idx": [9]}, 9, "attn_layer_idx in"),
        ({**MAMBA2, "d_model": 64, "n_layer": 2, "ssm_cfg": {"layer": "Mamba3"}}, 7, "layer in"),
        ({**MAMBA2, "d_model": 64, "n_layer": 2, "rms_norm": False}, 2, "rms_norm in this format"),
        ({"r": 8, "peft_type": "LORA", "base_model_name_or_path": "a/B"}, 2, "adapts, 'a/B'"),
        ({"r": 8, "peft_type": "IA3", "base_model_name_or_path": None}, 2, "IA3 adapter, not a"),
        ({"peft_type": "LORA", "model_type": "llama"}, 1, "LORA adapter, not a model"),
        ({"lora_parameters": {"rank": 8}, "fine_tune_type": "dora", "model": "a/B"}, 4, "DORA ada"),
        ({"metadata": {}, "weight_map": {"a": "b"}}, 2, "use the config.json beside it"),
    ],
)
def test_files_that_are_recognised_and_refused(
    config: dict[str, Any], line: int, message: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        make_model("model", read_text(json.dumps(config, indent=1)), is_config_json=True)
    assert message in str(caught.value)
    assert caught.value.line == line
    with pytest.raises(ConfigError):
        load(config)


@pytest.mark.parametrize("ssm_cfg", [None, {}, {"layer": "Mamba1", "d_state": 16}])
def test_an_empty_ssm_cfg_is_that_of_mamba(ssm_cfg: object) -> None:
    config = {**MAMBA, "d_model": 64, "n_layer": 2, "ssm_cfg": ssm_cfg}
    assert load(config).total == load({**config, "ssm_cfg": {}}).total


@pytest.mark.parametrize("value", ["64", None, True, -1, 0, 64.5, [64], {"layer": 3}, {"x": {}}])
@pytest.mark.parametrize("format", [MAMBA2, {**META, **LLAMA_3}, MISTRAL, SANTACODER])
def test_any_value_in_other_formats_is_counted_or_refused(
    format: dict[str, Any], value: object
) -> None:
    for key in (*format, "ssm_cfg", "moe", "auto_map", "peft_type", "lora_parameters"):
        with suppress(ConfigError):
            assert load({"d_model": 64, "n_layer": 2, **format, key: value}).total > 0


SAFETENSORS = (72).to_bytes(8, "little") + b'{"__metadata__":{}}'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.gguf", b""),
        ("model.safetensors", SAFETENSORS),
        ("pytorch_model.bin", b"PK\x03\x04"),
        ("consolidated.00.pt", b"\x80\x02"),
        ("renamed.json", SAFETENSORS),
        ("renamed.yaml", b"GGUF\x03\0\0\0"),
        ("large.txt", b"GGUF" + bytes(2_000_000)),
    ],
)
def test_files_with_weights(
    name: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert "it holds weights, not a configuration (use the config.json beside it)" in str(
        caught.value
    )
    assert caught.value.problem is Problem.FILE
    assert main(("show", str(path))) == 2
    assert "use the config.json beside it" in capsys.readouterr().err
