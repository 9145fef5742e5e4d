"""Mistral, Ministral, Mixtral, Voxtral Realtime and Mistral Small 4.

Mistral Small 4 has DeepSeek-V3's layers; the others have Llama's without biases, with experts in
Mixtral.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Residual, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, F
from sphinx_llmsize.translation import N_


def mixtral(config: Config) -> Items:
    """Mistral's layers with experts of width F in place of the MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return parts.uniform_decoder(config, parts.grouped_query_attention(), experts)


R_T = Quantity("R_t", N_("rank of the scale from the time embedding"), 32)
"""A fixed size, without a key in the configuration."""


def voxtral_realtime(config: Config) -> Items:
    """Mistral's layers; the MLP's input is scaled by a projection of the time embedding."""
    tensors = (
        *parts.linear("time_down_proj", D, R_T, "time_scale", label=N_("down")),
        *parts.linear("time_up_proj", R_T, D, "time_scale", label=N_("up")),
    )
    scale = Stage("time_scale", N_("Scale by time"), Group.NORMS, (D,), tensors)

    def frame(norm: parts.Norm, attention: Block, feed_forward: Block) -> Block:
        norm_and_scale = Parallel(((norm("ffn_norm", N_("FFN norm")),), (scale,)))
        return (
            parts.attention_residual(norm, attention),
            Residual((norm_and_scale, *feed_forward)),
        )

    attention = parts.grouped_query_attention()
    return parts.uniform_decoder(config, attention, parts.gated_mlp(), frame=frame)


MISTRAL = Family(
    model_type="mistral",
    title="Mistral",
    source="https://arxiv.org/abs/2310.06825",
    architectures=("MistralForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=8, d_h=None, F=14_336, V=32_000, w=4096),
        k.TIE_EMBEDDINGS: False,
    },
    compose=parts.llama_without_biases,
    windows=parts.windows_in_all_layers,
    positions=parts.Positions.ROTARY,
)
MIXTRAL = variant(
    MISTRAL,
    "mixtral",
    "Mixtral",
    "MixtralForCausalLM",
    "https://arxiv.org/abs/2401.04088",
    defaults=sizes(w=None, E=8, k=2),
    compose=mixtral,
)
MINISTRAL = variant(
    MISTRAL,
    "ministral",
    "Ministral",
    "MinistralForCausalLM",
    "https://huggingface.co/mistralai/Ministral-8B-Instruct-2410",
    defaults={k.LAYER_TYPES: None},
    rules=(*MISTRAL.rules, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.all_layers),
)
MINISTRAL3 = variant(
    MISTRAL,
    "ministral3",
    "Ministral 3",
    "Ministral3ForCausalLM",
    "https://huggingface.co/mistralai/Ministral-3-8B-Base-2512",
    defaults=sizes(L=34, d_h=128, V=131_072, w=None),
)
MISTRAL4 = variant(
    DEEPSEEK_V3,
    "mistral4",
    "Mistral Small 4",
    "Mistral4ForCausalLM",
    defaults={
        **sizes(D=4096, L=36, H=32, V=131_072, R_q=1024, R_kv=256, d_nope=64, F=12_288),
        **sizes(E=128, k=4),
        k.FIRST_DENSE_LAYERS: 0,
    },
    notes=(),
)
VOXTRAL_REALTIME = variant(
    MISTRAL,
    "voxtral_realtime_text",
    "Voxtral Realtime",
    "VoxtralRealtimeForConditionalGeneration VoxtralRealtimeTextModel",
    defaults={k.TIE_EMBEDDINGS: True},
    compose=voxtral_realtime,
)
