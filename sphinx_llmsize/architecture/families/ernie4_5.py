"""ERNIE 4.5, dense and with experts: optional biases, except on routed experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import uniform_decoder
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.layers import Kinds, every
from sphinx_llmsize.architecture.notes import MTP_NOTE
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind, make_key
from sphinx_llmsize.translation import N_

FIRST_EXPERT_LAYER = make_key(
    "first_expert_layer moe_layer_start_index",
    N_("first layer that may have experts, counted from 0"),
    Kind.WHOLE,
)
LAST_EXPERT_LAYER = make_key(
    "last_expert_layer moe_layer_end_index",
    N_("last layer that may have experts, counted from 0; -1 for the last of all"),
    Kind.LAYER,
)


def ernie4_5(config: Config) -> Items:
    """Llama's layers with biases on all projections or on none."""
    bias = config.flag(k.BIAS)
    attention, feed_forward = parts.grouped_query_attention(bias=bias), parts.gated_mlp(bias=bias)
    return uniform_decoder(config, attention, feed_forward)


def ernie4_5_moe(config: Config) -> Items:
    """ERNIE 4.5 with experts without biases; the router's correction bias is a parameter here."""
    bias = config.flag(k.BIAS)
    shared_bias = bias and config.has(k.NUM_SHARED_EXPERTS)  # no bias without shared experts
    return parts.decoder_with_experts(
        config,
        parts.grouped_query_attention(bias=bias),
        parts.experts_and_shared(config, shared_bias=shared_bias, router=parts.corrected_router()),
        expert_kinds(config),
        dense=parts.gated_mlp(bias=bias),
        head_bias=bias,
    )


def expert_kinds(config: Config) -> Kinds:
    """Experts in every n-th layer, from the first to the last layer that may have them."""
    step, earliest = config.count(k.EXPERT_LAYER_STEP), config.count(FIRST_EXPERT_LAYER)
    last = config.count(LAST_EXPERT_LAYER)
    # the first layer from ``earliest`` on for which layer + 1 is a multiple of the step
    start = earliest + -(earliest + 1) % step
    stop = None if last == -1 else last + 1
    return every(step, parts.MOE, others=parts.DENSE, start=start, stop=stop)


ERNIE_4_5 = Family(
    model_type="ernie4_5",
    title="ERNIE 4.5 (dense)",
    source="https://huggingface.co/baidu/ERNIE-4.5-0.3B-PT",
    architectures=("Ernie4_5ForCausalLM",),
    defaults={
        **sizes(D=1024, L=18, H=16, H_kv=2, d_h=128, F=3072, V=103_424),
        k.TIE_EMBEDDINGS: True,
        k.BIAS: False,
    },
    compose=ernie4_5,
)
ERNIE_4_5_MOE = Family(
    model_type="ernie4_5_moe",
    title="ERNIE 4.5",
    source="https://huggingface.co/baidu/ERNIE-4.5-21B-A3B-PT",
    architectures=("Ernie4_5_MoeForCausalLM",),
    defaults={
        **sizes(D=2560, L=28, H=20, H_kv=4, d_h=None, F=12_288, V=103_424),
        **sizes(E=64, k=6, F_e=1536, E_s=2),
        k.EXPERT_LAYER_STEP: 1,
        FIRST_EXPERT_LAYER: 1,
        LAST_EXPERT_LAYER: -1,
        k.BIAS: False,
        k.TIE_EMBEDDINGS: True,
        k.MTP_LAYERS: None,
    },
    compose=ernie4_5_moe,
    notes=(MTP_NOTE,),
)
