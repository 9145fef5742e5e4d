"""Hybrid models: attention with Mamba, linear attention or convolutions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from differential.draw import Draw, Space, divisors, layer_list, one_per_layer
from differential.spaces.mamba import MIXER_RULES, TIME_STEP_RANK


def mamba_heads(draw: Draw, config: dict[str, Any]) -> int:
    """Heads that divide the inner width."""
    width = config.get("mamba_d_ssm") or config["hidden_size"] * config.get("mamba_expand", 2)
    return draw(st.sampled_from(divisors(width)))


def layer_numbers(draw: Draw, config: dict[str, Any]) -> list[int]:
    """Indices of up to five layers; one index may be just past the last layer."""
    return draw(st.lists(st.integers(0, config["num_hidden_layers"]), max_size=5, unique=True))


def below(period: str, default: int) -> Any:
    """Function that draws an offset smaller than the period with this name and default."""

    def values(draw: Draw, config: dict[str, Any]) -> int:
        return draw(st.integers(0, config.get(period, default) - 1))

    return values


def hybrid_list(draw: Draw, config: dict[str, Any]) -> list[str]:
    """A kind for each layer, with at least one layer of each kind."""
    names = ["linear_attention", "full_attention"]
    more = draw(layer_list({"num_hidden_layers": config["num_hidden_layers"] - 2}, *names))
    return draw(st.permutations(names + more))


HEAD_DIM = st.sampled_from([4, 8, 24])
FLAG_OR_NULL = st.sampled_from([True, False, None])
MAMBA2 = {
    "mamba_n_heads": mamba_heads,
    "mamba_d_head": st.just("auto"),
    "mamba_n_groups": st.integers(1, 3),
    "mamba_proj_bias": st.booleans(),
    "head_dim": HEAD_DIM,
}
LINEAR = {
    "linear_num_key_heads": st.integers(1, 4),
    "linear_num_value_heads": st.integers(1, 6),
    "linear_key_head_dim": st.sampled_from([4, 8, 12]),
    "linear_value_head_dim": st.sampled_from([4, 8, 20]),
    "linear_conv_kernel_dim": st.integers(2, 5),
}
DELTA_NET = {
    **LINEAR,
    "full_attention_interval": st.integers(1, 5),
    "layer_types": one_per_layer("linear_attention", "full_attention"),
}
DELTA_NET_RULES = ((r"linear_attn\.\w*norm", "mixer"),)
LFM = {"conv_L_cache": st.integers(2, 5), "conv_bias": st.booleans()}


def nemotron_pattern(draw: Draw, config: dict[str, Any]) -> str:
    """One letter for each layer: Mamba, experts, attention or MLP."""
    return "".join(draw(st.lists(st.sampled_from("ME*-"), min_size=1, max_size=8)))


def nemotron_names(draw: Draw, config: dict[str, Any]) -> list[str]:
    """One name for each layer, as many as a drawn pattern has letters; names take precedence."""
    names = ["mamba", "linear_attention", "attention", "full_attention", "moe", "mlp"]
    size = len(config.get("hybrid_override_pattern", "")) or None
    return draw(st.lists(st.sampled_from(names), min_size=size or 1, max_size=size or 8))


NEMOTRON_RULES = (
    (r"shared_experts", "shared"),
    (r"mixer\.(q|k|v|o)_proj", "attention"),
    (r"mixer\.experts\.", "experts"),
    (r"mixer\.gate\.", "router"),
    (r"mixer\.(up|down)_proj", "feed-forward"),
)
ZAMBA_RULES = (
    *MIXER_RULES,
    (r"adapter_list", "adapters"),
    (r"layers\.\d+\.linear\.", "shared linear"),
)
ZAMBA_KINDS = {"shared_block_linear": "shared linear"}


def hybrid_layers(draw: Draw, config: dict[str, Any]) -> list[int]:
    """Numbers of Zamba2's hybrid layers, as transformers saves them."""
    return [layer for layer, kind in enumerate(config["layers_block_type"]) if kind == "hybrid"]


