"""Beam and Kolibri: norms before and after every sublayer and on each head, and experts."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import first
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention, output_gate
from sphinx_llmsize.architecture.parts.blocks import inserted, sandwich_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts
from sphinx_llmsize.architecture.parts.windows import by_layer_types, full_every, last_full
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    F_S,
    NUM_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW

DENSE_LAYERS_AT_START = 3


def beam(config: Config) -> tuple[Item, ...]:
    """Gated attention everywhere; an MLP in the first layers, experts in the others."""
    attention = inserted(
        grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms()),
        output_gate(head_bias=True),
        before="attention_output",
    )
    kinds = ffn_kinds(config, first(DENSE_LAYERS_AT_START, "dense", then="MoE"))
    experts = mixture_of_experts(gated_experts())
    return decoder_with_experts(config, attention, experts, kinds, frame=sandwich_norm)


def kolibri(config: Config) -> tuple[Item, ...]:
    """Experts in every layer, and one that all tokens use."""
    shared = shared_expert() if config.has(F_S) else ()
    experts = mixture_of_experts(gated_experts(), shared=shared)
    attention = grouped_query_attention(norms=head_norms())
    return decoder(config, sandwich_norm(rms_norm, attention, experts), norm=rms_norm)


BEAM = Family(
    model_type="beam",
    title="Beam",
    source="https://huggingface.co/docs/transformers/model_doc/beam",
    architectures=("BeamForCausalLM",),
    defaults={
        HIDDEN_DIM: 5120,
        NUM_LAYERS: 52,
        NUM_HEADS: 48,
        NUM_KV_HEADS: 8,
        HEAD_DIM: 128,
        FFN_DIM: 20_480,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 2560,
        FFN_LAYER_TYPES: None,
        SLIDING_WINDOW: 512,
        LAYER_TYPES: None,
        VOCAB_SIZE: 151_936,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=beam,
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_LAYER_TYPES), LISTED_WINDOWS),
    spans=by_layer_types(last_full(full_every(6))),
)
KOLIBRI = Family(
    model_type="kolibri1",
    title="Kolibri",
    source="https://huggingface.co/docs/transformers/model_doc/kolibri1",
    architectures=("Kolibri1ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 50,
        NUM_HEADS: 48,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 128,
        NUM_EXPERTS: 384,
        EXPERTS_PER_TOKEN: 6,
        EXPERT_DIM: 512,
        SHARED_EXPERT_DIM: 512,
        SLIDING_WINDOW: 513,
        LAYER_TYPES: None,
        VOCAB_SIZE: 128_000,
        TIE_EMBEDDINGS: False,
    },
    compose=kolibri,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(full_every(5)),
)

FAMILIES = (BEAM, KOLIBRI)
