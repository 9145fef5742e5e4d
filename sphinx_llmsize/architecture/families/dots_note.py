"""Text decoder of dots3-note: latent attention with windows or indexers, then experts."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, CountNote
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import Kinds, PerLayer, among, first, from_list, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_ROPE, E_S, F_S, H
from sphinx_llmsize.translation import N_

USE_INDEXER = k.flag("indexed_attention use_dsa", N_("an indexer that selects keys"), optional=True)
EXPERT_LAYERS = k.make_key(
    "expert_layers moe_layer_freq",
    N_("interval of the layers with experts, or 1 (experts) or 0 (dense) for each layer"),
    k.ValueKind.WHOLE_OR_LIST,
)


def dots3_note(config: Config) -> Items:
    """Latent attention, in most layers with a window and other sizes; an MLP or experts."""
    shared = (
        parts.shared_expert(width=parts.width_of_shared_experts(config, F_S))
        if config.has(E_S)
        else ()
    )
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=shared)

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        attention = parts.latent_attention(
            query_latent=True,
            bias=config.flag(k.ATTENTION_BIAS),
            index=parts.lightning_indexer() if mixer == parts.INDEXED_ATTENTION else (),
            key_norm=(parts.latent_norm("k_rope_norm", N_("Rotary key norm"), D_ROPE),),
            gate=(parts.output_gate(width=H, gated=parts.MLA_VALUE_WIDTH),),
        )
        if mixer == parts.SLIDING_ATTENTION:
            attention = parts.with_sizes(attention, k.SLIDING_SIZES)
        feed_forward = parts.gated_mlp() if ffn == parts.DENSE else experts
        return parts.pre_norm(parts.rms_norm, attention, feed_forward)

    mixer, ffn = attention_kinds(config), dots3_ffn_kinds(config)
    return parts.layered_decoder(config, block, mixer=mixer, ffn=ffn)


def attention_kinds(config: Config) -> Kinds:
    """Kinds in ``layer_types``.

    If it is null: without ``has_sliding_layers``, no layer has a window; with it, those of
    :func:`is_usually_sliding`. Layers without a window have an indexer or full attention:

    ==============================================  ==================  =====================
    key ``indexed_attention``                       ``full_attention``  ``indexed_attention``
    ==============================================  ==================  =====================
    true, or null and ``per_layer_config`` is null  indexer             indexer
    null, and ``per_layer_config`` is set           full                indexer
    false                                           full                full
    ==============================================  ==================  =====================

    Columns 2 and 3 are names in ``layer_types``; if it is null, layers are as in column 3.
    """
    full, sliding = parts.FULL_ATTENTION, parts.SLIDING_ATTENTION
    use_indexer = config[USE_INDEXER]
    no_window = full if use_indexer is False else parts.INDEXED_ATTENTION
    if types := config.names(k.LAYER_TYPES):
        kind_of_name = {
            "sliding_attention": sliding,
            "indexed_attention": no_window,
            "full_attention": no_window,
        }
        if use_indexer is None and config[k.PER_LAYER_CONFIG] is not None:
            kind_of_name["full_attention"] = full
        return from_list([kind_of_name[name] for name in types])
    if not config.flag(k.USES_WINDOW):
        return same(no_window)
    return PerLayer(lambda layer: sliding if k.is_usually_sliding(layer) else no_window)


def dots3_ffn_kinds(config: Config) -> Kinds:
    """Kinds in ``ffn_layer_types``; by default dense layers, then those of ``expert_layers``."""
    dense_layers = config.count(k.FIRST_DENSE_LAYERS)
    if isinstance(config[EXPERT_LAYERS], tuple):
        numbers = [layer for layer, flag in enumerate(config.counts(EXPERT_LAYERS)) if flag]
        listed = among(numbers, parts.MOE, others=parts.DENSE)
        default = first(dense_layers, parts.DENSE, then=listed)
    else:
        default = parts.moe_every(config.count(EXPERT_LAYERS), first_dense=dense_layers)
    return parts.ffn_kinds(config, otherwise=default)


def _check_expert_layers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the layers with experts are a positive interval or one flag for each layer."""
    value, layers = settings[EXPERT_LAYERS], k.int_or_none(settings, k.NUM_LAYERS) or 0
    if value == 0 or (isinstance(value, tuple) and len(value) < layers):
        message = N_("{key} is neither an interval nor a list for {layers} layers")
        hint = N_("give an interval of at least 1, or an entry for each layer")
        raise parsed.error(message, EXPERT_LAYERS, layers=layers, hint=hint)


DOTS3_NOTE_TEXT = Family(
    model_type="dots3_note_text",
    title="dots3-note",
    source="https://huggingface.co/docs/transformers/model_doc/dots3_note",
    architectures=("Dots3NoteForCausalLM",),
    defaults={
        **sizes(D=5120, L=46, H=128),
        **sizes(R_q=1024, R_kv=512, d_nope=128, d_rope=64, d_v=128, H_i=64, d_i=128),
        **unset(*k.SLIDING_KEYS),
        k.SLIDING_HEAD_DIM: 256,
        **sizes(F=13_824, V=152_064, E=256, k=8, F_e=1536, E_s=1, F_s=1536),
        **unset(k.PER_LAYER_CONFIG, k.FFN_LAYER_TYPES, k.LAYER_TYPES, USE_INDEXER),
        k.FIRST_DENSE_LAYERS: 1,
        EXPERT_LAYERS: 1,
        k.USES_WINDOW: True,
        k.SLIDING_WINDOW: None,  # 512, even if it is written as null; see the rules
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(
        k.QUERY_LATENT_RULE,
        k.only_these(k.LAYER_TYPES, ("sliding_attention", "indexed_attention", "full_attention")),
        k.one_for_each_layer(k.LAYER_TYPES, k.FFN_LAYER_TYPES),
        k.SLIDING_LATENTS_RULE,
        k.default_if_null(k.SLIDING_WINDOW, 512),
        k.Rule(check=_check_expert_layers),
    ),
    names={
        "sliding_window_size": k.SLIDING_WINDOW,
        "shared_experts_intermediate_size": k.SHARED_EXPERT_DIM,
        "moe_shared_expert_intermediate_size": k.SHARED_EXPERT_DIM,
    },
    compose=dots3_note,
    notes=(
        CORRECTION_BIAS_NOTE,
        CountNote(N_("Vision and audio encoders, if a model has them, are not counted here.")),
    ),
    windows=parts.windows_in(parts.layers_of_kind(parts.SLIDING_ATTENTION, attention_kinds)),
    positions=parts.Positions.ROTARY,
)
