"""Hunyuan: norms on queries and keys, with or without experts."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.families.qwen import normed_attention, qwen3
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import layered, listed, same
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.tensors import Copies
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import NUM_EXPERTS, E, K
from sphinx_llmsize.config.key import Kind, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    L,
)
from sphinx_llmsize.translation import N_

USED_IN_LAYERS = size_key(
    K,
    "experts_per_token_of_layers",
    "num_experts_per_token",
    "num_experts_per_tok",
    "moe_topk",
    kind=Kind.COUNTS,
)
"""In this family each layer may have its own."""


def hunyuan_moe(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; one shared expert as wide as the others."""
    attention, counts = normed_attention(config), config.counts(USED_IN_LAYERS)
    alike = len(set(counts)) == 1

    def block(used: str) -> Block:
        count = int(used.split()[1])
        several = Quantity(
            f"k_{count}",
            N_("experts that a token uses where it uses {number}", number=count),
            count,
        )
        copies = Copies(E, Quantity(K.name, K.meaning, count) if alike else several)
        experts = gated_experts(width=F, copies=copies)
        feed_forward = mixture_of_experts(experts, shared=shared_expert(width=F))
        return pre_norm(rms_norm, attention, feed_forward)

    names = [f"top {count}" for count in counts]
    kinds = same(names[0]) if alike else listed(names)
    return decoder(config, layered(config.count(L), block, used=kinds), norm=rms_norm)


HUNYUAN_DENSE = Family(
    model_type="hunyuan_v1_dense",
    title="Hunyuan (dense)",
    source="https://huggingface.co/tencent/Hunyuan-7B-Instruct",
    architectures=("HunYuanDenseV1ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        VOCAB_SIZE: 290_943,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=qwen3,
)

HUNYUAN_MOE = Family(
    model_type="hunyuan_v1_moe",
    title="Hunyuan (MoE)",
    source="https://huggingface.co/tencent/Hunyuan-A13B-Instruct",
    architectures=("HunYuanMoEV1ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        NUM_EXPERTS: 1,
        USED_IN_LAYERS: 1,
        VOCAB_SIZE: 290_943,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(USED_IN_LAYERS)),
    compose=hunyuan_moe,
)

FAMILIES = (HUNYUAN_DENSE, HUNYUAN_MOE)
