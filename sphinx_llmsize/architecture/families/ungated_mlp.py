"""Decoders whose feed-forward is an MLP without a gate, after layer norms or RMS norms."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    fused_attention,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import inserted, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.linear import vector
from sphinx_llmsize.architecture.parts.norms import (
    Norm,
    head_norms,
    layer_norm,
    plain_norm,
    rms_norm,
)
from sphinx_llmsize.architecture.parts.windows import in_all_layers
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind
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
    F,
    T,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW

ACTIVATION = Key(
    "activation", "the function between the feed-forward projections", ("hidden_act",), Kind.NAME
)


def starcoder2(config: Config) -> tuple[Item, ...]:
    """Layer norms; one key tells whether there are biases."""
    bias = config.flag(BIAS)
    return ungated(config, grouped_query_attention(bias=bias), mlp(bias=bias), layer_norm)


def persimmon(config: Config) -> tuple[Item, ...]:
    """One matrix for Q, K and V, norms on the queries and keys of each head."""
    norms = head_norms(bias=True) if config.flag(QK_NORM) else ()
    return ungated(config, fused_attention(bias=True, norms=norms), mlp(bias=True), layer_norm)


def nemotron(config: Config) -> tuple[Item, ...]:
    """Layer norms; biases on attention and MLP are told apart."""
    return with_biases(config, layer_norm)


def arcee(config: Config) -> tuple[Item, ...]:
    """Llama's block without the gate."""
    return with_biases(config, rms_norm)


def with_biases(config: Config, norm: Norm) -> tuple[Item, ...]:
    """Grouped-query attention and an MLP, each with biases or without."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    return ungated(config, attention, mlp(bias=config.flag(MLP_BIAS)), norm)


def ungated(config: Config, attention: Block, feed_forward: Block, norm: Norm) -> tuple[Item, ...]:
    """Pre-norm layers and a last norm of the same kind."""
    return decoder(config, pre_norm(norm, attention, feed_forward), norm=norm)


def nanochat(config: Config) -> tuple[Item, ...]:
    """Norms without weights: on the embeddings, on queries and keys, in every layer."""
    qk_norm = Stage("qk_norm", "Q and K norms", Group.NORMS, (T, QUERY_WIDTH + 2 * KEY_WIDTH))
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=(qk_norm,))
    return decoder(
        config,
        pre_norm(plain_norm, attention, mlp()),
        norm=plain_norm,
        embeddings=(token_embedding(), plain_norm("embedding_norm", "Embedding norm")),
    )


def apertus(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; an activation that is learned."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    learned = config[ACTIVATION] == "xielu"
    feed_forward = inserted(mlp(), xielu(), before="ffn_down") if learned else mlp()
    return ungated(config, attention, feed_forward, rms_norm)


def xielu() -> Stage:
    """The activation xIELU, with two learned numbers (https://arxiv.org/abs/2411.13010)."""
    numbers = tuple(
        vector(f"xielu.{name}", ONE, "mlp_activation", label=name)
        for name in ("alpha_p", "alpha_n")
    )
    return Stage("activation", "xIELU activation", Group.FEED_FORWARD, (T, F), numbers)


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
        SLIDING_WINDOW: None,
        VOCAB_SIZE: 49_152,
        BIAS: True,
        TIE_EMBEDDINGS: True,
    },
    compose=starcoder2,
    spans=in_all_layers,
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

JAIS2 = replace(
    NEMOTRON,
    model_type="jais2",
    title="Jais 2",
    source="https://huggingface.co/inceptionai/Jais-2-8B-Chat",
    architectures=("Jais2ForCausalLM",),
    defaults={
        **NEMOTRON.defaults,
        HIDDEN_DIM: 3328,
        NUM_HEADS: 26,
        FFN_DIM: 26_624,
        VOCAB_SIZE: 150_272,
        ATTENTION_BIAS: True,
        MLP_BIAS: True,
    },
)

ARCEE = Family(
    model_type="arcee",
    title="Arcee Foundation Model",
    source="https://huggingface.co/arcee-ai/AFM-4.5B",
    architectures=("ArceeForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 18_432,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=arcee,
)

NANOCHAT = Family(
    model_type="nanochat",
    title="nanochat",
    source="https://github.com/karpathy/nanochat",
    architectures=("NanoChatForCausalLM",),
    defaults={
        HIDDEN_DIM: 768,
        NUM_LAYERS: 12,
        NUM_HEADS: 6,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 8192,
        VOCAB_SIZE: 50_304,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=nanochat,
)

APERTUS = Family(
    model_type="apertus",
    title="Apertus",
    source="https://arxiv.org/abs/2509.14233",
    architectures=("ApertusForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 14_336,
        VOCAB_SIZE: 131_072,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        ACTIVATION: "xielu",
    },
    compose=apertus,
)

FAMILIES = (STARCODER2, PERSIMMON, NEMOTRON, JAIS2, ARCEE, NANOCHAT, APERTUS)
