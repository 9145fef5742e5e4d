"""Families like Llama whose code is in transformers; some have other biases or windows."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Items, off, sizes, unset, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.translation import N_

OUTPUT_BIAS = k.flag(
    "attention_output_bias attention_out_bias", N_("a bias on the attention's output projection")
)


def seed_oss(config: Config) -> Items:
    """Llama's layers, with a separate key for the bias of the attention's output projection."""
    attention = parts.grouped_query_attention(
        bias=config.flag(k.QKV_BIAS), output_bias=config.flag(OUTPUT_BIAS)
    )
    return parts.uniform_decoder(config, attention, parts.gated_mlp_of(config))


def cwm(config: Config) -> Items:
    """Llama's layers without biases in the attention."""
    return parts.uniform_decoder(
        config, parts.grouped_query_attention(), parts.gated_mlp_of(config)
    )


def helium(config: Config) -> Items:
    """Llama's layers; the output projection is always D × D and has no bias."""
    attention = parts.attention(
        parts.qkv_projections(bias=config.flag(k.ATTENTION_BIAS)),
        parts.linear("o_proj", D, D, "attn_o"),
        qkv_width=parts.QUERY_WIDTH + 2 * parts.KEY_WIDTH,
    )
    return parts.uniform_decoder(config, attention, parts.gated_mlp_of(config))


CWM = variant(
    LIKE_LLAMA,
    "cwm",
    "Code World Model",
    "CwmForCausalLM",
    "https://huggingface.co/facebook/cwm",
    defaults={
        **sizes(D=6144, L=64, H=48, H_kv=8, d_h=128, F=21_504, V=128_256, w=8192),
        **unset(k.LAYER_TYPES),
    },
    removed=(k.ATTENTION_BIAS,),
    compose=cwm,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(4, start=0)),
)
SEED_OSS = variant(
    LIKE_LLAMA,
    "seed_oss",
    "Seed-OSS",
    "SeedOssForCausalLM",
    "https://huggingface.co/ByteDance-Seed/Seed-OSS-36B-Instruct",
    defaults={
        **sizes(L=64, H=80, H_kv=8, d_h=128, F=27_648, V=155_136),
        **off(OUTPUT_BIAS),
        k.QKV_BIAS: True,
    },
    removed=(k.ATTENTION_BIAS,),
    names={"attention_bias": k.QKV_BIAS},
    compose=seed_oss,
)
SMOLLM3 = variant(
    LIKE_LLAMA,
    "smollm3",
    "SmolLM3",
    "SmolLM3ForCausalLM",
    "https://huggingface.co/HuggingFaceTB/SmolLM3-3B",
    defaults={
        **sizes(D=2048, L=36, H=16, H_kv=4, F=11_008, V=128_256, w=None),
        **off(k.USES_WINDOW),
        **unset(k.ROTARY_LAYERS, k.LAYER_TYPES),
        k.NO_ROPE_INTERVAL: 4,
        k.TIE_EMBEDDINGS: True,
    },
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.layers_without_positions),
    positions=parts.rotary_in(parts.rotary_layers),
)
HELIUM = variant(
    LIKE_LLAMA,
    "helium",
    "Helium",
    "HeliumForCausalLM",
    "https://huggingface.co/kyutai/helium-1-preview-2b",
    defaults=sizes(D=2560, L=24, H=20, H_kv=20, d_h=128, F=7040, V=48_000),
    compose=helium,
)
EMU3 = variant(
    LIKE_LLAMA,
    "emu3_text_model",
    "Emu3",
    "Emu3ForCausalLM",
    "https://arxiv.org/abs/2409.18869",
    defaults=sizes(H_kv=8, F=14_336, V=184_622),
    notes=(CountNote(N_("Not counted: the vision tokenizer, which turns images into tokens.")),),
)
