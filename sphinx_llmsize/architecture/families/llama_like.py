"""Llama's layers with other sizes or biases, under a ``model_type`` of their own."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.llama import compose as llama
from sphinx_llmsize.architecture.family import Family, Note
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    attention,
    qkv_projections,
)
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention as gqa
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.pieces import Item
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key, flag
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
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
)

Defaults = dict[Key, Setting]
OUTPUT_BIAS = flag(
    "attention_output_bias", "a bias on the attention's output projection", "attention_out_bias"
)


def sizes(
    *,
    hidden: int,
    layers: int,
    heads: int,
    ffn: int,
    kv_heads: int | None = None,
    head_dim: int | None = None,
) -> Defaults:
    """The sizes that every family here has; null ones follow from the others."""
    return {
        HIDDEN_DIM: hidden,
        NUM_LAYERS: layers,
        NUM_HEADS: heads,
        NUM_KV_HEADS: kv_heads,
        HEAD_DIM: head_dim,
        FFN_DIM: ffn,
    }


def internlm3(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection has a bias where the feed-forward has."""
    return biases(config, output=MLP_BIAS)


def seed_oss(config: Config) -> tuple[Item, ...]:
    """Llama's block; the output projection's bias is a choice of its own."""
    return biases(config, output=OUTPUT_BIAS)


def biases(config: Config, *, output: Key) -> tuple[Item, ...]:
    """Llama's block, and a key that says whether the output projection has a bias."""
    attention = gqa(bias=config.flag(ATTENTION_BIAS), output_bias=config.flag(output))
    block = pre_norm(rms_norm, attention, gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


def cwm(config: Config) -> tuple[Item, ...]:
    """Llama's block without biases in the attention."""
    block = pre_norm(rms_norm, gqa(), gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


def ernie(config: Config) -> tuple[Item, ...]:
    """Llama's block with all biases or none."""
    bias = config.flag(BIAS)
    return decoder(config, pre_norm(rms_norm, gqa(bias=bias), gated_mlp(bias=bias)), norm=rms_norm)


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
        **sizes(hidden=4096, layers=48, heads=32, kv_heads=2, head_dim=128, ffn=10_240),
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
        **sizes(hidden=5120, layers=80, heads=40, kv_heads=8, head_dim=128, ffn=27_648),
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
        **sizes(hidden=6144, layers=64, heads=48, kv_heads=8, head_dim=128, ffn=21_504),
        VOCAB_SIZE: 128_256,
        TIE_EMBEDDINGS: False,
        MLP_BIAS: False,
    },
    compose=cwm,
)
SEED_OSS = Family(
    model_type="seed_oss",
    title="Seed-OSS",
    source="https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct",
    architectures=("SeedOssForCausalLM",),
    defaults={
        **sizes(hidden=4096, layers=64, heads=80, kv_heads=8, head_dim=128, ffn=27_648),
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
        **sizes(hidden=2048, layers=36, heads=16, kv_heads=4, ffn=11_008),
        VOCAB_SIZE: 128_256,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=llama,
)
HELIUM = Family(
    model_type="helium",
    title="Helium",
    source="https://huggingface.co/kyutai/helium-1-preview-2b",
    architectures=("HeliumForCausalLM",),
    defaults={
        **sizes(hidden=2560, layers=24, heads=20, kv_heads=20, head_dim=128, ffn=7040),
        VOCAB_SIZE: 48_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
    },
    compose=helium,
)
ERNIE_4_5 = Family(
    model_type="ernie4_5",
    title="ERNIE 4.5 (dense)",
    source="https://huggingface.co/baidu/ERNIE-4.5-0.3B-PT",
    architectures=("Ernie4_5ForCausalLM",),
    defaults={
        **sizes(hidden=1024, layers=18, heads=16, kv_heads=2, head_dim=128, ffn=3072),
        VOCAB_SIZE: 103_424,
        TIE_EMBEDDINGS: True,
        BIAS: False,
    },
    compose=ernie,
)
EMU3 = Family(
    model_type="emu3_text_model",
    title="Emu3",
    source="https://arxiv.org/abs/2409.18869",
    defaults={
        **sizes(hidden=4096, layers=32, heads=32, kv_heads=8, ffn=14_336),
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

FAMILIES = (
    INTERNLM3,
    IQUEST_CODER,
    CWM,
    SEED_OSS,
    SMOLLM3,
    HELIUM,
    ERNIE_4_5,
    EMU3,
)
