"""Qwen1.5, Qwen2 and Qwen3, dense and with experts; text decoders of Qwen-VL and Qwen-Omni."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.layers import Kinds, among, every, same
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def qwen2(config: Config) -> Items:
    """Llama's layers with biases on Q, K and V."""
    attention = parts.grouped_query_attention(bias=True, output_bias=False)
    return parts.uniform_decoder(config, attention, parts.gated_mlp())


def qwen3(config: Config) -> Items:
    """Llama's layers with QK norms; only attention may have biases."""
    return parts.uniform_decoder(config, parts.gqa_with_qk_norm(config), parts.gated_mlp())


def qwen2_moe(config: Config) -> Items:
    """Qwen2's attention; experts and a gated shared expert, or a gated MLP in dense layers."""
    attention = parts.grouped_query_attention(bias=config.flag(k.QKV_BIAS), output_bias=False)
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(gate=True))
    return parts.decoder_with_experts(config, attention, experts, expert_kinds(config))


def qwen3_moe(config: Config) -> Items:
    """Qwen3's attention; experts without a shared expert, or a gated MLP in dense layers."""
    experts = parts.mixture_of_experts(parts.gated_experts())
    attention = parts.gqa_with_qk_norm(config)
    return parts.decoder_with_experts(config, attention, experts, expert_kinds(config))


def expert_kinds(config: Config) -> Kinds:
    """Experts in every n-th layer, except those listed as dense; none if E is 0."""
    if not config.has(k.NUM_EXPERTS):
        return same(parts.DENSE)
    step = config.count(k.EXPERT_LAYER_STEP)
    by_step = every(step, parts.MOE, others=parts.DENSE, start=step - 1)
    return among(config.counts(k.DENSE_LAYERS), parts.DENSE, others=by_step)


QWEN2 = Family(
    model_type="qwen2",
    title="Qwen2",
    source="https://arxiv.org/abs/2407.10671",
    architectures=("Qwen2ForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=32, d_h=None, F=22_016, V=151_936, w=4096),
        **off(k.USES_WINDOW, k.TIE_EMBEDDINGS),
        k.MAX_WINDOW_LAYERS: 28,
        k.LAYER_TYPES: None,
    },
    compose=qwen2,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(
        otherwise=parts.all_but_first_layers, size=parts.window_if_used
    ),
    positions=parts.Positions.ROTARY,
)
QWEN3 = variant(
    QWEN2,
    "qwen3",
    "Qwen3",
    "Qwen3ForCausalLM",
    "https://arxiv.org/abs/2505.09388",
    defaults={k.HEAD_DIM: 128, k.ATTENTION_BIAS: False},
    compose=qwen3,
)
QWEN2_MOE = variant(
    QWEN2,
    "qwen2_moe",
    "Qwen2 MoE",
    "Qwen2MoeForCausalLM",
    "https://arxiv.org/abs/2407.10671",
    defaults={
        **sizes(D=2048, L=24, H=16, H_kv=16, F=5632, E=60, k=4, F_e=1408, F_s=5632),
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: None,
        k.QKV_BIAS: True,
    },
    compose=qwen2_moe,
    windows=parts.windows_by_layer_types(
        otherwise=parts.alternating_first_layers, size=parts.window_if_used
    ),
)
QWEN3_MOE = variant(
    QWEN3,
    "qwen3_moe",
    "Qwen3 MoE",
    "Qwen3MoeForCausalLM",
    "https://arxiv.org/abs/2505.09388",
    defaults={
        **sizes(D=2048, L=24, H_kv=4, d_h=None, F=6144, E=128, k=8, F_e=768),
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: None,
    },
    compose=qwen3_moe,
    windows=parts.windows_in(parts.all_layers, parts.window_if_used),
)
QWEN2_VL = variant(
    QWEN2,
    "qwen2_vl_text",
    "Qwen2-VL",
    "Qwen2VLForConditionalGeneration",
    defaults={**sizes(D=8192, L=80, H=64, H_kv=8, F=29_568, V=152_064), k.MAX_WINDOW_LAYERS: 80},
    removed=(k.HEAD_DIM,),
)
QWEN2_5_VL = variant(
    QWEN2_VL, "qwen2_5_vl_text", "Qwen2.5-VL", "Qwen2_5_VLForConditionalGeneration"
)
QWEN2_5_OMNI = variant(
    QWEN2,
    "qwen2_5_omni_text",
    "Qwen2.5-Omni",
    "Qwen2_5OmniThinkerForConditionalGeneration",
    defaults=sizes(D=3584, L=28, H=28, H_kv=4, F=18_944, V=152_064, w=32_768),
    rules=(k.ROUNDED_HEAD_DIM_RULE, k.LISTED_WINDOWS_RULE),
)
WINDOW_KEYS = (k.SLIDING_WINDOW, k.USES_WINDOW, k.MAX_WINDOW_LAYERS, k.LAYER_TYPES)
"""Keys of Qwen3 that Qwen3-VL and Qwen3-Omni lack, as they have no windows."""
QWEN3_VL = variant(
    QWEN3,
    "qwen3_vl_text",
    "Qwen3-VL",
    "Qwen3VLForConditionalGeneration",
    removed=WINDOW_KEYS,
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
    windows=None,
)
QWEN3_VL_MOE = variant(
    QWEN3_MOE,
    "qwen3_vl_moe_text",
    "Qwen3-VL MoE",
    "Qwen3VLMoeForConditionalGeneration",
    defaults=sizes(H=16, H_kv=16, F=5632, E=60, k=4, F_e=1408),
    removed=WINDOW_KEYS,
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
    windows=None,
)
QWEN3_OMNI_MOE = variant(
    QWEN3_VL_MOE,
    "qwen3_omni_moe_text",
    "Qwen3-Omni",
    "Qwen3OmniMoeThinkerForConditionalGeneration",
    # V is the default of transformers, though the released models have 152,064 tokens
    defaults=sizes(L=28, H=28, H_kv=4, F=18_944, V=3584, E=128, k=8, F_e=768),
)
