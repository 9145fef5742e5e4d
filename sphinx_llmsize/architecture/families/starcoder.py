"""StarCoder2, Nemotron and Persimmon: layer norms around attention and an MLP without a gate."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import fused_attention, grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, layer_norm
from sphinx_llmsize.architecture.pieces import Block, Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    QK_NORM,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def starcoder2(config: Config) -> tuple[Item, ...]:
    """Grouped-query attention; one key tells whether there are biases."""
    bias = config.flag(BIAS)
    return _decoder(config, grouped_query_attention(bias=bias), mlp(bias=bias))


def nemotron(config: Config) -> tuple[Item, ...]:
    """Grouped-query attention; biases on attention and MLP are told apart."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    return _decoder(config, attention, mlp(bias=config.flag(MLP_BIAS)))


def persimmon(config: Config) -> tuple[Item, ...]:
    """One matrix for Q, K and V, norms on the queries and keys of each head."""
    norms = head_norms(bias=True) if config.flag(QK_NORM) else ()
    return _decoder(config, fused_attention(bias=True, norms=norms), mlp(bias=True))


def _decoder(config: Config, attention: Block, feed_forward: Block) -> tuple[Item, ...]:
    return decoder(config, pre_norm(layer_norm, attention, feed_forward), norm=layer_norm)


STARCODER2 = Family(
    model_type="starcoder2",
    title="StarCoder2",
    source="https://arxiv.org/abs/2402.19173",
    architectures=("Starcoder2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 3072,
        NUM_LAYERS: 30,
        NUM_HEADS: 24,
        NUM_KV_HEADS: 2,
        HEAD_DIM: None,
        FFN_DIM: 12_288,
        VOCAB_SIZE: 49_152,
        BIAS: True,
        TIE_EMBEDDINGS: True,
    },
    compose=starcoder2,
)
NEMOTRON = Family(
    model_type="nemotron",
    title="Nemotron-4",
    source="https://arxiv.org/abs/2402.16819",
    architectures=("NemotronForCausalLM",),
    defaults={
        HIDDEN_DIM: 6144,
        NUM_LAYERS: 32,
        NUM_HEADS: 48,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 24_576,
        VOCAB_SIZE: 256_000,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=nemotron,
)
PERSIMMON = Family(
    model_type="persimmon",
    title="Persimmon",
    source="https://huggingface.co/docs/transformers/model_doc/persimmon",
    architectures=("PersimmonForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 36,
        NUM_HEADS: 64,
        FFN_DIM: 16_384,
        VOCAB_SIZE: 262_144,
        QK_NORM: True,
        TIE_EMBEDDINGS: False,
    },
    compose=persimmon,
)

FAMILIES = (STARCODER2, NEMOTRON, PERSIMMON)
