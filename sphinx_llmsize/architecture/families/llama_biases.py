"""Llama's layers with other sizes or biases, under a ``model_type`` of their own."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.llama import llama
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    attention,
    grouped_query_attention,
    qkv_projections,
)
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.windows import (
    by_layer_types,
    full_every,
    layers_without_positions,
)
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, flag
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
)
from sphinx_llmsize.config.windows import (
    LISTED_WINDOWS,
    NO_ROPE_INTERVAL,
    ROTARY_LAYERS,
    SLIDING_WINDOW,
    USES_WINDOW,
)

OUTPUT_BIAS = flag(
    "attention_output_bias", "a bias on the attention's output projection", "attention_out_bias"
)


def internlm3(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection has a bias where the feed-forward has."""
    return biases(config, output=MLP_BIAS)


def seed_oss(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection's bias is a choice of its own."""
    return biases(config, output=OUTPUT_BIAS)


def biases(config: Config, *, output: Key) -> tuple[Item, ...]:
    """Llama's block, and a key that says whether the output projection has a bias."""
    attention = grouped_query_attention(
        bias=config.flag(ATTENTION_BIAS), output_bias=config.flag(output)
    )
    block = pre_norm(rms_norm, attention, gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


def cwm(config: Config) -> tuple[Item, ...]:
    """Llama's block without biases in the attention."""
    block = pre_norm(rms_norm, grouped_query_attention(), gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


def helium(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection is D × D, whatever the heads' width, without bias."""
    qkv = qkv_projections(bias=config.flag(ATTENTION_BIAS))
    heads = attention(qkv, linear("o_proj", D, D, "attn_o"), qkv_width=QUERY_WIDTH + 2 * KEY_WIDTH)
    block = pre_norm(rms_norm, heads, gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


INTERNLM3 = Family(
    model_type="internlm3",
    title="InternLM3",
    source="https://huggingface.co/internlm/internlm3-8b-instruct",
    architectures=("InternLM3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 48,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 2,
        HEAD_DIM: 128,
        FFN_DIM: 10_240,
        VOCAB_SIZE: 128_512,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=internlm3,
    names={"qkv_bias": ATTENTION_BIAS, "bias": MLP_BIAS},
)

IQUEST_CODER = Family(
    model_type="iquestcoder",
    title="IQuest-Coder",
    source="https://huggingface.co/IQuestLab/IQuest-Coder-V1-40B-Instruct",
    architectures=("IQuestCoderForCausalLM",),
    defaults={
        HIDDEN_DIM: 5120,
        NUM_LAYERS: 80,
        NUM_HEADS: 40,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 27_648,
        VOCAB_SIZE: 76_800,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=llama,
)

CWM = Family(
    model_type="cwm",
    title="Code World Model",
    source="https://huggingface.co/facebook/cwm",
    architectures=("CwmForCausalLM",),
    defaults={
        HIDDEN_DIM: 6144,
        NUM_LAYERS: 64,
        NUM_HEADS: 48,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 21_504,
        SLIDING_WINDOW: 8192,
        LAYER_TYPES: None,
        VOCAB_SIZE: 128_256,
        TIE_EMBEDDINGS: False,
        MLP_BIAS: False,
    },
    compose=cwm,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(full_every(4, start=0)),
)

SEED_OSS = Family(
    model_type="seed_oss",
    title="Seed-OSS",
    source="https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct",
    architectures=("SeedOssForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 64,
        NUM_HEADS: 80,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 27_648,
        VOCAB_SIZE: 155_136,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: True,
        OUTPUT_BIAS: False,
        MLP_BIAS: False,
    },
    compose=seed_oss,
)

SMOLLM3 = Family(
    model_type="smollm3",
    title="SmolLM3",
    source="https://huggingface.co/HuggingFaceTB/SmolLM3-3B",
    architectures=("SmolLM3ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 36,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 4,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        USES_WINDOW: False,
        SLIDING_WINDOW: None,
        ROTARY_LAYERS: None,
        NO_ROPE_INTERVAL: 4,
        LAYER_TYPES: None,
        VOCAB_SIZE: 128_256,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=llama,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(layers_without_positions),
)

HELIUM = Family(
    model_type="helium",
    title="Helium",
    source="https://huggingface.co/kyutai/helium-1-preview-2b",
    architectures=("HeliumForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 24,
        NUM_HEADS: 20,
        NUM_KV_HEADS: 20,
        HEAD_DIM: 128,
        FFN_DIM: 7040,
        VOCAB_SIZE: 48_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=helium,
)

EMU3 = Family(
    model_type="emu3_text_model",
    title="Emu3",
    source="https://arxiv.org/abs/2409.18869",
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        FFN_DIM: 14_336,
        VOCAB_SIZE: 184_622,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=llama,
    notes=(
        Note(
            "The released weights also have a vision tokenizer, which makes tokens of images; "
            "it is not counted here."
        ),
    ),
)

FAMILIES = (INTERNLM3, IQUEST_CODER, CWM, SEED_OSS, SMOLLM3, HELIUM, EMU3)
