"""Llama's layers with additional parts: BitNet, DiffLlama, Doge, HyperCLOVA X, Chameleon."""

from __future__ import annotations

from math import isqrt

from sphinx_llmsize.algebra import ONE, Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import TEXT_ONLY
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Items, off, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, H_KV, D, E, F, T
from sphinx_llmsize.translation import N_


def bitnet(config: Config) -> Items:
    """Llama's layers with a norm before the output projection and the MLP's down projection."""
    sub_norm = parts.rms_norm("attention_sub_norm", N_("Norm before projection"))
    attention = parts.insert(parts.gqa(config), sub_norm, before="attention_output")
    ffn_norm = parts.rms_norm_of(F)("ffn_sub_norm", N_("Norm before FFN down"))
    feed_forward = parts.insert(parts.gated_mlp(), ffn_norm, before="ffn_down")
    return parts.uniform_decoder(config, attention, feed_forward)


LAMBDAS = {"q1": N_("λ q1"), "k1": N_("λ k1"), "q2": N_("λ q2"), "k2": N_("λ k2")}
"""Labels of the vectors from which λ is computed: one for each map's queries and keys."""


def diffllama(config: Config) -> Items:
    """Llama's layers with differential attention: two score maps, subtracted with weight λ."""
    weights = tuple(
        parts.vector(f"lambda_{name}", D_H, "attn_lambda", label=label)
        for name, label in LAMBDAS.items()
    )
    # heads work in pairs: each of the two score maps is applied to the values of both heads
    attention = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), scores=weights, value_dim=2 * D_H
    )
    return parts.uniform_decoder(config, attention, parts.gated_mlp())


def doge(config: Config) -> Items:
    """Llama's layers with QK norms, a computed mask, scaled residuals and optional experts."""
    mask = dynamic_mask(bias=config.flag(k.ATTENTION_BIAS))
    attention = parts.insert(parts.gqa_with_qk_norm(config), mask, before="scores")
    feed_forward = parts.gated_mlp_of(config)
    if config.flag(k.HAS_EXPERTS):
        feed_forward = cross_domain_experts(config.count(E), feed_forward)
    norm_and_attention = parts.attention_residual(parts.rms_norm, attention).steps
    norm_and_ffn = parts.ffn_residual(parts.rms_norm, feed_forward).steps
    attention_scale = residual_scale("attention_residual", N_("Residual scale of attention"))
    ffn_scale = residual_scale("ffn_residual", N_("Residual scale of FFN"))
    # scale · x + attention(x), where others have x + attention(x)
    block = (
        Parallel((norm_and_attention, attention_scale)),
        Parallel((norm_and_ffn, ffn_scale)),
    )
    return parts.decoder(config, block)


def dynamic_mask(*, bias: bool) -> Stage:
    """Mask of each key/value head on the scores, computed from the values.

    Doge, https://arxiv.org/abs/2412.11834
    """
    tensors = (
        *parts.linear("mask_proj", parts.KEY_WIDTH, H_KV, "attn_mask", bias=bias, label=N_("mask")),
        parts.vector("mask_scale", H_KV, "attn_mask", label="A"),
    )
    qkv_width = parts.QUERY_WIDTH + 2 * parts.KEY_WIDTH
    return Stage("mask", N_("Dynamic mask"), Group.ATTENTION, (T, qkv_width), tensors)


def cross_domain_experts(experts: int, shared: Block) -> Block:
    """Experts of one neuron each, selected by product keys, beside a gated MLP.

    Doge, https://arxiv.org/abs/2412.11834; product keys: Lample et al. 2019,
    https://arxiv.org/abs/1907.05242
    """
    keys = Quantity("n_k", N_("keys in each half of the router"), isqrt(experts))
    router = parts.linear("router", D, 2 * keys, "router")
    return parts.mixture_of_experts(parts.plain_experts(width=ONE), router=router, shared=shared)


def residual_scale(id: str, label: str) -> Block:
    """D learned weights of the residual stream (Doge), or of it and a sublayer's output (Muse)."""
    scale = parts.vector(f"{id}.weight", D, "residual_scale", Role.SCALE)
    return (Stage(id, label, Group.RESIDUAL, (T, D), (scale,)),)


def _derive_experts(settings: k.Settings) -> k.Settings:
    """Default numbers of experts and of experts per token, if the model has experts."""
    if not settings[k.HAS_EXPERTS]:
        return {}
    return {k.NUM_EXPERTS: 16_384, k.EXPERTS_PER_TOKEN: 64}


def hyperclova(config: Config) -> Items:
    """Llama's layers; by default with sandwich norms in place of pre-norms."""
    frame = parts.sandwich_norm if config.flag(k.SANDWICH_NORM) else parts.pre_norm
    return parts.uniform_decoder(config, parts.gqa(config), parts.gated_mlp_of(config), frame=frame)


BITNET = variant(
    LIKE_LLAMA,
    "bitnet",
    "BitNet b1.58",
    "BitNetForCausalLM",
    "https://arxiv.org/abs/2504.12285",
    defaults=sizes(D=2560, L=30, H=20, H_kv=5, F=6912, V=128_256),
    removed=(k.MLP_BIAS,),
    compose=bitnet,
)
DIFF_LLAMA = variant(
    LIKE_LLAMA,
    "diffllama",
    "DiffLlama",
    "DiffLlamaForCausalLM",
    "https://arxiv.org/abs/2410.05258",
    defaults=sizes(D=2048, L=16, F=8192),
    removed=(k.MLP_BIAS,),
    compose=diffllama,
)
DOGE = variant(
    LIKE_LLAMA,
    "doge",
    "Doge",
    "DogeForCausalLM",
    "https://arxiv.org/abs/2412.11834",
    defaults={**sizes(D=1024, H=8, F=2048, V=32_768, w=None, E=None, k=None), **off(k.HAS_EXPERTS)},
    compose=doge,
    rules=(k.ATTENTION_HEADS_RULE, k.Rule(derive=_derive_experts)),
    windows=parts.windows_in_all_layers,
)
HYPERCLOVA_X = variant(
    LIKE_LLAMA,
    "hyperclovax",
    "HyperCLOVA X",
    "HyperCLOVAXForCausalLM",
    "https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-14B",
    defaults={**sizes(F=11_008), k.SANDWICH_NORM: True},
    compose=hyperclova,
)


def chameleon(config: Config) -> Items:
    """Llama's layers with layer norms on each query and key head, each with its own weights."""
    attention = parts.gqa(config, norms=parts.qk_norms(bias=True, separate_weights=True))
    frame = parts.output_norm if config.flag(k.NORM_AFTER) else parts.pre_norm
    return parts.uniform_decoder(config, attention, parts.gated_mlp_of(config), frame=frame)


CHAMELEON = variant(
    LIKE_LLAMA,
    "chameleon",
    "Chameleon",
    "ChameleonForConditionalGeneration",
    "https://arxiv.org/abs/2405.09818",
    defaults={**sizes(H_kv=32, F=11_008, V=65_536), **off(k.NORM_AFTER)},
    removed=(k.HEAD_DIM,),
    compose=chameleon,
    notes=(TEXT_ONLY,),
)
