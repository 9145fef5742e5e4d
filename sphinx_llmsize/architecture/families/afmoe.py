"""AFMoE (Trinity): gated attention between norms before and after, experts."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import output_gate
from sphinx_llmsize.architecture.parts.blocks import inserted, sandwich_norm
from sphinx_llmsize.architecture.parts.experts import corrected_router
from sphinx_llmsize.architecture.parts.layer_kinds import first_dense
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.parts.windows import by_layer_types, by_pattern
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
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
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW, WINDOW_PATTERN


def afmoe(config: Config) -> tuple[Item, ...]:
    """Norms before and after, a gate on every number; the correction bias is a parameter."""
    attention = inserted(normed_attention(config), output_gate(), before="attention_output")
    experts = experts_and_shared(config, router=corrected_router())
    kinds = first_dense(config)
    return decoder_with_experts(config, attention, experts, kinds, frame=sandwich_norm)


AFMOE = Family(
    model_type="afmoe",
    title="AFMoE (Trinity)",
    source="https://huggingface.co/arcee-ai/Trinity-Mini",
    architectures=("AfmoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 32,
        NUM_HEADS: 16,
        NUM_KV_HEADS: None,
        HEAD_DIM: 128,
        FFN_DIM: 6144,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 6,
        EXPERT_DIM: 1408,
        NUM_SHARED_EXPERTS: 2,
        FIRST_DENSE_LAYERS: 1,
        SLIDING_WINDOW: 1024,
        WINDOW_PATTERN: 4,
        LAYER_TYPES: None,
        VOCAB_SIZE: 200_192,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=afmoe,
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(by_pattern()),
    names={"global_attn_every_n_layers": WINDOW_PATTERN},
)

FAMILIES = (AFMOE,)