SPACES = {
    "bamba": Space(
        values={**MAMBA2, "attn_layer_indices": layer_numbers, "mamba_conv_bias": FLAG_OR_NULL},
        always=("mamba_n_heads",),
        rules=MIXER_RULES,
    ),
    "falcon_h1": Space(
        values={"mamba_d_ssm": st.sampled_from([None, 24, 48, 64]), **MAMBA2},
        always=("mamba_d_ssm", "mamba_n_heads"),
        rules=MIXER_RULES,
    ),
    "granitemoehybrid": Space(
        values={
            **MAMBA2,
            "layer_types": one_per_layer(
                "mamba", "attention", "linear_attention", "full_attention"
            ),
            "num_local_experts": st.sampled_from([0, 1, 4, 8]),
            "num_experts_per_tok": st.sampled_from([0, 1, 2]),
        },
        always=("mamba_n_heads",),
        rules=MIXER_RULES,
        kinds={"shared_experts": "feed-forward"},
    ),
    "jamba": Space(
        values={
            "attn_layer_period": st.integers(1, 5),
            "attn_layer_offset": below("attn_layer_period", 8),
            "expert_layer_period": st.integers(1, 4),
            "expert_layer_offset": below("expert_layer_period", 2),
            "num_experts": st.sampled_from([0, 1, 2, 4]),
            "mamba_dt_rank": TIME_STEP_RANK,
            "mamba_proj_bias": st.booleans(),
            "head_dim": HEAD_DIM,
        },
        always=("attn_layer_offset", "expert_layer_offset"),
        rules=MIXER_RULES,
    ),
    "qwen3_next": Space(
        values={
            **DELTA_NET,
            "mlp_only_layers": layer_numbers,
            "decoder_sparse_step": st.integers(1, 4),
            "num_experts": st.sampled_from([0, 4, 8]),
        },
        always=("num_experts",),
        rules=DELTA_NET_RULES,
    ),
    "qwen3_5_text": Space(values=DELTA_NET, rules=DELTA_NET_RULES),
    "qwen3_5_moe_text": Space(values=DELTA_NET, rules=DELTA_NET_RULES),
    "lara_mini": Space(
        values={
            **LINEAR,
            "head_dim": HEAD_DIM,
            "layer_types": one_per_layer("linear_attention", "sliding_attention", "full_attention"),
            "shared_expert_intermediate_size": st.sampled_from([8, 24, 40]),
        },
        rules=DELTA_NET_RULES,
    ),
    "olmo_hybrid": Space(
        values={
            "num_hidden_layers": st.integers(2, 9),
            **LINEAR,
            "head_dim": HEAD_DIM,
            "layer_types": hybrid_list,
            "pad_token_id": st.just(0),
        },
        always=("num_hidden_layers", "pad_token_id"),
        rules=DELTA_NET_RULES,
    ),
    "lfm2": Space(
        values={
            **LFM,
            "full_attn_idxs": layer_numbers,
            "layer_types": one_per_layer("conv", "full_attention"),
            "block_multiple_of": st.sampled_from([1, 7, 32]),
            "block_ffn_dim_multiplier": st.sampled_from([0.7, 1, 1.0, 1.3]),
            "head_dim": HEAD_DIM,
        },
        rules=((r"operator_norm|ffn_norm|embedding_norm|layernorm", "norms"),),
    ),
    "lfm2_moe": Space(
        values={
            **LFM,
            "layer_types": one_per_layer("conv", "full_attention"),
            "head_dim": HEAD_DIM,
        },
        always=("layer_types",),
    ),
    "lfm3": Space(
        values={
            **LFM,
            "layer_types": one_per_layer("conv", "full_attention", "sliding_attention"),
            "pad_token_id": st.just(0),
        },
        always=("pad_token_id",),
        rules=((r"g_proj", "attention"),),
    ),
    "nemotron_h": Space(
        values={
            "hybrid_override_pattern": nemotron_pattern,
            "layers_block_type": nemotron_names,
            "mamba_num_heads": st.sampled_from([4, 8, 12]),
            "mamba_head_dim": st.sampled_from([4, 8]),
            "n_groups": st.sampled_from([1, 2, 4]),
            "moe_latent_size": st.sampled_from([None, 8, 12]),
            "moe_shared_expert_intermediate_size": st.sampled_from([0, 24, 40]),
        },
        never=("num_hidden_layers",),
        rules=(*MIXER_RULES, (r"latent_proj", "latent"), *NEMOTRON_RULES),
        kinds={"moe_latent_proj": "latent"},
    ),
    "zamba": Space(
        values={
            "num_hidden_layers": st.integers(3, 16),
            "layers_block_type": one_per_layer("mamba", "linear_attention", "hybrid"),
            "attn_layer_period": st.integers(1, 5),
            "attn_layer_offset": st.integers(0, 6),
            "attention_hidden_size": st.sampled_from([None, 48, 80]),
            "attention_head_dim": st.sampled_from([None, 4, 8]),
            "n_mamba_heads": st.sampled_from([1, 2, 4]),
            "mamba_dt_rank": TIME_STEP_RANK,
            "mamba_proj_bias": st.booleans(),
        },
        always=("num_hidden_layers",),
        rules=ZAMBA_RULES,
        kinds=ZAMBA_KINDS,
    ),
    "zamba2": Space(
        values={
            "num_hidden_layers": st.integers(1, 16),
            "layers_block_type": one_per_layer("mamba", "linear_attention", "hybrid"),
            "hybrid_layer_ids": hybrid_layers,
            "attention_hidden_size": st.sampled_from([48, 80]),
            "attention_head_dim": st.sampled_from([4, 8]),
            "num_mem_blocks": st.integers(1, 4),
            "adapter_rank": st.sampled_from([2, 3]),
            "use_shared_attention_adapter": st.booleans(),
            "add_bias_linear": st.booleans(),
            "n_mamba_heads": st.sampled_from([1, 2, 4]),
            "mamba_ngroups": st.sampled_from([1, 2]),
            "use_conv_bias": st.booleans(),
        },
        always=("num_hidden_layers", "layers_block_type"),
        never=("tie_word_embeddings",),
        rules=ZAMBA_RULES,
        kinds=ZAMBA_KINDS,
    ),
}
