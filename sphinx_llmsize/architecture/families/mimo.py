"""MiMo-V2-Flash: narrow values, and sliding windows with more heads and with sinks."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, first, layered, listed
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import attention, sinks
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.windows import sliding_window, tokens_of, where, with_windows
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
)
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.latent_attention import D_V, V_HEAD_DIM
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    D_H,
    FFN_DIM,
    H_KV,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    H,
    L,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW

TOKENS_BEFORE = Key(
    "tokens_before_in_window",
    "tokens in a sliding window besides the one whose it is, where that is how it is told",
    ("sliding_window_size",),
    Kind.WINDOW,
    optional=True,
)
FULL, SLIDING = "full attention", "sliding attention"


def mimo_v2_flash(config: Config) -> tuple[Item, ...]:
    """Narrow values; sliding windows with twice the key/value heads, and with sinks."""
    bias = config.flag(ATTENTION_BIAS)

    def block(mixer: str, ffn: str) -> Block:
        heads = narrow_values(bias=bias)
        if mixer == SLIDING:
            heads = with_sizes(narrow_values(bias=bias, sink=True), {H_KV: 2 * H_KV})
        experts = mixture_of_experts(gated_experts())
        return pre_norm(rms_norm, heads, gated_mlp() if ffn == "dense" else experts)

    kinds = {
        "mixer": attention_kinds(config),
        "ffn": ffn_kinds(config, first(1, "dense", then="MoE")),
    }
    return decoder(config, layered(config.count(L), block, **kinds), norm=rms_norm)


def narrow_values(*, bias: bool, sink: bool = False) -> Block:
    """Grouped-query attention whose values have d_v numbers for each head."""
    qkv = (
        *linear("q_proj", D, H * D_H, "attn_q", bias=bias, label="q"),
        *linear("k_proj", D, H_KV * D_H, "attn_k", bias=bias, label="k"),
        *linear("v_proj", D, H_KV * D_V, "attn_v", bias=bias, label="v"),
    )
    return attention(
        qkv,
        linear("o_proj", H * D_V, D, "attn_o"),
        qkv_width=H * D_H + H_KV * D_H + H_KV * D_V,
        width=H * D_V,
        value_dim=D_V,
        kept=H_KV * D_H + H_KV * D_V,
        scores=sinks() if sink else (),
    )


def attention_kinds(config: Config) -> Kinds:
    """Full attention first and in every sixth layer, unless the layers are listed."""
    if types := config.names(LAYER_TYPES):
        return listed([SLIDING if name == "sliding_attention" else FULL for name in types])
    return among([0], FULL, others=every(6, FULL, others=SLIDING, start=5))


def window(config: Config) -> int:
    """The tokens of a window, the one whose it is among them."""
    before = tokens_of(TOKENS_BEFORE)(config)
    return before + 1 if config.has(TOKENS_BEFORE) else sliding_window(config)


MIMO_V2_FLASH = Family(
    model_type="mimo_v2_flash",
    title="MiMo-V2-Flash",
    source="https://huggingface.co/XiaomiMiMo/MiMo-V2-Flash",
    architectures=("MiMoV2FlashForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 48,
        NUM_HEADS: 64,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 192,
        V_HEAD_DIM: 128,
        FFN_DIM: 16_384,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 2048,
        SLIDING_WINDOW: 129,
        TOKENS_BEFORE: None,
        VOCAB_SIZE: 152_576,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        LAYER_TYPES: None,
        FFN_LAYER_TYPES: None,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES, FFN_LAYER_TYPES)),
    compose=mimo_v2_flash,
    notes=(CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE),
    spans=with_windows(where(SLIDING, attention_kinds), window),
)

FAMILIES = (MIMO_V2_FLASH,)
