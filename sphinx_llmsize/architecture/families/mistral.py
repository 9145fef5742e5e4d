"""Mistral, Ministral and Mixtral: Llama's layers without biases; some have sliding windows."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import uniform_decoder
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F


def mistral(config: Config) -> Items:
    """Llama's layers without biases."""
    return uniform_decoder(config, parts.grouped_query_attention(), parts.gated_mlp())


def mixtral(config: Config) -> Items:
    """Mistral's layers with experts of width F in place of the MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return uniform_decoder(config, parts.grouped_query_attention(), experts)


MISTRAL = Family(
    model_type="mistral",
    title="Mistral",
    source="https://arxiv.org/abs/2310.06825",
    architectures=("MistralForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=8, d_h=None, F=14_336, V=32_000, w=4096),
        k.TIE_EMBEDDINGS: False,
    },
    compose=mistral,
    windows=parts.in_all_layers,
)
MIXTRAL = replace(
    MISTRAL,
    model_type="mixtral",
    title="Mixtral",
    source="https://arxiv.org/abs/2401.04088",
    architectures=("MixtralForCausalLM",),
    defaults={**MISTRAL.defaults, **sizes(w=None, E=8, k=2)},
    compose=mixtral,
)
MINISTRAL = replace(
    MISTRAL,
    model_type="ministral",
    title="Ministral",
    source="https://huggingface.co/mistralai/Ministral-8B-Instruct-2410",
    architectures=("MinistralForCausalLM",),
    defaults={**MISTRAL.defaults, k.LAYER_TYPES: None},
    rules=(*MISTRAL.rules, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.all_layers),
)
MINISTRAL3 = replace(
    MISTRAL,
    model_type="ministral3",
    title="Ministral 3",
    source="https://huggingface.co/mistralai/Ministral-3-8B-Base-2512",
    architectures=("Ministral3ForCausalLM",),
    defaults={**MISTRAL.defaults, **sizes(L=34, d_h=128, V=131_072, w=None)},
)
