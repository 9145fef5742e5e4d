"""Multi-head latent attention in models without experts: MiniCPM3 and Youtu-LLM."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.latent_attention import latent_attention
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.latent_attention import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.rules import Rule, Settings, known
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def youtu(config: Config) -> tuple[Item, ...]:
    """Latent attention and a gated MLP."""
    return latent_decoder(config, mlp_bias=False)


def minicpm3(config: Config) -> tuple[Item, ...]:
    """The same, where the MLP may have biases."""
    return latent_decoder(config, mlp_bias=config.flag(MLP_BIAS))


def latent_decoder(config: Config, *, mlp_bias: bool) -> tuple[Item, ...]:
    """Pre-norm layers of latent attention and a gated MLP."""
    attention = latent_attention(
        query_latent=config.has(Q_LORA_RANK), bias=config.flag(ATTENTION_BIAS)
    )
    block = pre_norm(rms_norm, attention, gated_mlp(bias=mlp_bias))
    return decoder(config, block, norm=rms_norm)


def value_head_dim(settings: Settings) -> Settings:
    """MiniCPM3's values have D / H numbers for each head, unless told."""
    width = known(settings, HIDDEN_DIM) // known(settings, NUM_HEADS)
    return {V_HEAD_DIM: max(1, width)}


YOUTU = Family(
    model_type="youtu",
    title="Youtu-LLM",
    source="https://huggingface.co/tencent/Youtu-LLM-2B",
    architectures=("YoutuForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 32,
        NUM_HEADS: 16,
        Q_LORA_RANK: 1536,
        KV_LORA_RANK: 512,
        NOPE_HEAD_DIM: 128,
        ROPE_HEAD_DIM: 64,
        V_HEAD_DIM: 128,
        FFN_DIM: 6144,
        VOCAB_SIZE: 128_256,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
    },
    compose=youtu,
    rules=(),
)
MINICPM3 = replace(
    YOUTU,
    model_type="minicpm3",
    title="MiniCPM3",
    source="https://huggingface.co/openbmb/MiniCPM3-4B",
    architectures=("MiniCPM3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 62,
        NUM_HEADS: 40,
        Q_LORA_RANK: 768,
        KV_LORA_RANK: 256,
        NOPE_HEAD_DIM: 64,
        ROPE_HEAD_DIM: 32,
        V_HEAD_DIM: None,
        FFN_DIM: 6400,
        VOCAB_SIZE: 73_448,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=minicpm3,
    rules=(Rule(value_head_dim),),
)

FAMILIES = (YOUTU, MINICPM3)
