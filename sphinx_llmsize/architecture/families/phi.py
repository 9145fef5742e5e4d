"""Phi-1 to Phi-4: parallel layers with biases at first, fused projections later, experts in one."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    fused_attention,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import parallel, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import gated_experts, mixture_of_experts
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp, mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, layer_norm, rms_norm
from sphinx_llmsize.architecture.parts.windows import in_all_layers
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, NUM_EXPERTS
from sphinx_llmsize.config.rules import ATTENTION_HEADS, heads_fill_hidden
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    LM_HEAD_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    QK_NORM,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW


def phi(config: Config) -> tuple[Item, ...]:
    """Attention and MLP side by side, with biases everywhere."""
    norms = head_norms(bias=True) if config.flag(QK_NORM) else ()
    block = parallel(layer_norm, grouped_query_attention(bias=True, norms=norms), mlp(bias=True))
    return decoder(config, block, norm=layer_norm, head_bias=True)


def phi3(config: Config) -> tuple[Item, ...]:
    """Llama's block with Q, K and V in one matrix, gate and up in another."""
    attention = fused_attention(bias=False, width=QUERY_WIDTH, kv_width=KEY_WIDTH)
    return decoder(config, pre_norm(rms_norm, attention, fused_gated_mlp()), norm=rms_norm)


def phimoe(config: Config) -> tuple[Item, ...]:
    """Mixtral's block with layer norms and, if told, biases."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    block = pre_norm(layer_norm, attention, mixture_of_experts(gated_experts(width=F)))
    return decoder(config, block, norm=layer_norm, head_bias=config.flag(LM_HEAD_BIAS))


PHI = Family(
    model_type="phi",
    title="Phi",
    source="https://arxiv.org/abs/2309.05463",
    architectures=("PhiForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 24,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 8192,
        VOCAB_SIZE: 51_200,
        QK_NORM: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, heads_fill_hidden(QK_NORM)),
    compose=phi,
)
PHI3 = Family(
    model_type="phi3",
    title="Phi-3",
    source="https://arxiv.org/abs/2404.14219",
    architectures=("Phi3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 3072,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 8192,
        SLIDING_WINDOW: None,
        VOCAB_SIZE: 32_064,
        TIE_EMBEDDINGS: False,
    },
    compose=phi3,
    spans=in_all_layers,
)
PHIMOE = Family(
    model_type="phimoe",
    title="Phi-3.5-MoE",
    source="https://arxiv.org/abs/2404.14219",
    architectures=("PhimoeForCausalLM", "PhiMoEForCausalLM"),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        FFN_DIM: 6400,
        NUM_EXPERTS: 16,
        EXPERTS_PER_TOKEN: 2,
        SLIDING_WINDOW: None,
        VOCAB_SIZE: 32_064,
        ATTENTION_BIAS: False,
        LM_HEAD_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=phimoe,
    spans=in_all_layers,
)

FAMILIES = (PHI, PHI3, PHIMOE)
