"""Gemma 4: other head sizes in full-attention layers; optional experts beside the MLP."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.gemma3n import SHARED_KV_RULE, kv_kinds
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, among, every, layer_stacks
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Parallel, Residual
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_G, D_H, H_G, H_KV, D, E, F, L
from sphinx_llmsize.translation import N_

WIDE_SHARED_LAYERS = k.flag(
    "double_wide_mlp use_double_wide_mlp",
    N_("the FFN is twice as wide in layers that reuse an earlier layer's keys"),
)
FULL, SLIDING = parts.FULL_ATTENTION, parts.SLIDING_ATTENTION
KIND_BY_NAME = {"full_attention": FULL, "sliding_attention": SLIDING}
"""Kinds of attention by their names in ``layer_types``."""


def gemma4(config: Config) -> Items:
    """Gemma 3's layers; optionally with experts, per-layer embeddings and shared K and V."""
    embeddings: Block = (parts.token_embedding(),)
    end: Block = ()
    if config.has(k.PER_LAYER_DIM):
        embeddings += parts.per_layer_embeddings()
        end = (Residual(parts.per_layer_input()),)
    layers = _layers(config, moe=config.flag(k.HAS_EXPERTS), end=end)
    return parts.decoder(config, layers, embeddings=embeddings)


def gemma4_unified(config: Config) -> Items:
    """Gemma 4 without experts or per-layer embeddings."""
    return parts.decoder(config, _layers(config))


def _layers(config: Config, *, moe: bool = False, end: Block = ()) -> Items:
    """Decoder layers.

    Args:
        config: the configuration.
        moe: add experts in parallel with the MLP.
        end: steps at the end of each layer.
    """

    def block(kind: LayerKind, kv: LayerKind) -> Block:
        is_shared = kv == parts.SHARED_KV
        width = 2 * F if is_shared and config.flag(WIDE_SHARED_LAYERS) else F
        attention = _attention(config, full=kind == FULL, shared=is_shared)
        mlp = parts.gated_mlp(width=width)
        attention_step, mlp_step = parts.sandwich_norm(parts.rms_norm, attention, mlp)
        return (attention_step, _mlp_beside_experts(mlp) if moe else mlp_step, *end)

    return layer_stacks(config.count(L), block, kind=attention_kinds(config), kv=kv_kinds(config))


def _attention(config: Config, *, full: bool, shared: bool) -> Block:
    """GQA with QK norms.

    In full-attention layers, d_g replaces d_h. H_g replaces H_kv if these layers use the keys as
    values or if the configuration sets sizes per layer.

    Args:
        config: the configuration.
        full: the layer has full attention, not a sliding window.
        shared: the layer uses the keys and values of an earlier layer.
    """
    attention = parts.gqa_with_qk_norm(config)
    keys_as_values = config.flag(k.KEYS_AS_VALUES)
    if shared:
        attention = parts.queries_only(attention)
    elif full and keys_as_values:
        attention = parts.keys_as_values(attention)
    if not full:
        return attention
    sizes_of_full: parts.Sizes = {D_H: D_G}
    if keys_as_values or config.has(k.PER_LAYER_CONFIG):
        sizes_of_full = {D_H: D_G, H_KV: H_G}
    return parts.with_sizes(attention, sizes_of_full)


def _mlp_beside_experts(mlp: Block) -> Residual:
    """MLP and experts in parallel, each with its own norms, then a norm; the router has scales."""
    norm = parts.rms_norm
    dense = (
        norm("ffn_norm", N_("FFN norm")),
        *mlp,
        norm("post_dense_norm", N_("Norm after dense FFN")),
    )
    scales = (
        parts.vector("router.scale", D, "router", label=N_("scale")),
        parts.vector("router.expert_scale", E, "router", label=N_("expert scale")),
    )
    experts = (
        norm("experts_norm", N_("Experts norm")),
        *parts.gated_experts(),
        norm("post_experts_norm", N_("Norm after experts")),
    )
    moe = parts.mixture_of_experts(experts, router=(*scales, *parts.linear_router()))
    return Residual((Parallel((dense, moe)), norm("post_ffn_norm", N_("Norm after FFN"))))


def attention_kinds(config: Config) -> Kinds:
    """Kinds in ``layer_types``; by default full attention in every sixth layer.

    In both cases the last layer has full attention.
    """
    step = k.GEMMA4_ATTENTION_STEP
    default = every(step, FULL, others=SLIDING, start=step - 1)
    kinds = parts.mixer_kinds(config, KIND_BY_NAME, otherwise=default)
    return among((config.count(L) - 1,), FULL, others=kinds)


def _check_experts(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the sizes of the experts, which have no defaults, are set if there are experts."""
    keys = (k.NUM_EXPERTS, k.EXPERTS_PER_TOKEN, k.EXPERT_DIM)
    missing_names = [parsed.name(key) for key in keys if not settings[key]]
    if settings[k.HAS_EXPERTS] and missing_names:
        raise parsed.missing(missing_names, N_("or set {key} to false"), k.HAS_EXPERTS)


GEMMA4_UNIFIED = Family(
    model_type="gemma4_unified_text",
    title="Gemma 4 (unified)",
    source="https://huggingface.co/docs/transformers/model_doc/gemma4_unified",
    architectures=("Gemma4UnifiedForCausalLM",),
    defaults={
        **sizes(D=2304, L=30, H=8, H_kv=4, d_h=256, V=262_144, d_g=None, H_g=None, F=9216, w=1024),
        **unset(k.PER_LAYER_CONFIG, k.LAYER_TYPES),
        **off(k.KEYS_AS_VALUES, WIDE_SHARED_LAYERS, k.ATTENTION_BIAS),
        k.SHARED_KV_LAYERS: 0,
        k.TIE_EMBEDDINGS: True,
    },
    compose=gemma4_unified,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.layer_types_of(*KIND_BY_NAME),
        SHARED_KV_RULE,
        k.GLOBAL_HEADS_RULE,
    ),
    windows=parts.windows_in(parts.layers_of_kind(SLIDING, attention_kinds)),
    positions=parts.Positions.ROTARY,
)
GEMMA4 = variant(
    GEMMA4_UNIFIED,
    "gemma4_text",
    "Gemma 4",
    "Gemma4ForCausalLM",
    defaults={**sizes(w=512, d_p=256, V_p=262_144, E=None, k=None, F_e=None), k.HAS_EXPERTS: False},
    compose=gemma4,
    rules=(*GEMMA4_UNIFIED.rules, k.Rule(check=_check_experts)),
)
