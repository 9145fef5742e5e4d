"""ERNIE 4.5, dense and with experts: optional biases, except on routed experts."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, round_up
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import MTP_NOTE, CountNote
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant, without
from sphinx_llmsize.architecture.layers import Kinds, every, first
from sphinx_llmsize.architecture.stages import Block, Parallel, Stage
from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import E
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

FIRST_EXPERT_LAYER = k.make_key(
    "first_expert_layer moe_layer_start_index",
    N_("first layer that may have experts, counted from 0"),
    k.ValueKind.WHOLE,
)
LAST_EXPERT_LAYER = k.make_key(
    "last_expert_layer moe_layer_end_index",
    N_("last layer that may have experts, counted from 0; -1 for the last of all"),
    k.ValueKind.LAYER,
)
BIAS_OUTSIDE_EXPERTS = k.flag(
    "bias_outside_experts use_bias", N_("biases outside the routed experts")
)


def ernie4_5(config: Config) -> Items:
    """Llama's layers with biases on all projections or on none."""
    bias = config.flag(k.BIAS)
    attention, feed_forward = parts.grouped_query_attention(bias=bias), parts.gated_mlp(bias=bias)
    return parts.uniform_decoder(config, attention, feed_forward)


def ernie4_5_moe(config: Config) -> Items:
    """ERNIE 4.5 with experts; routed ones have no biases.

    The router's correction bias is a parameter here, not a buffer as in other families.
    """
    bias = config.flag(BIAS_OUTSIDE_EXPERTS)
    # if E_s = 0, there is no shared expert, so no bias either; other families build one of width 0,
    # of which the bias remains
    shared_bias = bias and config.has(k.NUM_SHARED_EXPERTS)
    return parts.decoder_with_experts(
        config,
        parts.grouped_query_attention(bias=bias),
        parts.experts_and_shared(config, shared_bias=shared_bias, router=parts.corrected_router()),
        _expert_kinds(config),
        dense=parts.gated_mlp(bias=bias),
        head_bias=bias,  # in transformers, the LM heads of the dense and the VL models have none
    )


def _expert_kinds(config: Config) -> Kinds:
    """Experts in every n-th layer, from the first to the last layer that may have them."""
    step, earliest = config.count(k.EXPERT_LAYER_STEP), config.count(FIRST_EXPERT_LAYER)
    last = config.count(LAST_EXPERT_LAYER)
    # the first layer from ``earliest`` on whose number, counted from 1, is a multiple of the step
    start = round_up(earliest + 1, step) - 1
    stop = None if last == -1 else last + 1
    return every(step, parts.MOE, others=parts.DENSE, start=start, stop=stop)


ERNIE_4_5 = Family(
    model_type="ernie4_5",
    title="ERNIE 4.5 (dense)",
    source="https://huggingface.co/baidu/ERNIE-4.5-0.3B-PT",
    architectures=("Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"),
    defaults={
        **sizes(D=1024, L=18, H=16, H_kv=2, d_h=128, F=3072, V=103_424),
        k.TIE_EMBEDDINGS: True,
        k.BIAS: False,
    },
    compose=ernie4_5,
    positions=parts.Positions.ROTARY,
)
ERNIE_4_5_MOE = variant(
    ERNIE_4_5,
    "ernie4_5_moe",
    "ERNIE 4.5",
    "Ernie4_5_MoeForCausalLM",
    "https://huggingface.co/baidu/ERNIE-4.5-21B-A3B-PT",
    defaults={
        **sizes(D=2560, L=28, H=20, H_kv=4, d_h=None, F=12_288),
        **sizes(E=64, k=6, F_e=1536, E_s=2),
        k.EXPERT_LAYER_STEP: 1,
        FIRST_EXPERT_LAYER: 1,
        LAST_EXPERT_LAYER: -1,
        k.MTP_LAYERS: None,
        BIAS_OUTSIDE_EXPERTS: False,
    },
    removed=(k.BIAS,),
    compose=ernie4_5_moe,
    notes=(MTP_NOTE,),
)
PADDLEOCR_VL = variant(
    ERNIE_4_5, "paddleocr_vl_text", "PaddleOCR-VL", "PaddleOCRVLForConditionalGeneration"
)
EXPERT_DIMS = k.make_key(
    "expert_dims moe_intermediate_size",
    N_("FFN dimension of an expert for text, and of one for images"),
    k.ValueKind.WHOLE_OR_LIST,
)
IMAGE_LABELS = {
    "router": N_("Router for images"),
    "experts_up": N_("Experts for images: gate and up"),
    "experts_down": N_("Experts for images: down"),
}
"""Labels of the stages for images, by the ids of those for text."""


