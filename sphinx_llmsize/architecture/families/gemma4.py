"""Gemma 4: full-attention layers with other heads, experts beside the MLP."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.gemma3n import SHARED_KEYS, own_keys
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, among, every, layered, listed
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import sandwich_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import token_embedding
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    linear_router,
    mixture_of_experts,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.linear import vector
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.per_layer_embeddings import (
    per_layer_embeddings,
    per_layer_input,
)
from sphinx_llmsize.architecture.parts.reused_projections import keys_as_values, queries_only
from sphinx_llmsize.architecture.parts.windows import where, with_windows
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Parallel, stages_of
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import PER_LAYER_DIM, PER_LAYER_VOCAB_SIZE
from sphinx_llmsize.config.experts import EXPERT_DIM, EXPERTS_PER_TOKEN, HAS_EXPERTS, NUM_EXPERTS, E
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.global_attention import (
    D_G,
    FULL_ATTENTION_STEP,
    GLOBAL_HEAD_DIM,
    GLOBAL_HEADS,
    GLOBAL_KV_HEADS,
    H_G,
    KEYS_AS_VALUES,
)
from sphinx_llmsize.config.key import flag
from sphinx_llmsize.config.layer_types import LAYER_TYPES, PER_LAYER_CONFIG, SHARED_KV_LAYERS
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings, one_for_each_layer
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    D_H,
    FFN_DIM,
    H_KV,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
    L,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

WIDE_SHARED_LAYERS = flag(
    "double_wide_mlp",
    "an MLP of twice the width in layers with an earlier layer's keys",
    "use_double_wide_mlp",
)
FULL = "full attention"


def gemma4(config: Config) -> tuple[Item, ...]:
    """Gemma 3's layers, some with experts, per-layer embeddings or an earlier layer's keys."""
    if not config.has(PER_LAYER_DIM):
        return decoder(config, _layers(config, moe=config.flag(HAS_EXPERTS)), norm=rms_norm)
    layers = _layers(config, moe=config.flag(HAS_EXPERTS), end=per_layer_input())
    embeddings = (token_embedding(), *stages_of(per_layer_embeddings()))
    return decoder(config, layers, norm=rms_norm, embeddings=embeddings)


def gemma4_unified(config: Config) -> tuple[Item, ...]:
    """Gemma 4 without experts and per-layer embeddings."""
    return decoder(config, _layers(config), norm=rms_norm)


def _layers(config: Config, *, moe: bool = False, end: Block = ()) -> tuple[Item, ...]:
    def block(mixer: str, keys: str) -> Block:
        shared = keys == "shared KV"
        wide = shared and config.flag(WIDE_SHARED_LAYERS)
        attention = _attention(config, full=mixer == FULL, shared=shared)
        layer = sandwich_norm(rms_norm, attention, gated_mlp(width=2 * F if wide else F))
        return (*(_with_experts(layer) if moe else layer), *end)

    return layered(config.count(L), block, mixer=attention_kinds(config), keys=own_keys(config))


def _attention(config: Config, *, full: bool, shared: bool) -> Block:
    """Norms on queries and keys; heads of other sizes in full-attention layers."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    as_values = config.flag(KEYS_AS_VALUES)
    if shared:
        attention = queries_only(attention)
    elif full and as_values:
        attention = keys_as_values(attention)
    own_kv_heads = as_values or config.has(PER_LAYER_CONFIG)
    return with_sizes(attention, {D_H: D_G, H_KV: H_G if own_kv_heads else H_KV} if full else {})


def _with_experts(layer: Block) -> Block:
    """Experts beside the MLP, with norms of their own; the router has scales for both sides."""
    scales = (
        vector("router.scale", D, "router", label="scale"),
        vector("router.expert_scale", E, "router", label="expert scale"),
    )
    moe = mixture_of_experts(gated_experts(), router=(*scales, *linear_router()))
    router, up, down = stages_of(moe)
    *before, norm, mlp_up, mlp_down, after = stages_of(layer)
    dense = (norm, mlp_up, mlp_down, rms_norm("post_dense_norm", "Norm after dense FFN"))
    experts = (
        router,
        rms_norm("experts_norm", "Experts norm"),
        up,
        down,
        rms_norm("post_experts_norm", "Norm after experts"),
    )
    return (*before, Parallel((dense, experts)), after)


def attention_kinds(config: Config) -> Kinds:
    """Sliding and full attention as listed, else every sixth layer full; the last one always."""
    types = config.names(LAYER_TYPES)
    usual = every(FULL_ATTENTION_STEP, FULL, others="sliding attention", start=5)
    named = listed([name.replace("_", " ") for name in types])
    return among((config.count(L) - 1,), FULL, others=named if types else usual)


def check_experts(settings: Settings, given: Given) -> None:
    """Experts have no sizes of their own by default.

    Raises:
        ConfigError: there are experts, but not all of their sizes.
    """
    missing = [k for k in (NUM_EXPERTS, EXPERTS_PER_TOKEN, EXPERT_DIM) if not settings[k]]
    if settings[HAS_EXPERTS] and missing:
        raise ConfigError(
            _("missing {names}", names=" and ".join(given.name(key) for key in missing)),
            Problem.MISSING,
            hint=_("or set {key} to false", key=given.name(HAS_EXPERTS)),
            line=given.line(HAS_EXPERTS),
        )


GEMMA4_UNIFIED = Family(
    model_type="gemma4_unified_text",
    title="Gemma 4 (unified)",
    source="https://huggingface.co/docs/transformers/model_doc/gemma4_unified",
    architectures=("Gemma4UnifiedForCausalLM",),
    defaults={
        HIDDEN_DIM: 2304,
        NUM_LAYERS: 30,
        NUM_HEADS: 8,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 256,
        GLOBAL_HEAD_DIM: None,
        GLOBAL_KV_HEADS: None,
        PER_LAYER_CONFIG: None,
        KEYS_AS_VALUES: False,
        SHARED_KV_LAYERS: 0,
        LAYER_TYPES: None,
        FFN_DIM: 9216,
        WIDE_SHARED_LAYERS: False,
        SLIDING_WINDOW: 1024,
        VOCAB_SIZE: 262_144,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
    },
    compose=gemma4_unified,
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES), SHARED_KEYS, GLOBAL_HEADS),
    spans=with_windows(where("sliding attention", attention_kinds)),
)
GEMMA4 = replace(
    GEMMA4_UNIFIED,
    model_type="gemma4_text",
    title="Gemma 4",
    source="https://huggingface.co/docs/transformers/model_doc/gemma4",
    architectures=("Gemma4ForCausalLM",),
    defaults={
        **GEMMA4_UNIFIED.defaults,
        SLIDING_WINDOW: 512,
        PER_LAYER_DIM: 256,
        PER_LAYER_VOCAB_SIZE: 262_144,
        HAS_EXPERTS: False,
        NUM_EXPERTS: None,
        EXPERTS_PER_TOKEN: None,
        EXPERT_DIM: None,
    },
    compose=gemma4,
    rules=(*GEMMA4_UNIFIED.rules, Rule(check=check_experts)),
)

FAMILIES = (GEMMA4, GEMMA4_UNIFIED)
