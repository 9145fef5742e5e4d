"""Families like Llama whose code is on the Hub; some have other norms, biases or projections."""

from __future__ import annotations

from sphinx_llmsize.algebra import ceil_div
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.translation import N_

QUERIES_PER_KV_HEAD = k.make_key(
    "queries_per_kv_head n_shared_head", N_("query heads that share a key/value head")
)
OUTPUT_AND_FFN_BIAS = k.flag(
    "output_and_ffn_bias bias", N_("biases on the attention's output projection and in the FFN")
)


def internlm(config: Config) -> Items:
    """Biases on all attention projections by default, none in the MLP."""
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    return parts.uniform_decoder(config, attention, parts.gated_mlp())


def internlm2(config: Config) -> Items:
    """InternLM's layers with grouped queries and a fused QKV projection."""
    attention = parts.fused_attention(
        bias=config.flag(k.ATTENTION_BIAS), width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH
    )
    return parts.uniform_decoder(config, attention, parts.gated_mlp())


def internlm3(config: Config) -> Items:
    """Llama's layers; the attention's output projection has a bias if the MLP has biases."""
    bias = config.flag(OUTPUT_AND_FFN_BIAS)
    attention = parts.grouped_query_attention(bias=config.flag(k.QKV_BIAS), output_bias=bias)
    return parts.uniform_decoder(config, attention, parts.gated_mlp(bias=bias))


def baichuan(config: Config) -> Items:
    """Llama's layers with a fused QKV projection; rotary positions (7B) or ALiBi (13B)."""
    return parts.uniform_decoder(config, parts.fused_attention(bias=False), parts.gated_mlp())


def orion(config: Config) -> Items:
    """Llama's layers with layer norms, without biases on projections."""
    attention = parts.grouped_query_attention()
    return parts.uniform_decoder(config, attention, parts.gated_mlp(), norm=parts.layer_norm)


def plamo(config: Config) -> Items:
    """Attention and a gated MLP in parallel after one norm, without biases."""
    attention = parts.grouped_query_attention()
    return parts.uniform_decoder(config, attention, parts.gated_mlp(), frame=parts.parallel)


def _check_equal_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that there are as many key/value heads as heads, if their number is given.

    InternLM's own code has no such number: K and V always have H heads. The family has the key only
    because its layers are made by the part for grouped-query attention, which counts with H_kv.
    """
    heads = k.int_or_none(settings, k.NUM_HEADS)
    kv_heads = k.int_or_none(settings, k.NUM_KV_HEADS)
    if heads and kv_heads and heads != kv_heads:
        message = N_(
            "{kv} key/value heads for {heads} heads: "
            "this family has as many key/value heads as heads"
        )
        keys = (k.NUM_KV_HEADS, k.NUM_HEADS)
        raise parsed.error(message, *keys, kv=kv_heads, heads=heads, hint=N_("leave {key} out"))


def _replace_kv_heads(settings: k.Settings) -> k.Settings:
    """Key/value heads: H / ``queries_per_kv_head``, rounded up; replaces the configured number."""
    heads, shared = k.int_of(settings, k.NUM_HEADS), k.int_of(settings, QUERIES_PER_KV_HEAD)
    return {k.NUM_KV_HEADS: ceil_div(heads, shared)}


INTERNLM = variant(
    LIKE_LLAMA,
    "internlm",
    "InternLM",
    "InternLMForCausalLM",
    "https://huggingface.co/internlm/internlm-7b",
    defaults={**sizes(F=11_008, V=103_168), k.ATTENTION_BIAS: True},
    removed=(k.HEAD_DIM, k.MLP_BIAS),
    names={"bias": k.ATTENTION_BIAS},
    rules=(k.ATTENTION_HEADS_RULE, k.Rule(check=_check_equal_heads)),
    compose=internlm,
)
INTERNLM2 = variant(
    INTERNLM,
    "internlm2",
    "InternLM2",
    "InternLM2ForCausalLM",
    "https://arxiv.org/abs/2403.17297",
    rules=(k.ATTENTION_HEADS_RULE,),
    compose=internlm2,
)
INTERNLM3 = variant(
    LIKE_LLAMA,
    "internlm3",
    "InternLM3",
    "InternLM3ForCausalLM",
    "https://huggingface.co/internlm/internlm3-8b-instruct",
    defaults={
        **sizes(L=48, H_kv=2, d_h=128, F=10_240, V=128_512),
        **off(k.QKV_BIAS, OUTPUT_AND_FFN_BIAS),
    },
    removed=(k.ATTENTION_BIAS, k.MLP_BIAS),
    compose=internlm3,
)
BAICHUAN_POSITIONS = {4096: parts.Positions.ROTARY, 5120: parts.Positions.ALIBI}
"""Kind of positions by hidden dimension, as 7B and 13B have different code but the same keys.

