"""MiMo: Qwen2's layers; V2-Flash: narrow values, sliding windows with sinks and more KV heads."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE
from sphinx_llmsize.architecture.families.qwen import QWEN2
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, among, every, first, from_list
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, D_V, H_KV, D, H
from sphinx_llmsize.translation import N_

TOKENS_BEFORE = k.make_key(
    "tokens_before_in_window sliding_window_size",
    N_("earlier tokens in a sliding window, not counting the token itself"),
    k.ValueKind.WHOLE,
    optional=True,
)
FULL, SLIDING = parts.FULL_ATTENTION, parts.SLIDING_ATTENTION


def mimo_v2_flash(config: Config) -> Items:
    """GQA with narrow values; sliding layers have sinks and 2·H_kv key/value heads."""
    bias = config.flag(k.ATTENTION_BIAS)
    full = narrow_value_attention(bias=bias)
    sliding = parts.with_sizes(narrow_value_attention(bias=bias, sink=True), {H_KV: 2 * H_KV})
    return parts.decoder_with_experts(
        config,
        {SLIDING: sliding, FULL: full},
        parts.mixture_of_experts(parts.gated_experts()),
        parts.ffn_kinds(config, otherwise=first(1, parts.DENSE, then=parts.MOE)),
        mixers=attention_kinds(config),
    )


def narrow_value_attention(*, bias: bool, sink: bool = False) -> Block:
    """GQA whose values have d_v dimensions per head, fewer than the d_h of queries and keys.

    Args:
        bias: biases on Q, K and V.
        sink: one sink per head.
    """
    qkv = (
        *parts.linear("q_proj", D, H * D_H, "attn_q", bias=bias, label="q"),
        *parts.linear("k_proj", D, H_KV * D_H, "attn_k", bias=bias, label="k"),
        *parts.linear("v_proj", D, H_KV * D_V, "attn_v", bias=bias, label="v"),
    )
    return parts.attention(
        qkv,
        parts.linear("o_proj", H * D_V, D, "attn_o"),
        qkv_width=H * D_H + H_KV * D_H + H_KV * D_V,
        width=H * D_V,
        value_dim=D_V,
        cache_width=H_KV * D_H + H_KV * D_V,
        scores=parts.sinks() if sink else (),
    )


def attention_kinds(config: Config) -> Kinds:
    """Kinds in ``layer_types``; by default, full attention in the first and every sixth layer."""
    if types := config.names(k.LAYER_TYPES):
        return from_list([SLIDING if name == "sliding_attention" else FULL for name in types])
    return among([0], FULL, others=every(6, FULL, others=SLIDING, start=5))


def window_tokens(config: Config) -> int:
    """Number of tokens in a sliding window, including the current token; 0 for no window."""
    if config[TOKENS_BEFORE] is None:
        return parts.sliding_window(config)
    return config.count(TOKENS_BEFORE) + 1


MIMO_V2_FLASH = Family(
    model_type="mimo_v2_flash",
    title="MiMo-V2-Flash",
    source="https://huggingface.co/XiaomiMiMo/MiMo-V2-Flash",
    architectures=("MiMoV2FlashForCausalLM",),
    defaults={
        **sizes(D=4096, L=48, H=64, H_kv=4, d_h=192, V=152_576),
        **sizes(d_v=128, F=16_384, E=256, k=8, F_e=2048, w=129),
        **unset(TOKENS_BEFORE, k.LAYER_TYPES, k.FFN_LAYER_TYPES, k.MTP_LAYERS),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS_RULE),
    compose=mimo_v2_flash,
    notes=(CORRECTION_BIAS_NOTE, MTP_NOTE),
    windows=parts.windows_in(parts.layers_of_kind(SLIDING, attention_kinds), window_tokens),
    positions=parts.Positions.ROTARY,
)
MIMO = variant(
    QWEN2,
    "mimo",
    "MiMo",
    "MiMoForCausalLM",
    "https://arxiv.org/abs/2505.07608",
    defaults={k.MTP_LAYERS: None},
    notes=(MTP_NOTE,),
)
