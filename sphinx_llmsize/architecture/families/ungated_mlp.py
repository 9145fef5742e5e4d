"""Decoders whose feed-forward is an MLP without a gate, after layer norms or RMS norms."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.symbols import F, T
from sphinx_llmsize.translation import N_

ACTIVATION = Key(
    "activation",
    N_("the function between the feed-forward projections"),
    ("hidden_act",),
    Kind.NAME,
)


def starcoder2(config: Config) -> tuple[Item, ...]:
    """Layer norms; one key tells whether there are biases."""
    bias = config.flag(k.BIAS)
    return ungated(
        config, parts.grouped_query_attention(bias=bias), parts.mlp(bias=bias), parts.layer_norm
    )


def persimmon(config: Config) -> tuple[Item, ...]:
    """One matrix for Q, K and V, norms on the queries and keys of each head."""
    norms = parts.head_norms(bias=True) if config.flag(k.QK_NORM) else ()
    return ungated(
        config,
        parts.fused_attention(bias=True, norms=norms),
        parts.mlp(bias=True),
        parts.layer_norm,
    )


def nemotron(config: Config) -> tuple[Item, ...]:
    """Layer norms; biases on attention and MLP are told apart."""
    return with_biases(config, parts.layer_norm)


def arcee(config: Config) -> tuple[Item, ...]:
    """Llama's block without the gate."""
    return with_biases(config, parts.rms_norm)


def with_biases(config: Config, norm: parts.Norm) -> tuple[Item, ...]:
    """Grouped-query attention and an MLP, each with biases or without."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    return ungated(config, attention, parts.mlp(bias=config.flag(k.MLP_BIAS)), norm)


def ungated(
    config: Config, attention: Block, feed_forward: Block, norm: parts.Norm
) -> tuple[Item, ...]:
    """Pre-norm layers and a last norm of the same kind."""
    return parts.decoder(config, parts.pre_norm(norm, attention, feed_forward), norm=norm)


def nanochat(config: Config) -> tuple[Item, ...]:
    """Norms without weights: on the embeddings, on queries and keys, in every layer."""
    qk_norm = Stage(
        "qk_norm", N_("Q and K norms"), Group.NORMS, (T, parts.QUERY_WIDTH + 2 * parts.KEY_WIDTH)
    )
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS), norms=(qk_norm,))
    return parts.decoder(
        config,
        parts.pre_norm(parts.plain_norm, attention, parts.mlp()),
        norm=parts.plain_norm,
        embeddings=(
            parts.token_embedding(),
            parts.plain_norm("embedding_norm", N_("Embedding norm")),
        ),
    )


def apertus(config: Config) -> tuple[Item, ...]:
    """Norms on queries and keys; an activation that is learned."""
    attention = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms()
    )
    learned = config[ACTIVATION] == "xielu"
    feed_forward = (
        parts.inserted(parts.mlp(), xielu(), before="ffn_down") if learned else parts.mlp()
    )
    return ungated(config, attention, feed_forward, parts.rms_norm)


def xielu() -> Stage:
    """The activation xIELU, with two learned numbers (https://arxiv.org/abs/2411.13010)."""
    numbers = tuple(
        parts.vector(f"xielu.{name}", ONE, "mlp_activation", label=name)
        for name in ("alpha_p", "alpha_n")
    )
    return Stage("activation", N_("xIELU activation"), Group.FEED_FORWARD, (T, F), numbers)


STARCODER2 = Family(
    model_type="starcoder2",
    title="StarCoder2",
    source="https://arxiv.org/abs/2402.19173",
    architectures=("Starcoder2ForCausalLM",),
    defaults={
        **sizes(D=3072, L=30, H=24, H_kv=2, d_h=None, F=12_288, V=49_152, w=None),
        k.BIAS: True,
        k.TIE_EMBEDDINGS: True,
    },
    compose=starcoder2,
    windows=parts.in_all_layers,
)

PERSIMMON = Family(
    model_type="persimmon",
    title="Persimmon",
    source="https://huggingface.co/docs/transformers/model_doc/persimmon",
    architectures=("PersimmonForCausalLM",),
    defaults={
        **sizes(D=4096, L=36, H=64, F=16_384, V=262_144),
        k.QK_NORM: True,
        k.TIE_EMBEDDINGS: False,
    },
    compose=persimmon,
)

NEMOTRON = Family(
    model_type="nemotron",
    title="Nemotron-4",
    source="https://arxiv.org/abs/2402.16819",
    architectures=("NemotronForCausalLM",),
    defaults={
        **sizes(D=6144, L=32, H=48, H_kv=None, d_h=None, F=24_576, V=256_000),
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
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
        **sizes(D=3328, H=26, F=26_624, V=150_272),
        k.ATTENTION_BIAS: True,
        k.MLP_BIAS: True,
    },
)

ARCEE = Family(
    model_type="arcee",
    title="Arcee Foundation Model",
    source="https://huggingface.co/arcee-ai/AFM-4.5B",
    architectures=("ArceeForCausalLM",),
    defaults={
        **sizes(D=2560, L=32, H=32, H_kv=None, d_h=None, F=18_432, V=32_000),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
    },
    compose=arcee,
)

NANOCHAT = Family(
    model_type="nanochat",
    title="nanochat",
    source="https://github.com/karpathy/nanochat",
    architectures=("NanoChatForCausalLM",),
    defaults={
        **sizes(D=768, L=12, H=6, H_kv=None, d_h=None, F=8192, V=50_304),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=nanochat,
)

APERTUS = Family(
    model_type="apertus",
    title="Apertus",
    source="https://arxiv.org/abs/2509.14233",
    architectures=("ApertusForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=14_336, V=131_072),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
        ACTIVATION: "xielu",
    },
    compose=apertus,
)

FAMILIES = (STARCODER2, PERSIMMON, NEMOTRON, JAIS2, ARCEE, NANOCHAT, APERTUS)
