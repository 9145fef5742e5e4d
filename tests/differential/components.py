"""Component of each tensor of transformers' models, found by the tensor's name.

Names of components are those of :attr:`sphinx_llmsize.Model.components`. A fused tensor is one
component; a bias belongs to the component of its weight.
"""

from __future__ import annotations

import re
from collections import Counter

import torch

from differential.built import named_once

Patterns = tuple[tuple[str, str], ...]
"""Pairs of a regular expression of tensor names and a component; the first match decides.

A component may refer to groups of its pattern: ``attn_\\1``.
"""

BY_TYPE: dict[str, Patterns] = {
    "bert": ((r"predictions\.(bias|transform\.LayerNorm)", "lm_head_bias"),),
    "deepseek_v4": (
        (r"_hc\.|hc_head", "hyper_connections"),
        (r"compressor", "indexer"),
        (r"\.kv_norm|\.q_a_norm", "mla_norm"),
        (r"o_a_proj", "attn_o_a"),
        (r"o_b_proj", "attn_o_b"),
        (r"\.kv_proj", "attn_kv"),
    ),
    "gemma3n_text": (
        (r"altup_(unembed_)?projections", "embedding_projection"),
        (r"altup|laurel|per_layer_(input_gate|projection\.)", "altup_laurel"),
        (r"post_per_layer_input_norm", "norms"),
        (r"per_layer", "per_layer_embedding"),
    ),
    "lfm2": (
        (r"model\.embedding_norm", "norms"),
        (r"feed_forward\.w1", "mlp_gate"),
        (r"feed_forward\.w2", "mlp_down"),
        (r"feed_forward\.w3", "mlp_up"),
    ),
    "nemotron_h": (
        (r"latent", "moe_latent_proj"),
        (r"\.(q|k|v|o)_proj", r"attn_\1"),
        (r"mixer\.up_proj", "mlp_up"),
        (r"mixer\.gate\.", "router"),
    ),
    "rwkv": (
        (r"\.attention\.", "rwkv_time_mix"),
        (r"feed_forward", "rwkv_channel_mix"),
        (r"^head", "lm_head"),
    ),
    "zamba": ((r"layers\.\d+\.linear\.", "shared_block_linear"),),
}
"""Patterns of one ``model_type``, tried before :data:`PATTERNS`."""

PATTERNS: Patterns = (
    (r"indexer", "indexer"),
    (r"shared_expert_gate", "shared_expert_gate"),
    (r"shared_expert|shared_mlp", "shared_experts"),
    (r"experts\.", "experts"),
    (r"router\.|mlp\.gate\.", "router"),
    (r"\.mamba\.|\.mixer\.|linear_attn|\.conv\.|rg_lru|conv_1d|\.linear_(x|y|out)\b", "ssm"),
    (r"attn\.sinks", "attn_sinks"),
    (r"\.(q|kv)_a_(layer)?norm", "mla_norm"),
    (r"\.(q|k|query|key)_(layer)?norm", "qk_norm"),
    (
        r"(^|\.)embeddings\.LayerNorm|layernorm_embedding|embeddings_layernorm|pre_ln",
        "embedding_norm",
    ),
    (r"(?i)norm|\.ln_|(^|\.)ln\d|\.ln_f", "norms"),
    (r"lm_head\.bias", "lm_head_bias"),
    (r"lm_head|embed_out|predictions", "lm_head"),
    (r"pooler", "pooler"),
    (r"embeddings_project|embedding_hidden_mapping", "embedding_projection"),
    (r"token_type", "token_type_embedding"),
    (r"position|wpe|relative_attention_bias", "position_embedding"),
    (r"kv_a_proj", "attn_kv_a"),
    (r"kv_b_proj", "attn_kv_b"),
    (r"q_a_proj", "attn_q_a"),
    (r"q_b_proj", "attn_q_b"),
    (r"qkv|query_key_value|c_attn", "attn_qkv"),
    (r"(?i)(?:attn|attention|temporal_block).*\.(q|k|v)[a-z_]*\.", r"attn_\1"),
    (r"(?i)(?:attn|attention|temporal_block)", "attn_o"),
    (r"gate_up_proj", "mlp_gate_up"),
    (r"gate_proj|wi_0", "mlp_gate"),
    (
        r"up_proj|c_fc|h_to_4h|fc1|fc_in|lin1|intermediate|\.wi\.|wi_1|\.ffn\.(weight|bias)",
        "mlp_up",
    ),
    (r"down_proj|c_proj|4h_to_h|fc2|fc_out|lin2|output|\.wo\.", "mlp_down"),
    (r"embed|wte|shared\.weight", "token_embedding"),
)
"""Patterns of all other tensors."""


def component(model_type: str, name: str) -> str:
    """Component of a tensor.

    Raises:
        LookupError: no pattern matches the name.
    """
    for pattern, found in (*BY_TYPE.get(model_type, ()), *PATTERNS):
        if match := re.search(pattern, name):
            return match.expand(found)
    raise LookupError(f"no component for {model_type}: {name}")


def components(model_type: str, model: torch.nn.Module) -> dict[str, int]:
    """Number of parameters by component, shared tensors once."""
    counts: Counter[str] = Counter()
    for name, parameter in named_once(model):
        counts[component(model_type, name)] += parameter.numel()
    return dict(sorted(counts.items()))
