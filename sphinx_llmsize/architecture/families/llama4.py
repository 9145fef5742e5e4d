"""Llama 4: one routed and one shared expert, in every layer or in every other."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.common_layers import gqa
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import Kinds, among, every
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind, make_key
from sphinx_llmsize.config.symbols import F_E
from sphinx_llmsize.translation import N_

EXPERT_LAYERS = make_key(
    "expert_layer_numbers moe_layers",
    N_("layers with experts, counted from 0"),
    Kind.LAYERS,
    optional=True,
)


def llama4(config: Config) -> Items:
    """GQA followed by a gated MLP or by experts with a shared one of the same width."""
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(width=F_E))
    return parts.decoder_with_experts(config, gqa(config), experts, ffn_kinds(config))


def ffn_kinds(config: Config) -> Kinds:
    """Experts in the layers that ``moe_layers`` lists, else in every n-th layer."""
    if config[EXPERT_LAYERS] is not None:
        return among(config.counts(EXPERT_LAYERS), parts.MOE, others=parts.DENSE)
    step = config.count(k.EXPERT_LAYER_STEP)
    return every(step, parts.MOE, others=parts.DENSE, start=step - 1)


LLAMA4 = Family(
    model_type="llama4_text",
    title="Llama 4",
    source="https://huggingface.co/docs/transformers/model_doc/llama4",
    architectures=("Llama4ForCausalLM",),
    defaults={
        **sizes(D=5120, L=48, H=40, H_kv=8, d_h=128, F=16_384, V=202_048, E=16, k=1, F_e=8192),
        k.EXPERT_LAYER_STEP: 1,
        **unset(EXPERT_LAYERS, k.ROTARY_LAYERS, k.LAYER_TYPES),
        k.ATTENTION_CHUNK: 8192,
        k.NO_ROPE_INTERVAL: 4,
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=llama4,
    names={"intermediate_size": k.EXPERT_DIM, "intermediate_size_mlp": k.FFN_DIM},
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.rotary_layers, parts.tokens_of(k.ATTENTION_CHUNK)),
)
