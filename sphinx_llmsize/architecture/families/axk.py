"""A.X K1 and K2: DeepSeek's layers with further norms and gates."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3
from sphinx_llmsize.architecture.layers import Kinds, every, layered
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.indexers import lightning_indexer
from sphinx_llmsize.architecture.parts.latent_attention import (
    QUERY_WIDTH,
    VALUE_WIDTH,
    attention_from_latents,
    latent_attention,
    latent_queries,
)
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Stage
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERT_LAYER_STEP,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
)
from sphinx_llmsize.config.indexer import INDEX_HEAD_DIM, INDEX_HEADS
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.latent_attention import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    QUERY_LATENT,
    R_Q,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, FFN_TYPES
from sphinx_llmsize.config.rules import one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    VOCAB_SIZE,
    D,
    L,
)

R_N = Symbol("R_n", "rank of the gates of norms")
NORM_GATE_RANK = size_key(R_N, "norm_gate_rank", "gated_norm_rank")


def axk1(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3's layers, with a norm after the experts."""
    attention = latent_attention(query_latent=True, bias=config.flag(ATTENTION_BIAS))
    experts = (*experts_and_shared(config), rms_norm("post_ffn_norm", "Norm after experts"))
    return decoder_with_experts(config, attention, experts, sparse_kinds(config))


def axk2(config: Config) -> tuple[Item, ...]:
    """Layers that gate the result of attention, and the norms before attention and experts."""
    bias = config.flag(ATTENTION_BIAS)
    queries_and_gate = latent_queries(
        bias=bias,
        inputs=2 * R_Q,
        width=QUERY_WIDTH + VALUE_WIDTH,
        index=lightning_indexer(),
    )
    attention = attention_from_latents(queries_and_gate, bias=bias)

    def block(ffn: str) -> Block:
        norm = rms_norm if ffn == "dense" else norm_with_gate
        return (
            norm_with_gate("attention_norm", "Attention norm"),
            *attention,
            norm("ffn_norm", "FFN norm"),
            *(gated_mlp() if ffn == "dense" else experts_and_shared(config)),
        )

    layers = layered(config.count(L), block, ffn=sparse_kinds(config))
    return decoder(config, layers, norm=rms_norm)


def norm_with_gate(id: str, label: str) -> Stage:
    """An RMS norm whose output a gate scales, made from it through R_n numbers."""
    norm = rms_norm(id, label)
    down = linear(f"{id}_gate_down", D, R_N, "norms", label="gate down")
    up = linear(f"{id}_gate_up", R_N, D, "norms", label="gate up")
    return replace(norm, tensors=(*norm.tensors, *down, *up))


def sparse_kinds(config: Config) -> Kinds:
    """Experts as listed; else in one layer of so many, from the first that may have them."""
    step = config.count(EXPERT_LAYER_STEP)
    start = -(-config.count(FIRST_DENSE_LAYERS) // step) * step
    return ffn_kinds(config, every(step, "MoE", others="dense", start=start))


AXK1 = replace(
    DEEPSEEK_V3,
    model_type="axk1",
    title="A.X K1",
    source="https://huggingface.co/skt/A.X-K1",
    architectures=("AXK1ForCausalLM",),
    defaults={
        **DEEPSEEK_V3.defaults,
        NUM_HEADS: 64,
        NUM_EXPERTS: 192,
        FIRST_DENSE_LAYERS: 1,
        EXPERT_LAYER_STEP: 1,
        FFN_LAYER_TYPES: None,
        VOCAB_SIZE: 163_840,
    },
    rules=(QUERY_LATENT, FFN_TYPES, one_for_each_layer(FFN_LAYER_TYPES)),
    compose=axk1,
)
AXK2 = replace(
    AXK1,
    model_type="axk2",
    title="A.X K2",
    source="https://huggingface.co/docs/transformers/model_doc/axk2",
    architectures=("AXK2ForCausalLM",),
    defaults={
        **AXK1.defaults,
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 48,
        NUM_HEADS: 32,
        Q_LORA_RANK: 384,
        KV_LORA_RANK: 128,
        NOPE_HEAD_DIM: 64,
        ROPE_HEAD_DIM: 32,
        V_HEAD_DIM: 64,
        INDEX_HEADS: 16,
        INDEX_HEAD_DIM: 128,
        FFN_DIM: 5120,
        NUM_EXPERTS: 128,
        EXPERT_DIM: 512,
        NORM_GATE_RANK: 16,
        NEXT_TOKEN_LAYERS: None,
    },
    compose=axk2,
    notes=(CORRECTION_BIAS_NOTE,),
)

FAMILIES = (AXK1, AXK2)
