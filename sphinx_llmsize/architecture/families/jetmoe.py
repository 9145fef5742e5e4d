"""JetMoE: experts in place of the MLP and of the query and output projections."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D, E, F, T
from sphinx_llmsize.translation import N_


def jetmoe(config: Config) -> Items:
    """Mixtures of attention heads and of MLPs; all experts of a mixture share one output bias."""
    bias = parts.vector("experts.bias", D, "experts", Role.BIAS, N_("bias"))
    experts = parts.add_tensors(parts.gated_experts(width=F), bias, to="experts_down")
    return parts.uniform_decoder(config, mixture_of_heads(), parts.mixture_of_experts(experts))


def mixture_of_heads() -> Block:
    """Attention whose router selects k of E query and output projections; K and V are shared.

    Zhang et al. 2022, https://arxiv.org/abs/2210.05144
    """
    qkv = (
        *parts.linear(
            "q_proj", D, parts.KEY_WIDTH, "attn_q", label="q", expert_count=parts.ROUTED_EXPERTS
        ),
        *parts.linear("kv_proj", D, 2 * parts.KEY_WIDTH, "attn_kv", label="kv"),
    )
    output = (
        *parts.linear("o_proj", parts.KEY_WIDTH, D, "attn_o", expert_count=parts.ROUTED_EXPERTS),
        parts.vector("o_proj.bias", D, "attn_o", Role.BIAS),
    )
    router = parts.linear("head_router", D, E, "router")
    query_width = parts.ROUTED_EXPERTS.per_token * parts.KEY_WIDTH
    return parts.with_router(
        Stage("head_router", N_("Router of heads"), Group.ATTENTION, (T, E), router),
        parts.attention(
            qkv, output, qkv_width=query_width + 2 * parts.KEY_WIDTH, width=query_width
        ),
    )


def _derive_heads(settings: k.Settings) -> k.Settings:
    """Number of heads H = H_kv · k: H_kv heads for each of a token's k experts."""
    kv_heads = k.int_or_none(settings, k.NUM_KV_HEADS)
    per_token = k.int_or_none(settings, k.EXPERTS_PER_TOKEN)
    return {k.NUM_HEADS: kv_heads * per_token} if kv_heads and per_token else {}


def _check_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that a configured number of heads equals H_kv · k."""
    kv_heads = k.int_or_none(settings, k.NUM_KV_HEADS)
    per_token = k.int_or_none(settings, k.EXPERTS_PER_TOKEN)
    heads = k.int_or_none(settings, k.NUM_HEADS)
    if heads and kv_heads and per_token and heads != kv_heads * per_token:
        message = N_("{heads} heads, but {kv_heads} key/value heads for each of {used} experts")
        hint = N_("leave out {key}: it follows from the others")
        raise parsed.error(
            message, k.NUM_HEADS, heads=heads, kv_heads=kv_heads, used=per_token, hint=hint
        )


JETMOE = Family(
    model_type="jetmoe",
    title="JetMoE",
    source="https://arxiv.org/abs/2404.07413",
    architectures=("JetMoeForCausalLM", "JetMoEForCausalLM"),
    defaults={
        **sizes(D=2048, L=12, H=None, H_kv=16, d_h=128, F=5632, V=32_000, E=8, k=2),
        k.TIE_EMBEDDINGS: True,
    },
    rules=(k.Rule(derive=_derive_heads, check=_check_heads),),
    names={"kv_channels": k.HEAD_DIM},
    compose=jetmoe,
    positions=parts.Positions.ROTARY,
)
