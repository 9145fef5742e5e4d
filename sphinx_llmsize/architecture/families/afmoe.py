"""AFMoE (Trinity): gated attention between norms before and after, experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS


def afmoe(config: Config) -> tuple[Item, ...]:
    """Norms before and after, a gate on every number; the correction bias is a parameter."""
    attention = parts.insert(
        normed_attention(config), parts.output_gate(), before="attention_output"
    )
    experts = parts.experts_and_shared(config, router=parts.corrected_router())
    kinds = parts.first_dense(config)
    return parts.decoder_with_experts(config, attention, experts, kinds, frame=parts.sandwich_norm)


AFMOE = Family(
    model_type="afmoe",
    title="AFMoE (Trinity)",
    source="https://huggingface.co/arcee-ai/Trinity-Mini",
    architectures=("AfmoeForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 32,
        k.NUM_HEADS: 16,
        k.NUM_KV_HEADS: None,
        k.HEAD_DIM: 128,
        k.FFN_DIM: 6144,
        k.NUM_EXPERTS: 64,
        k.EXPERTS_PER_TOKEN: 6,
        k.EXPERT_DIM: 1408,
        k.NUM_SHARED_EXPERTS: 2,
        k.FIRST_DENSE_LAYERS: 1,
        k.SLIDING_WINDOW: 1024,
        k.WINDOW_PATTERN: 4,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 200_192,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
    },
    compose=afmoe,
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.by_pattern()),
    names={"global_attn_every_n_layers": k.WINDOW_PATTERN},
)

FAMILIES = (AFMOE,)
