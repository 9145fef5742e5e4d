"""Llama's layers with something more inside: BitNet, DiffLlama, Doge, HyperCLOVA X."""

from __future__ import annotations

from math import isqrt

from sphinx_llmsize.algebra import ONE, Quantity
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    KEY_WIDTH,
    QUERY_WIDTH,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import inserted, pre_norm, sandwich_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import mixture_of_experts, plain_experts
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm, rms_norm_of
from sphinx_llmsize.architecture.parts.windows import in_all_layers
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERTS_PER_TOKEN, HAS_EXPERTS, NUM_EXPERTS, E
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    D_H,
    FFN_DIM,
    H_KV,
    HEAD_DIM,
    HIDDEN_DIM,
    MLP_BIAS,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    SANDWICH_NORM,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
    T,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW


def bitnet(config: Config) -> tuple[Item, ...]:
    """Norms before the output projection and before the down projection as well."""
    attention = inserted(
        grouped_query_attention(bias=config.flag(ATTENTION_BIAS)),
        rms_norm("attention_sub_norm", "Norm before projection"),
        before="attention_output",
    )
    ffn_norm = rms_norm_of(F)("ffn_sub_norm", "Norm before FFN down")
    feed_forward = inserted(gated_mlp(), ffn_norm, before="ffn_down")
    return decoder(config, pre_norm(rms_norm, attention, feed_forward), norm=rms_norm)


def diffllama(config: Config) -> tuple[Item, ...]:
    """Scores that are the difference of two, weighted with λ, which four vectors make."""
    weights = tuple(
        vector(f"lambda_{name}", D_H, "attn_lambda", label=f"λ {name}")
        for name in ("q1", "k1", "q2", "k2")
    )
    # each of the two weighs the values of both
    attention = grouped_query_attention(
        bias=config.flag(ATTENTION_BIAS), scores=weights, value_dim=2 * D_H
    )
    return decoder(config, pre_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


def doge(config: Config) -> tuple[Item, ...]:
    """A mask learned from the values, scaled residuals and, if wanted, very many experts."""
    bias = config.flag(ATTENTION_BIAS)
    masked = inserted(
        grouped_query_attention(bias=bias, norms=head_norms()),
        dynamic_mask(bias=bias),
        before="scores",
    )
    feed_forward = gated_mlp(bias=config.flag(MLP_BIAS))
    if config.flag(HAS_EXPERTS):
        feed_forward = cross_domain_experts(config.count(E), feed_forward)
    scaled = (
        *masked,
        residual_scale("attention_residual", "Residual scale of attention"),
    )
    block = (
        *pre_norm(rms_norm, scaled, feed_forward),
        residual_scale("ffn_residual", "Residual scale of FFN"),
    )
    return decoder(config, block, norm=rms_norm)


def dynamic_mask(*, bias: bool) -> Stage:
    """Which tokens each key/value head attends to (Doge, https://arxiv.org/abs/2412.11834)."""
    tensors = (
        *linear("mask_proj", KEY_WIDTH, H_KV, "attn_mask", bias=bias, label="mask"),
        vector("mask_scale", H_KV, "attn_mask", label="A"),
    )
    return Stage("mask", "Dynamic mask", Group.ATTENTION, (T, QUERY_WIDTH + 2 * KEY_WIDTH), tensors)


def cross_domain_experts(experts: int, shared: Block) -> Block:
    """Experts of one neuron each, found by the product of two sets of keys, beside an MLP.

    Doge, https://arxiv.org/abs/2412.11834; product keys: Lample et al. 2019,
    https://arxiv.org/abs/1907.05242
    """
    keys = Quantity("n_k", "keys in each half of the router", isqrt(experts))
    router = linear("router", D, 2 * keys, "router")
    return mixture_of_experts(plain_experts(width=ONE), router=router, shared=shared)


def residual_scale(id: str, label: str) -> Stage:
    """D numbers that what goes past a sublayer is multiplied with."""
    scale = vector(f"{id}.weight", D, "residual_scale", Role.SCALE)
    return Stage(id, label, Group.RESIDUAL, (T, D), (scale,))


def doge_experts(settings: Settings) -> Settings:
    """How many experts there are, if there are any."""
    return {NUM_EXPERTS: 16_384, EXPERTS_PER_TOKEN: 64} if settings[HAS_EXPERTS] else {}


def hyperclova(config: Config) -> tuple[Item, ...]:
    """Llama's block, with norms after attention and feed-forward too."""
    around = sandwich_norm if config.flag(SANDWICH_NORM) else pre_norm
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    block = around(rms_norm, attention, gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


BITNET = Family(
    model_type="bitnet",
    title="BitNet b1.58",
    source="https://arxiv.org/abs/2504.12285",
    architectures=("BitNetForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 30,
        NUM_HEADS: 20,
        NUM_KV_HEADS: 5,
        HEAD_DIM: None,
        FFN_DIM: 6912,
        VOCAB_SIZE: 128_256,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=bitnet,
)

DIFF_LLAMA = Family(
    model_type="diffllama",
    title="DiffLlama",
    source="https://arxiv.org/abs/2410.05258",
    architectures=("DiffLlamaForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 16,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 8192,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=diffllama,
)

DOGE = Family(
    model_type="doge",
    title="Doge",
    source="https://arxiv.org/abs/2412.11834",
    architectures=("DogeForCausalLM",),
    defaults={
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 32,
        NUM_HEADS: 8,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 2048,
        SLIDING_WINDOW: None,
        VOCAB_SIZE: 32_768,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        HAS_EXPERTS: False,
        NUM_EXPERTS: None,
        EXPERTS_PER_TOKEN: None,
    },
    compose=doge,
    rules=(ATTENTION_HEADS, Rule(doge_experts)),
    spans=in_all_layers,
)

HYPERCLOVA_X = Family(
    model_type="hyperclovax",
    title="HyperCLOVA X",
    source="https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-14B",
    architectures=("HyperCLOVAXForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 11_008,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        SANDWICH_NORM: True,
    },
    compose=hyperclova,
)

FAMILIES = (BITNET, DIFF_LLAMA, DOGE, HYPERCLOVA_X)
