"""DBRX: fine-grained experts behind one matrix for Q, K and V."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import KEY_WIDTH, fused_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.norms import layer_norm_without_bias
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
)


def dbrx(config: Config) -> tuple[Item, ...]:
    """Layer norms without biases; experts in every layer."""
    attention = fused_attention(bias=False, kv_width=KEY_WIDTH)
    experts = mixture_of_experts(gated_experts(width=F))
    norm = layer_norm_without_bias
    return decoder(config, pre_norm(norm, attention, experts), norm=norm)


DBRX = Family(
    model_type="dbrx",
    title="DBRX",
    source="https://github.com/databricks/dbrx",
    architectures=("DbrxForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 1,
        HEAD_DIM: None,
        FFN_DIM: 3584,
        NUM_EXPERTS: 4,
        EXPERTS_PER_TOKEN: 1,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
    },
    names={
        "attn_config.kv_n_heads": NUM_KV_HEADS,
        "ffn_config.ffn_hidden_size": FFN_DIM,
        "ffn_config.moe_num_experts": NUM_EXPERTS,
        "ffn_config.moe_top_k": EXPERTS_PER_TOKEN,
    },
    compose=dbrx,
)

FAMILIES = (DBRX,)
