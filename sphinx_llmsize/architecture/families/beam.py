"""Beam and Kolibri: norms before and after every sublayer and on each head, and experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import first
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import F_S

DENSE_LAYERS_AT_START = 3


def beam(config: Config) -> tuple[Item, ...]:
    """Gated attention everywhere; an MLP in the first layers, experts in the others."""
    attention = parts.insert(
        parts.grouped_query_attention(bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms()),
        parts.output_gate(head_bias=True),
        before="attention_output",
    )
    kinds = parts.ffn_kinds(config, first(DENSE_LAYERS_AT_START, parts.DENSE, then=parts.MOE))
    experts = parts.mixture_of_experts(parts.gated_experts())
    return parts.decoder_with_experts(config, attention, experts, kinds, frame=parts.sandwich_norm)


def kolibri(config: Config) -> tuple[Item, ...]:
    """Experts in every layer, and one that all tokens use."""
    shared = parts.shared_expert() if config.has(F_S) else ()
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=shared)
    attention = parts.grouped_query_attention(norms=parts.head_norms())
    return parts.decoder(
        config, parts.sandwich_norm(parts.rms_norm, attention, experts), norm=parts.rms_norm
    )


BEAM = Family(
    model_type="beam",
    title="Beam",
    source="https://huggingface.co/docs/transformers/model_doc/beam",
    architectures=("BeamForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 5120,
        k.NUM_LAYERS: 52,
        k.NUM_HEADS: 48,
        k.NUM_KV_HEADS: 8,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 20_480,
        k.NUM_EXPERTS: 256,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 2560,
        k.FFN_LAYER_TYPES: None,
        k.SLIDING_WINDOW: 512,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 151_936,
        k.TIE_EMBEDDINGS: False,
        k.ATTENTION_BIAS: False,
    },
    compose=beam,
    rules=(ATTENTION_HEADS, k.one_for_each_layer(k.FFN_LAYER_TYPES), k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.all_but_last_layer(parts.full_every(6))),
)
KOLIBRI = Family(
    model_type="kolibri1",
    title="Kolibri",
    source="https://huggingface.co/docs/transformers/model_doc/kolibri1",
    architectures=("Kolibri1ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2560,
        k.NUM_LAYERS: 50,
        k.NUM_HEADS: 48,
        k.NUM_KV_HEADS: 4,
        k.HEAD_DIM: 128,
        k.NUM_EXPERTS: 384,
        k.EXPERTS_PER_TOKEN: 6,
        k.EXPERT_DIM: 512,
        k.SHARED_EXPERT_DIM: 512,
        k.SLIDING_WINDOW: 513,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 128_000,
        k.TIE_EMBEDDINGS: False,
    },
    compose=kolibri,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.full_every(5)),
)

FAMILIES = (BEAM, KOLIBRI)