For any other hidden dimension, the kind is unknown.
"""
BAICHUAN = Family(
    model_type="baichuan",
    title="Baichuan",
    source="https://arxiv.org/abs/2309.10305",
    architectures=("BaichuanForCausalLM", "BaiChuanForCausalLM"),
    defaults={**sizes(D=4096, L=32, H=32, F=11_008, V=64_000), k.TIE_EMBEDDINGS: False},
    compose=baichuan,
    positions=lambda config: BAICHUAN_POSITIONS.get(config.count(D)),
)
PLAMO = variant(
    LIKE_LLAMA,
    "plamo",
    "PLaMo",
    "PlamoForCausalLM",
    "https://huggingface.co/pfnet/plamo-13b",
    defaults={**sizes(F=13_312), QUERIES_PER_KV_HEAD: 8},
    removed=(k.HEAD_DIM, k.ATTENTION_BIAS, k.MLP_BIAS),
    rules=(k.ATTENTION_HEADS_RULE, k.Rule(replace=_replace_kv_heads)),
    compose=plamo,
)
YI = variant(
    LIKE_LLAMA,
    "Yi",
    "Yi",
    "YiForCausalLM",
    "https://huggingface.co/01-ai/Yi-6B",
    defaults=sizes(H_kv=4, F=11_008, V=64_000),
    removed=(k.HEAD_DIM, k.ATTENTION_BIAS, k.MLP_BIAS),
    compose=parts.llama_without_biases,
)
AQUILA = variant(
    LIKE_LLAMA,
    "aquila",
    "Aquila",
    "AquilaForCausalLM",
    "https://huggingface.co/BAAI/Aquila2-7B",
    defaults=sizes(F=11_008, V=100_008),
    removed=(k.HEAD_DIM,),
)
SOLAR_WINDOW_NOTE = CountNote(
    N_(
        "The released configuration also has a window of 2,047 tokens, which only some "
        "implementations apply; attention and KV cache are counted without it."
    )
)
SOLAR = variant(
    LIKE_LLAMA,
    "solar",
    "Solar Pro",
    "SolarForCausalLM",
    "https://huggingface.co/upstage/solar-pro-preview-instruct",
    defaults=sizes(F=11_008),
    notes=(SOLAR_WINDOW_NOTE,),
)
IQUEST_CODER = variant(
    LIKE_LLAMA,
    "iquestcoder",
    "IQuest-Coder",
    "IQuestCoderForCausalLM",
    "https://huggingface.co/IQuestLab/IQuest-Coder-V1-40B-Instruct",
    defaults=sizes(D=5120, L=80, H=40, H_kv=8, d_h=128, F=27_648, V=76_800),
)
TELECHAT3 = variant(
    LIKE_LLAMA,
    "telechat3",
    "TeleChat3",
    "Telechat3ForCausalLM",
    "https://huggingface.co/Tele-AI/TeleChat3-36B-Thinking",
    defaults=sizes(D=6144, L=64, H=48, d_h=128, F=24_576, V=131_072),
)
ORION = variant(
    LIKE_LLAMA,
    "orion",
    "Orion",
    "OrionForCausalLM",
    "https://huggingface.co/OrionStarAI/Orion-14B-Base",
    defaults=sizes(L=40, H=40, H_kv=40, F=15_360, V=84_608),
    removed=(k.HEAD_DIM, k.ATTENTION_BIAS, k.MLP_BIAS),
    compose=orion,
)
