"""dots.llm1: experts after a few dense layers."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.layer_kinds import first_dense
from sphinx_llmsize.architecture.parts.norms import head_norms
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.parts.windows import after_first, by_layer_types
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ALL_EXPERTS, HEADS_ROUNDED_DOWN, Rule, Settings, whole
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
from sphinx_llmsize.config.windows import LISTED_WINDOWS, MAX_WINDOW_LAYERS, SLIDING_WINDOW
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _


def dots1(config: Config) -> tuple[Item, ...]:
    """Grouped-query attention with norms on Q and K; experts but for the first layers."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    experts = experts_and_shared(config)
    return decoder_with_experts(config, attention, experts, first_dense(config))


def _check_experts(settings: Settings, given: Given) -> None:
    """Layers with experts need to be told how many."""
    layers, dense = whole(settings, NUM_LAYERS), whole(settings, FIRST_DENSE_LAYERS)
    missing = [
        key.name for key in (NUM_EXPERTS, NUM_SHARED_EXPERTS) if whole(settings, key) is None
    ]
    if missing and layers and dense is not None and dense < layers:
        raise ConfigError(
            _("missing {names}", names=" and ".join(missing)),
            Problem.MISSING,
            hint=_("dots.llm1 has 128 and 2; or make all layers dense with num_first_dense_layers"),
            line=given.first_line,
        )


DOTS1 = Family(
    model_type="dots1",
    title="dots.llm1",
    source="https://arxiv.org/abs/2506.05767",
    architectures=("Dots1ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4608,
        NUM_LAYERS: 62,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 32,
        HEAD_DIM: None,
        FFN_DIM: 10_944,
        NUM_EXPERTS: None,
        EXPERTS_PER_TOKEN: None,
        EXPERT_DIM: 1408,
        NUM_SHARED_EXPERTS: None,
        FIRST_DENSE_LAYERS: 0,
        SLIDING_WINDOW: 4096,
        MAX_WINDOW_LAYERS: 62,
        LAYER_TYPES: None,
        VOCAB_SIZE: 152_064,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(HEADS_ROUNDED_DOWN, ALL_EXPERTS, Rule(check=_check_experts), LISTED_WINDOWS),
    compose=dots1,
    notes=(CORRECTION_BIAS_NOTE,),
    spans=by_layer_types(after_first),
)

FAMILIES = (DOTS1,)
