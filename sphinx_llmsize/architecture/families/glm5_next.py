"""Text decoder of GLM-5.3-Flash: delta attention or latent attention with indexers.

Several residual streams connect the sublayers.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import ZERO, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.glm import GLM_MOE_DSA, kinds_by_pattern_or_interval
from sphinx_llmsize.architecture.families.kimi_linear import LINEAR_ATTENTION_NAMES
from sphinx_llmsize.architecture.family import Items, sizes, unset, variant
from sphinx_llmsize.architecture.layers import MAX_LAYERS, cycle, first, layer_stacks
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_ROPE, L, Length
from sphinx_llmsize.translation import N_

INDEXED, LINEAR = parts.INDEXED_ATTENTION, parts.LINEAR_ATTENTION
KIND_BY_NAME = {
    "linear_attention": LINEAR,
    "indexed_attention": INDEXED,
    "full_attention": INDEXED,
    "deepseek_sparse_attention": INDEXED,
}
"""Kinds of attention by their names in ``layer_types``."""
M_I = Symbol("m_i", N_("tokens per indexer key"))
INDEX_POOL = k.size_key(M_I, "index_pool index_kpool")
ZERO_ROPE_DIM = k.make_key("qk_rope_head_dim", D_ROPE.meaning, k.ValueKind.WHOLE)
"""Rotary dimensions of a head, which must be 0: latent attention has no positions here."""
LISTED_INDEXED_LAYERS = k.make_key(
    "indexed_attention_layers linear_attn_config.full_attn_layers",
    N_("layers with latent attention, counted from 0"),
    k.ValueKind.LAYERS,
    optional=True,
)
"""Numbers that must agree with ``layer_types``; transformers doesn't read them."""
LISTED_DELTA_LAYERS = k.make_key(
    "delta_attention_layers linear_attn_config.kda_layers",
    N_("layers with delta attention, counted from 0"),
    k.ValueKind.LAYERS,
    optional=True,
)
"""The same for delta attention. Kimi Linear reads its list, and counts from 1."""
DENSE_LAYERS_AT_START = 3
"""Number of dense layers at the start, unless ``ffn_layer_types`` lists the dense layers."""
DEFAULT_LAYER_TYPES = (
    "linear_attention",
    "linear_attention",
    "linear_attention",
    "full_attention",
)
"""Entries of ``layer_types``, repeated to the last layer, if it is null."""


def glm5_next(config: Config) -> Items:
    """Delta attention or latent attention without positions, then an MLP or experts."""
    tokens_per_key = config.count(M_I)
    index_keys = Length(
        "T_b", N_("blocks of {number} tokens", number=tokens_per_key), tokens_per_key
    )
    delta = parts.kimi_delta_attention(low_rank_gates=True)

    def block(mixer: LayerKind, index: LayerKind, ffn: LayerKind) -> Block:
        indexer = parts.pooled_indexer(M_I, index_keys) if index == parts.OWN_INDEX else ()
        latent = parts.with_sizes(parts.mla(config, index=indexer), {D_ROPE: ZERO})
        attention = delta if mixer == LINEAR else latent
        feed_forward = parts.gated_mlp() if ffn == parts.DENSE else parts.experts_and_shared(config)
        return parts.pre_norm_on_streams(parts.hyper_connection, attention, feed_forward)

    default_mixers = cycle([KIND_BY_NAME[name] for name in DEFAULT_LAYER_TYPES])
    layers = layer_stacks(
        config.count(L),
        block,
        mixer=parts.mixer_kinds(config, KIND_BY_NAME, otherwise=default_mixers),
        index=parts.indexer_kinds(config, otherwise=kinds_by_pattern_or_interval(config)),
        ffn=parts.ffn_kinds(
            config, otherwise=first(DENSE_LAYERS_AT_START, parts.DENSE, then=parts.MOE)
        ),
    )
    return parts.decoder(config, (*layers, parts.stream_mean()))


def _check_listed_layers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that lists of delta and indexed layers agree with ``layer_types`` or its default."""
    types, layers = k.names_of(settings, k.LAYER_TYPES), k.int_or_none(settings, k.NUM_LAYERS) or 0
    names = types or DEFAULT_LAYER_TYPES
    numbers = range(min(layers, MAX_LAYERS))  # a model with more layers is refused later
    delta = {number for number in numbers if names[number % len(names)] == "linear_attention"}
    indexed = {*numbers} - delta
    for key, expected in ((LISTED_DELTA_LAYERS, delta), (LISTED_INDEXED_LAYERS, indexed)):
        if settings[key] is not None and {*k.ints_of(settings, key)} != expected:
            message = N_("{key} lists other layers than {other}")
            if not types:
                message = N_("{key} lists other layers than the default of {other}")
            hint = N_("remove it; only {other} has an effect")
            raise parsed.error(message, key, k.LAYER_TYPES, hint=hint)


def _check_dense_layers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that dense layers other than the first three are listed in ``ffn_layer_types``.

    transformers ignores their number, ``first_k_dense_replace``.
    """
    layers = k.int_or_none(settings, k.NUM_LAYERS) or 0
    dense = k.int_or_none(settings, k.FIRST_DENSE_LAYERS)
    if dense is None or settings[k.FFN_LAYER_TYPES] is not None:
        return
    # a number of dense layers above that of all layers makes no difference: all are dense
    if min(dense, layers) != min(DENSE_LAYERS_AT_START, layers):
        message = N_(
            "{key} {value} is ignored by transformers: the first {number} layers are dense"
        )
        hint = N_("remove it, or list the dense layers in {other}")
        keys, number = (k.FIRST_DENSE_LAYERS, k.FFN_LAYER_TYPES), DENSE_LAYERS_AT_START
        raise parsed.error(message, *keys, value=dense, number=number, hint=hint)


GLM5_NEXT_TEXT = variant(
    GLM_MOE_DSA,
    "glm5_next_text",
    "GLM-5.3-Flash",
    "Glm5NextForConditionalGeneration",
    defaults={
        **sizes(D=4096, L=45, R_q=1536, d_nope=256, E=288, H_l=64, d_l=128, W=4, n_hc=4),
        INDEX_POOL: 16,
        ZERO_ROPE_DIM: 0,
        **unset(k.LAYER_TYPES, LISTED_INDEXED_LAYERS, LISTED_DELTA_LAYERS),
    },
    removed=(k.ROPE_HEAD_DIM,),
    rules=(
        *GLM_MOE_DSA.rules,
        k.only_these(k.LAYER_TYPES, KIND_BY_NAME),
        k.one_for_each_layer(k.LAYER_TYPES),
        k.must_be_zero(ZERO_ROPE_DIM),
        k.Rule(check=_check_listed_layers),
        k.Rule(check=_check_dense_layers),
    ),
    names=LINEAR_ATTENTION_NAMES,
    compose=glm5_next,
)
