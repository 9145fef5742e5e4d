"""Llama's layers with other sizes or biases, under a ``model_type`` of their own."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import llama
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, flag
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.translation import N_

OUTPUT_BIAS = flag(
    "attention_output_bias", N_("a bias on the attention's output projection"), "attention_out_bias"
)


def internlm3(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection has a bias where the feed-forward has."""
    return biases(config, output=k.MLP_BIAS)


def seed_oss(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection's bias is a choice of its own."""
    return biases(config, output=OUTPUT_BIAS)


def biases(config: Config, *, output: Key) -> tuple[Item, ...]:
    """Llama's block, and a key that says whether the output projection has a bias."""
    attention = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), output_bias=config.flag(output)
    )
    block = parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp(bias=config.flag(k.MLP_BIAS)))
    return parts.decoder(config, block, norm=parts.rms_norm)


def cwm(config: Config) -> tuple[Item, ...]:
    """Llama's block without biases in the attention."""
    block = parts.pre_norm(
        parts.rms_norm,
        parts.grouped_query_attention(),
        parts.gated_mlp(bias=config.flag(k.MLP_BIAS)),
    )
    return parts.decoder(config, block, norm=parts.rms_norm)


def helium(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection is D × D, whatever the heads' width, without bias."""
    qkv = parts.qkv_projections(bias=config.flag(k.ATTENTION_BIAS))
    heads = parts.attention(
        qkv,
        parts.linear("o_proj", D, D, "attn_o"),
        qkv_width=parts.QUERY_WIDTH + 2 * parts.KEY_WIDTH,
    )
    block = parts.pre_norm(parts.rms_norm, heads, parts.gated_mlp(bias=config.flag(k.MLP_BIAS)))
    return parts.decoder(config, block, norm=parts.rms_norm)


INTERNLM3 = Family(
    model_type="internlm3",
    title="InternLM3",
    source="https://huggingface.co/internlm/internlm3-8b-instruct",
    architectures=("InternLM3ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 48,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 2,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 10_240,
        k.VOCAB_SIZE: 128_512,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
    },
    compose=internlm3,
    names={"qkv_bias": k.ATTENTION_BIAS, "bias": k.MLP_BIAS},
)

IQUEST_CODER = Family(
    model_type="iquestcoder",
    title="IQuest-Coder",
    source="https://huggingface.co/IQuestLab/IQuest-Coder-V1-40B-Instruct",
    architectures=("IQuestCoderForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 5120,
        k.NUM_LAYERS: 80,
        k.NUM_HEADS: 40,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 27_648,
        k.VOCAB_SIZE: 76_800,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
    },
    compose=llama,
)

CWM = Family(
    model_type="cwm",
    title="Code World Model",
    source="https://huggingface.co/facebook/cwm",
    architectures=("CwmForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 6144,
        k.NUM_LAYERS: 64,
        k.NUM_HEADS: 48,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 21_504,
        k.SLIDING_WINDOW: 8192,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 128_256,
        k.TIE_EMBEDDINGS: False,
        k.MLP_BIAS: False,
    },
    compose=cwm,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.full_every(4, start=0)),
)

SEED_OSS = Family(
    model_type="seed_oss",
    title="Seed-OSS",
    source="https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct",
    architectures=("SeedOssForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 64,
        k.NUM_HEADS: 80,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 27_648,
        k.VOCAB_SIZE: 155_136,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: True,
        OUTPUT_BIAS: False,
        k.MLP_BIAS: False,
    },
    compose=seed_oss,
)

SMOLLM3 = Family(
    model_type="smollm3",
    title="SmolLM3",
    source="https://huggingface.co/HuggingFaceTB/SmolLM3-3B",
    architectures=("SmolLM3ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 36,
        k.NUM_HEADS: 16,
        k.NUM_KV_HEADS: 4,
        k.HEAD_DIM: None,
        k.FFN_DIM: 11_008,
        k.USES_WINDOW: False,
        k.SLIDING_WINDOW: None,
        k.ROTARY_LAYERS: None,
        k.NO_ROPE_INTERVAL: 4,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 128_256,
        k.TIE_EMBEDDINGS: True,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
    },
    compose=llama,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.layers_without_positions),
)

HELIUM = Family(
    model_type="helium",
    title="Helium",
    source="https://huggingface.co/kyutai/helium-1-preview-2b",
    architectures=("HeliumForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2560,
        k.NUM_LAYERS: 24,
        k.NUM_HEADS: 20,
        k.NUM_KV_HEADS: 20,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 7040,
        k.VOCAB_SIZE: 48_000,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
    },
    compose=helium,
)

EMU3 = Family(
    model_type="emu3_text_model",
    title="Emu3",
    source="https://arxiv.org/abs/2409.18869",
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: None,
        k.FFN_DIM: 14_336,
        k.VOCAB_SIZE: 184_622,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: False,
        k.MLP_BIAS: False,
    },
    compose=llama,
    notes=(
        Note(
            N_(
                "The released weights also have a vision tokenizer, which makes tokens of images; "
                "it is not counted here."
            )
        ),
    ),
)

FAMILIES = (INTERNLM3, IQUEST_CODER, CWM, SEED_OSS, SMOLLM3, HELIUM, EMU3)
