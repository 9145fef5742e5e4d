"""Gemma 3n: AltUp streams, Laurel branches, per-layer embeddings, shared keys and values."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.layers import Kinds, PerLayer, first, from_list, layer_stacks, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Parallel, Residual
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import F, L
from sphinx_llmsize.translation import N_

FFN_DIMS = k.size_key(F, "ffn_dims ffn_dim intermediate_size", kind=k.ValueKind.WHOLE_OR_LIST)


def gemma3n(config: Config) -> Items:
    """AltUp layers: attention beside a Laurel branch, then an MLP and a per-layer input."""

    def block(kv: LayerKind, width: Size) -> Block:
        attention = parts.gqa_with_qk_norm(config)
        if kv == parts.SHARED_KV:
            attention = parts.queries_only(attention)
        after_attention = parts.rms_norm("post_attention_norm", N_("Norm after attention"))
        after_ffn = parts.rms_norm("post_ffn_norm", N_("Norm after FFN"))
        beside_laurel = Parallel(((*attention, after_attention), (Residual(parts.laurel()),)))
        sublayers = (
            parts.attention_residual(parts.rms_norm, (beside_laurel,)),
            parts.ffn_residual(parts.rms_norm, (*parts.gated_mlp(width=width), after_ffn)),
        )
        return (
            Residual((parts.altup_predict(),)),
            Residual((*sublayers, parts.altup_correct())),
            Residual(parts.per_layer_input(parts.ALTUP_COMPONENT)),
        )

    streams = config.count(k.ALTUP_STREAMS)
    return (
        parts.token_embedding(),
        *parts.per_layer_embeddings(),
        *parts.altup_projections("altup_embedding", N_("AltUp: streams"), streams),
        *layer_stacks(config.count(L), block, kv=kv_kinds(config), width=ffn_widths(config)),
        *parts.altup_projections("altup_merge", N_("AltUp: merge"), streams, merge=True),
        parts.rms_norm("final_norm", N_("Final norm")),
        parts.lm_head(tied=config.flag(k.TIE_EMBEDDINGS)),
    )


def kv_kinds(config: Config) -> Kinds:
    """Layers with their own keys and values, then layers that reuse those of an earlier layer."""
    if not config.has(k.SHARED_KV_LAYERS):
        return same(parts.OWN_KV)
    layers_with_own_kv = config.count(L) - config.count(k.SHARED_KV_LAYERS)
    return first(layers_with_own_kv, parts.OWN_KV, then=parts.SHARED_KV)


def ffn_widths(config: Config) -> PerLayer[Size]:
    """Each layer's feed-forward width: F, or F_1, F_2 … if the widths differ."""
    if not isinstance(config[FFN_DIMS], tuple):
        return same(F)
    widths = config.counts(FFN_DIMS)
    distinct_widths = tuple(dict.fromkeys(widths))
    symbols = {
        width: Quantity(f"F_{number}" if len(distinct_widths) > 1 else "F", F.meaning, width)
        for number, width in enumerate(distinct_widths, start=1)
    }
    return from_list([symbols[width] for width in widths])


def _check_shared_kv(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that at least one layer has keys and values that later layers can share."""
    shared, layers = (
        k.int_or_none(settings, k.SHARED_KV_LAYERS),
        k.int_or_none(settings, k.NUM_LAYERS),
    )
    if shared and layers and shared >= layers:
        message = N_("{key} is {shared} of {layers} layers")
        hint = N_("at least one layer needs its own keys and values")
        raise parsed.error(
            message, k.SHARED_KV_LAYERS, k.NUM_LAYERS, shared=shared, layers=layers, hint=hint
        )


SHARED_KV_RULE = k.Rule(check=_check_shared_kv)
"""Fewer layers share keys and values than there are layers."""

GEMMA3N = Family(
    model_type="gemma3n_text",
    title="Gemma 3n",
    source="https://huggingface.co/docs/transformers/model_doc/gemma3n",
    architectures=("Gemma3nForCausalLM",),
    defaults={
        **sizes(D=2048, L=35, H=8, H_kv=2, d_h=256, V=262_400),
        FFN_DIMS: 16_384,
        k.SHARED_KV_LAYERS: 15,
        **sizes(n_a=4, R_l=64, d_p=256, V_p=262_144, w=512),
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: True,
        k.ATTENTION_BIAS: False,
    },
    compose=gemma3n,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.one_for_each_layer(FFN_DIMS),
        SHARED_KV_RULE,
        k.LISTED_WINDOWS_RULE,
    ),
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(5)),
    positions=parts.Positions.ROTARY,
)
