"""Cohere's Command R, Command R7B and Command A: attention and MLP side by side."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family, without
from sphinx_llmsize.architecture.layers import FAR, Kinds
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import parallel
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds, first_dense
from sphinx_llmsize.architecture.parts.norms import head_norms, layer_norm_without_bias
from sphinx_llmsize.architecture.parts.sparse_layers import experts_and_shared, layers_with_experts
from sphinx_llmsize.architecture.parts.windows import by_layer_types, by_pattern, no_layer
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, LAYER_TYPES
from sphinx_llmsize.config.rules import HEADS_ROUNDED_DOWN, one_for_each_layer, same_as
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    QK_NORM,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)
from sphinx_llmsize.config.windows import (
    DENSE_WINDOW_PATTERN,
    LISTED_WINDOWS,
    SLIDING_WINDOW,
    WINDOW_PATTERN,
)


def cohere(config: Config) -> tuple[Item, ...]:
    """One norm for attention, which may have norms on each query and key head, and MLP."""
    norms = head_norms(each=True) if config.flag(QK_NORM) else ()
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=norms)
    block = parallel(layer_norm_without_bias, attention, gated_mlp())
    return decoder(config, block, norm=layer_norm_without_bias)


def cohere2(config: Config) -> tuple[Item, ...]:
    """Command R's block, never with norms on queries and keys."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    block = parallel(layer_norm_without_bias, attention, gated_mlp())
    return decoder(config, block, norm=layer_norm_without_bias)


def cohere2_moe(config: Config) -> tuple[Item, ...]:
    """The same with experts in place of the MLP, after a few dense layers."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    dense_first = first_dense(config)
    kinds = ffn_kinds(config, dense_first)
    experts = experts_and_shared(config)
    layers = layers_with_experts(config, attention, experts, kinds, frame=parallel)
    return decoder(config, layers, norm=layer_norm_without_bias)


def windows_after_dense(config: Config) -> Kinds:
    """One layer in so many has full attention, counted anew after the dense layers."""
    dense, of_dense = config.count(FIRST_DENSE_LAYERS), config.count(DENSE_WINDOW_PATTERN)
    step = config.count(WINDOW_PATTERN)
    full_and_dense = (
        (False, range(of_dense - 1, dense, of_dense)),
        (True, range(dense)),
        (False, range(dense + step - 1, FAR, step)),
    )
    return Kinds(full_and_dense, True)


COHERE = Family(
    model_type="cohere",
    title="Command R",
    source="https://huggingface.co/docs/transformers/model_doc/cohere",
    architectures=("CohereForCausalLM",),
    defaults={
        HIDDEN_DIM: 8192,
        NUM_LAYERS: 40,
        NUM_HEADS: 64,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: 22_528,
        VOCAB_SIZE: 256_000,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
        QK_NORM: False,
    },
    compose=cohere,
    rules=(HEADS_ROUNDED_DOWN,),
)
COHERE2 = replace(
    COHERE,
    model_type="cohere2",
    title="Command A",
    source="https://arxiv.org/abs/2504.00698",
    architectures=("Cohere2ForCausalLM",),
    defaults={
        **without(COHERE.defaults, QK_NORM),
        SLIDING_WINDOW: 4096,
        WINDOW_PATTERN: 4,
        LAYER_TYPES: None,
    },
    rules=(*COHERE.rules, LISTED_WINDOWS),
    compose=cohere2,
    spans=by_layer_types(by_pattern()),
)
COHERE_COMPASS = replace(
    COHERE2,
    model_type="cohere_compass_text",
    title="Cohere Compass",
    source="https://huggingface.co/docs/transformers/model_doc/cohere_compass",
    architectures=("CohereCompassForCausalLM",),
    spans=by_layer_types(no_layer),
)


COHERE2_MOE = replace(
    COHERE2,
    model_type="cohere2_moe",
    title="Command A+",
    source="https://huggingface.co/docs/transformers/model_doc/cohere2_moe",
    architectures=("Cohere2MoeForCausalLM",),
    defaults={
        **COHERE2.defaults,
        HEAD_DIM: 128,
        FFN_DIM: None,
        EXPERT_DIM: 22_528,
        NUM_EXPERTS: 8,
        EXPERTS_PER_TOKEN: 2,
        NUM_SHARED_EXPERTS: 0,
        FIRST_DENSE_LAYERS: 0,
        DENSE_WINDOW_PATTERN: 1,
        FFN_LAYER_TYPES: None,
    },
    compose=cohere2_moe,
    rules=(*COHERE2.rules, one_for_each_layer(FFN_LAYER_TYPES), same_as(EXPERT_DIM, FFN_DIM)),
    names={"intermediate_size": EXPERT_DIM, "prefix_dense_intermediate_size": FFN_DIM},
    spans=by_layer_types(windows_after_dense),
)

FAMILIES = (COHERE, COHERE2, COHERE2_MOE, COHERE_COMPASS)