def ernie4_5_vl_moe(config: Config) -> Items:
    """ERNIE 4.5 with experts for text and narrower ones for images; each set has a router."""
    bias = config.flag(BIAS_OUTSIDE_EXPERTS)
    text_dim, image_dim = config.counts(EXPERT_DIMS)
    experts = parts.experts_and_shared(
        config,
        width=Quantity("F_e", N_("FFN dimension of an expert"), text_dim),
        shared_bias=bias and config.has(k.NUM_SHARED_EXPERTS),  # as in ernie4_5_moe()
        router=parts.corrected_router(),
    )
    return parts.decoder_with_experts(
        config,
        parts.grouped_query_attention(bias=bias),
        (Parallel((experts, _image_experts(image_dim))),),
        parts.ffn_kinds(config, otherwise=first(1, parts.DENSE, then=parts.MOE)),
        dense=parts.gated_mlp(bias=bias),
    )


def _image_experts(dimension: int) -> Block:
    """Experts for images, and their router; a text token uses none of them."""
    width = Quantity("F_i", N_("FFN dimension of an expert for images"), dimension)
    experts = parts.gated_experts(width=width, expert_count=ExpertCount(E, ZERO))

    def for_images(stage: Stage) -> Stage:
        tensors = tuple(replace(tensor, is_for_images=True) for tensor in stage.tensors)
        label = IMAGE_LABELS[stage.id]
        return replace(stage, id=f"image_{stage.id}", label=label, tensors=tensors)

    block = parts.mixture_of_experts(experts, router=parts.corrected_router())
    return parts.map_stages(block, for_images)


def _check_dims(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that there is one dimension for text and one for images."""
    dims = settings[EXPERT_DIMS]
    if dims is not None and not (isinstance(dims, tuple) and len(dims) == 2):  # noqa: PLR2004
        message = N_("{key} must be a list of two numbers")
        hint = N_("the width of an expert for text, then of one for images")
        raise parsed.error(message, EXPERT_DIMS, hint=hint, problem=Problem.VALUE)


ERNIE_4_5_VL_MOE = Family(
    model_type="ernie4_5_vl_moe_text",
    title="ERNIE 4.5 VL",
    source="https://huggingface.co/docs/transformers/model_doc/ernie4_5_vl_moe",
    architectures=("Ernie4_5_VLMoeForConditionalGeneration",),
    defaults={
        **without(
            ERNIE_4_5_MOE.defaults,
            FIRST_EXPERT_LAYER,
            LAST_EXPERT_LAYER,
            k.EXPERT_LAYER_STEP,
            k.EXPERT_DIM,
        ),
        EXPERT_DIMS: (1536, 512),
        k.FFN_LAYER_TYPES: None,
    },
    rules=(
        k.ROUNDED_HEAD_DIM_RULE,
        k.one_for_each_layer(k.FFN_LAYER_TYPES),
        k.Rule(check=_check_dims),
    ),
    compose=ernie4_5_vl_moe,
    notes=(
        MTP_NOTE,
        CountNote(
            N_(
                "No text token uses the experts for images: they are part of the total, but not of "
                "the active parameters."
            )
        ),
    ),
    positions=parts.Positions.ROTARY,
)
