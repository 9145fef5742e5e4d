"""Snowflake Arctic: dense layers and layers with experts, optionally beside a narrow MLP."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.layers import every
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Parallel
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, F
from sphinx_llmsize.translation import N_

DENSE_RESIDUAL = k.flag(
    "dense_residual parallel_attn_mlp_res",
    N_("an FFN of width D in parallel with the experts"),
)


def arctic(config: Config) -> Items:
    """GQA, then a gated MLP or experts; optionally a narrow dense layer in parallel with them."""
    attention, norm = parts.grouped_query_attention(), parts.rms_norm
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))

    def block(ffn: LayerKind) -> Block:
        if ffn == parts.DENSE:
            return parts.pre_norm(norm, attention, parts.gated_mlp())
        if not config.flag(DENSE_RESIDUAL):
            return parts.pre_norm(norm, attention, experts)
        narrow_layer = parts.pre_norm(norm, attention, parts.gated_mlp(width=D))
        # the experts read the layer's input, not the output of its attention
        experts_norm = norm("experts_norm", N_("Experts norm"))
        return (Parallel((narrow_layer, (experts_norm, *experts)), is_sum=True),)

    step = config.count(k.EXPERT_LAYER_STEP)
    kinds = every(step, parts.MOE, others=parts.DENSE, start=step - 1)
    return parts.layered_decoder(config, block, ffn=kinds)


ARCTIC = Family(
    model_type="arctic",
    title="Arctic",
    source="https://huggingface.co/Snowflake/snowflake-arctic-base",
    architectures=("ArcticForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, F=14_336, V=32_000, E=8, k=1, w=None),
        k.EXPERT_LAYER_STEP: 2,
        **off(DENSE_RESIDUAL, k.TIE_EMBEDDINGS),
    },
    names={"moe_layer_frequency": k.EXPERT_LAYER_STEP},
    compose=arctic,
    windows=parts.windows_in_all_layers,
    positions=parts.Positions.ROTARY,
)
