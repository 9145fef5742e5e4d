"""OLMo, OLMo 2, OLMo 3 and, with experts, OLMoE and FlexOlmo."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.families.common_layers import gqa, uniform_decoder
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rules import ATTENTION_HEADS, heads_fill_hidden
from sphinx_llmsize.config.symbols import F


def olmo(config: Config) -> tuple[Item, ...]:
    """Llama's layers with norms without weights."""
    return uniform_decoder(config, gqa(config), parts.gated_mlp(), norm=parts.plain_norm)


def olmo2(config: Config) -> tuple[Item, ...]:
    """Post-norm layers of GQA, with one norm each over all queries and all keys."""
    attention = jointly_normed_attention(config)
    return uniform_decoder(config, attention, parts.gated_mlp(), frame=parts.post_norm)


def olmoe(config: Config) -> tuple[Item, ...]:
    """OLMo 2's attention and experts in pre-norm layers."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return uniform_decoder(config, jointly_normed_attention(config), experts)


def flex_olmo(config: Config) -> tuple[Item, ...]:
    """OLMo 2 with experts in place of the MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    attention = jointly_normed_attention(config)
    return uniform_decoder(config, attention, experts, frame=parts.post_norm)


def jointly_normed_attention(config: Config) -> Block:
    """GQA with one norm over the queries of all heads and one over the keys of all heads."""
    return gqa(config, norms=parts.head_norms(query=parts.QUERY_WIDTH, key=parts.KEY_WIDTH))


OLMO = Family(
    model_type="olmo",
    title="OLMo",
    source="https://arxiv.org/abs/2402.00838",
    architectures=("OlmoForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=11_008, V=50_304),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    compose=olmo,
)
OLMO2 = replace(
    OLMO,
    model_type="olmo2",
    title="OLMo 2",
    source="https://arxiv.org/abs/2501.00656",
    architectures=("Olmo2ForCausalLM",),
    compose=olmo2,
)
OLMO3 = replace(
    OLMO2,
    model_type="olmo3",
    title="OLMo 3",
    source="https://huggingface.co/docs/transformers/model_doc/olmo3",
    architectures=("Olmo3ForCausalLM",),
    defaults={**OLMO2.defaults, k.SLIDING_WINDOW: 4096, k.LAYER_TYPES: None},
    rules=(*OLMO2.rules, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.full_every(4)),
)
OLMOE = replace(
    OLMO,
    model_type="olmoe",
    title="OLMoE",
    source="https://arxiv.org/abs/2409.02060",
    architectures=("OlmoeForCausalLM",),
    defaults={**OLMO.defaults, **sizes(D=2048, L=16, H=16, F=2048, E=64, k=8)},
    rules=(ATTENTION_HEADS, heads_fill_hidden()),
    compose=olmoe,
)
FLEX_OLMO = replace(
    OLMO,
    model_type="flex_olmo",
    title="FlexOlmo",
    source="https://arxiv.org/abs/2507.07024",
    architectures=("FlexOlmoForCausalLM",),
    defaults={**OLMO.defaults, k.VOCAB_SIZE: 100_352, k.NUM_EXPERTS: 7, k.EXPERTS_PER_TOKEN: 5},
    compose=flex_olmo,
)
