"""dots.llm1: experts after a few dense layers."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, whole
from sphinx_llmsize.config.rules import ALL_EXPERTS, HEADS_ROUNDED_DOWN
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _


def dots1(config: Config) -> tuple[Item, ...]:
    """Grouped-query attention with norms on Q and K; experts but for the first layers."""
    attention = parts.grouped_query_attention(
        bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms()
    )
    experts = parts.experts_and_shared(config)
    return parts.decoder_with_experts(config, attention, experts, parts.first_dense(config))


def _check_experts(settings: Settings, parsed: ParsedConfig) -> None:
    """Layers with experts need to be told how many."""
    layers, dense = whole(settings, k.NUM_LAYERS), whole(settings, k.FIRST_DENSE_LAYERS)
    missing = [
        key.name for key in (k.NUM_EXPERTS, k.NUM_SHARED_EXPERTS) if whole(settings, key) is None
    ]
    if missing and layers and dense is not None and dense < layers:
        raise ConfigError(
            _("missing {names}", names=" and ".join(missing)),
            Problem.MISSING,
            hint=_("dots.llm1 has 128 and 2; or make all layers dense with num_first_dense_layers"),
            line=parsed.first_line,
        )


DOTS1 = Family(
    model_type="dots1",
    title="dots.llm1",
    source="https://arxiv.org/abs/2506.05767",
    architectures=("Dots1ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4608,
        k.NUM_LAYERS: 62,
        k.NUM_HEADS: 32,
        k.NUM_KV_HEADS: 32,
        k.HEAD_DIM: None,
        k.FFN_DIM: 10_944,
        k.NUM_EXPERTS: None,
        k.EXPERTS_PER_TOKEN: None,
        k.EXPERT_DIM: 1408,
        k.NUM_SHARED_EXPERTS: None,
        k.FIRST_DENSE_LAYERS: 0,
        k.SLIDING_WINDOW: 4096,
        k.MAX_WINDOW_LAYERS: 62,
        k.LAYER_TYPES: None,
        k.VOCAB_SIZE: 152_064,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
    },
    rules=(HEADS_ROUNDED_DOWN, ALL_EXPERTS, Rule(check=_check_experts), k.LISTED_WINDOWS),
    compose=dots1,
    notes=(CORRECTION_BIAS_NOTE,),
    windows=parts.by_layer_types(parts.all_but_first_layers),
)

FAMILIES = (DOTS1,)
