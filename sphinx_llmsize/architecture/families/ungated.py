"""Decoders whose feed-forward is an MLP without a gate: squared ReLU or xIELU."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.families.llama_like import sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
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
from sphinx_llmsize.architecture.pieces import Group, Item, Stage
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    MLP_BIAS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    T,
)

ACTIVATION = Key(
    "activation", "the function between the feed-forward projections", ("hidden_act",), Kind.NAME
)


def plain_block(config: Config, norm: Norm) -> tuple[Item, ...]:
    """Grouped-query attention and an ungated MLP, each with biases or without."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    return decoder(config, pre_norm(norm, attention, mlp(bias=config.flag(MLP_BIAS))), norm=norm)


def arcee(config: Config) -> tuple[Item, ...]:
    """Llama's block without the gate."""
    return plain_block(config, rms_norm)


def jais2(config: Config) -> tuple[Item, ...]:
    """Layer norms, and biases everywhere."""
    return plain_block(config, layer_norm)


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
    return decoder(config, pre_norm(rms_norm, attention, feed_forward), norm=rms_norm)


def xielu() -> Stage:
    """The activation xIELU, with two learned numbers (https://arxiv.org/abs/2411.13010)."""
    numbers = tuple(
        vector(f"xielu.{name}", ONE, "mlp_activation", label=name)
        for name in ("alpha_p", "alpha_n")
    )
    return Stage("activation", "Activation xIELU", Group.FEED_FORWARD, (T, F), numbers)


ARCEE = Family(
    model_type="arcee",
    title="Arcee Foundation Model",
    source="https://huggingface.co/arcee-ai/AFM-4.5B",
    architectures=("ArceeForCausalLM",),
    defaults={
        **sizes(hidden=2560, layers=32, heads=32, ffn=18_432),
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=arcee,
)
JAIS2 = Family(
    model_type="jais2",
    title="Jais 2",
    source="https://huggingface.co/inceptionai/Jais-2-8B-Chat",
    architectures=("Jais2ForCausalLM",),
    defaults={
        **sizes(hidden=3328, layers=32, heads=26, ffn=26_624),
        VOCAB_SIZE: 150_272,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: True,
        MLP_BIAS: True,
    },
    compose=jais2,
)
NANOCHAT = Family(
    model_type="nanochat",
    title="nanochat",
    source="https://github.com/karpathy/nanochat",
    architectures=("NanoChatForCausalLM",),
    defaults={
        **sizes(hidden=768, layers=12, heads=6, ffn=8192),
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
        **sizes(hidden=4096, layers=32, heads=32, ffn=14_336),
        VOCAB_SIZE: 131_072,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        ACTIVATION: "xielu",
    },
    compose=apertus,
)

FAMILIES = (ARCEE, JAIS2, NANOCHAT, APERTUS)
