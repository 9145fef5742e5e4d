"""Muse Glimmer and Muse Spark: sandwich norms and gated attention; in Spark also experts."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import UNTIED_NOTE
from sphinx_llmsize.architecture.families.llama_additions import residual_scale
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.layers import PerLayer, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.translation import N_

D_X = Symbol("D_x", N_("dimension of the experts' inputs and outputs"))
EXPERT_INPUT_DIM = k.size_key(D_X, "expert_input_dim moe_hidden_size")


def muse_glimmer(config: Config) -> Items:
    """Gated attention and a gated MLP with sandwich norms; the other norms have no weights."""
    attention, feed_forward = _gated_attention(config), parts.gated_mlp()
    frame = parts.sandwich_norm
    return parts.uniform_decoder(
        config, attention, feed_forward, frame=frame, embeddings=_embeddings()
    )


def muse_spark(config: Config) -> Items:
    """Muse Glimmer's attention; experts between projections to D_x and back; gated residuals."""

    def block(ffn: LayerKind) -> Block:
        attention = (
            *_gated_attention(config),
            parts.plain_norm("post_attention_norm", N_("Norm after attention")),
            *residual_scale("attention_residual", N_("Gate after attention")),
        )
        mlp_or_experts = parts.gated_mlp() if ffn == parts.DENSE else _experts()
        feed_forward = (
            *mlp_or_experts,
            parts.rms_norm("post_ffn_norm", N_("Norm after FFN")),
            *residual_scale("ffn_residual", N_("Gate after FFN")),
        )
        return parts.pre_norm(parts.rms_norm, attention, feed_forward)

    ffn = parts.ffn_kinds(config, otherwise=same(parts.MOE))
    return parts.layered_decoder(config, block, embeddings=_embeddings(), tied=False, ffn=ffn)


def _gated_attention(config: Config) -> Block:
    """GQA with QK norms without weights, and an output gate."""
    attention = parts.gqa(config, norms=parts.plain_qk_norms())
    return parts.with_gate(attention, (parts.output_gate(),))


def _experts() -> Block:
    """Router and experts, with a norm before and after the experts."""
    norm = parts.rms_norm_of(D_X)
    experts = (
        norm("experts_norm", N_("Experts norm")),
        *parts.gated_experts(inputs=D_X),
        norm("post_experts_norm", N_("Norm after experts")),
    )
    return parts.mixture_of_experts(parts.through_latent(experts, D_X))


def _embeddings() -> tuple[Stage, ...]:
    """Token embedding and a norm without weights."""
    return (parts.token_embedding(), parts.plain_norm("embedding_norm", N_("Embedding norm")))


def all_but_every_fourth_from_last(config: Config) -> PerLayer[bool]:
    """All layers except the last, the fourth before it, the eighth before it, and so on."""
    return parts.full_every(4, start=(config.count(L) - 1) % 4)(config)


MUSE_GLIMMER = Family(
    model_type="muse_glimmer_text",
    title="Muse Glimmer",
    source="https://huggingface.co/docs/transformers/model_doc/muse_glimmer",
    architectures=("MuseGlimmerForConditionalGeneration",),
    defaults={
        **sizes(D=6656, L=52, H=32, H_kv=2, d_h=128, F=19_968, V=202_048, w=2048),
        k.LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=muse_glimmer,
    rules=(k.ROUNDED_HEAD_DIM_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=all_but_every_fourth_from_last),
    positions=None,  # rotary or none, by layer_rope_theta, which isn't read
)
MUSE_SPARK = Family(
    model_type="muse_spark_text",
    title="Muse Spark",
    source="https://huggingface.co/docs/transformers/model_doc/muse_spark",
    architectures=("MuseSparkForConditionalGeneration",),
    defaults={
        **sizes(D=8192, L=62, H=128, H_kv=16, d_h=64, F=16_384, V=202_048, w=2048),
        **sizes(E=256, k=8, F_e=4096),
        EXPERT_INPUT_DIM: 4096,
        k.LAYER_TYPES: None,
        k.FFN_LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=muse_spark,
    rules=(
        k.ROUNDED_HEAD_DIM_RULE,
        k.LISTED_WINDOWS_RULE,
        k.one_for_each_layer(k.FFN_LAYER_TYPES),
    ),
    notes=(UNTIED_NOTE,),
    windows=parts.windows_by_layer_types(otherwise=all_but_every_fourth_from_last),
    positions=None,  # as in Muse Glimmer
)
