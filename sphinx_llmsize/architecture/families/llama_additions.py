"""Llama's layers with something more inside: BitNet, DiffLlama, Doge, HyperCLOVA X."""

from __future__ import annotations

from math import isqrt

from sphinx_llmsize.algebra import ONE, Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import D_H, H_KV, D, E, F, T
from sphinx_llmsize.translation import N_


def bitnet(config: Config) -> tuple[Item, ...]:
    """Norms before the output projection and before the down projection as well."""
    attention = parts.inserted(
        parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS)),
        parts.rms_norm("attention_sub_norm", N_("Norm before projection")),
        before="attention_output",
    )
    ffn_norm = parts.rms_norm_of(F)("ffn_sub_norm", N_("Norm before FFN down"))
    feed_forward = parts.inserted(parts.gated_mlp(), ffn_norm, before="ffn_down")
    return parts.decoder(
        config, parts.pre_norm(parts.rms_norm, attention, feed_forward), norm=parts.rms_norm
    )


def diffllama(config: Config) -> tuple[Item, ...]:
    """Scores that are the difference of two, weighted with λ, which four vectors make."""
    weights = tuple(
        parts.vector(f"lambda_{name}", D_H, "attn_lambda", label=f"λ {name}")
        for name in ("q1", "k1", "q2", "k2")
    )
    # each of the two weighs the values of both
    attention = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), scores=weights, value_dim=2 * D_H
    )
    return parts.decoder(
        config, parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp()), norm=parts.rms_norm
    )


def doge(config: Config) -> tuple[Item, ...]:
    """A mask learned from the values, scaled residuals and, if wanted, very many experts."""
    bias = config.flag(k.ATTENTION_BIAS)
    masked = parts.inserted(
        parts.grouped_query_attention(bias=bias, norms=parts.head_norms()),
        dynamic_mask(bias=bias),
        before="scores",
    )
    feed_forward = parts.gated_mlp(bias=config.flag(k.MLP_BIAS))
    if config.flag(k.HAS_EXPERTS):
        feed_forward = cross_domain_experts(config.count(E), feed_forward)
    scaled = (
        *masked,
        residual_scale("attention_residual", N_("Residual scale of attention")),
    )
    block = (
        *parts.pre_norm(parts.rms_norm, scaled, feed_forward),
        residual_scale("ffn_residual", N_("Residual scale of FFN")),
    )
    return parts.decoder(config, block, norm=parts.rms_norm)


def dynamic_mask(*, bias: bool) -> Stage:
    """Which tokens each key/value head attends to (Doge, https://arxiv.org/abs/2412.11834)."""
    tensors = (
        *parts.linear("mask_proj", parts.KEY_WIDTH, H_KV, "attn_mask", bias=bias, label=N_("mask")),
        parts.vector("mask_scale", H_KV, "attn_mask", label="A"),
    )
    return Stage(
        "mask",
        N_("Dynamic mask"),
        Group.ATTENTION,
        (T, parts.QUERY_WIDTH + 2 * parts.KEY_WIDTH),
        tensors,
    )


def cross_domain_experts(experts: int, shared: Block) -> Block:
    """Experts of one neuron each, found by the product of two sets of keys, beside an MLP.

    Doge, https://arxiv.org/abs/2412.11834; product keys: Lample et al. 2019,
    https://arxiv.org/abs/1907.05242
    """
    keys = Quantity("n_k", N_("keys in each half of the router"), isqrt(experts))
    router = parts.linear("router", D, 2 * keys, "router")
    return parts.mixture_of_experts(parts.plain_experts(width=ONE), router=router, shared=shared)


def residual_scale(id: str, label: str) -> Stage:
    """D numbers that what goes past a sublayer is multiplied with."""
    scale = parts.vector(f"{id}.weight", D, "residual_scale", Role.SCALE)
    return Stage(id, label, Group.RESIDUAL, (T, D), (scale,))


def doge_experts(settings: Settings) -> Settings:
    """How many experts there are, if there are any."""
    return {k.NUM_EXPERTS: 16_384, k.EXPERTS_PER_TOKEN: 64} if settings[k.HAS_EXPERTS] else {}


def hyperclova(config: Config) -> tuple[Item, ...]:
    """Llama's block, with norms after attention and feed-forward too."""
    around = parts.sandwich_norm if config.flag(k.SANDWICH_NORM) else parts.pre_norm
    attention = parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS))
    block = around(parts.rms_norm, attention, parts.gated_mlp(bias=config.flag(k.MLP_BIAS)))
    return parts.decoder(config, block, norm=parts.rms_norm)


BITNET = Family(
    model_type="bitnet",
    title="BitNet b1.58",
    source="https://arxiv.org/abs/2504.12285",
    architectures=("BitNetForCausalLM",),
    defaults={
        **sizes(D=2560, L=30, H=20, H_kv=5, d_h=None, F=6912, V=128_256),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=bitnet,
)

DIFF_LLAMA = Family(
    model_type="diffllama",
    title="DiffLlama",
    source="https://arxiv.org/abs/2410.05258",
    architectures=("DiffLlamaForCausalLM",),
    defaults={
        **sizes(D=2048, L=16, H=32, H_kv=None, d_h=None, F=8192, V=32_000),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=diffllama,
)

DOGE = Family(
    model_type="doge",
    title="Doge",
    source="https://arxiv.org/abs/2412.11834",
    architectures=("DogeForCausalLM",),
    defaults={
        **sizes(D=1024, L=32, H=8, H_kv=None, d_h=None, F=2048, V=32_768, w=None, E=None, k=None),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS, k.HAS_EXPERTS),
    },
    compose=doge,
    rules=(ATTENTION_HEADS, Rule(doge_experts)),
    windows=parts.in_all_layers,
)

HYPERCLOVA_X = Family(
    model_type="hyperclovax",
    title="HyperCLOVA X",
    source="https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-14B",
    architectures=("HyperCLOVAXForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=11_008, V=32_000),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
        k.SANDWICH_NORM: True,
    },
    compose=hyperclova,
)

FAMILIES = (BITNET, DIFF_LLAMA, DOGE, HYPERCLOVA_X)
