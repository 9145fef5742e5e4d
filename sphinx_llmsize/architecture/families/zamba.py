"""Zamba: Mamba layers, and a few transformer layers, each used at several depths."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.mamba import mamba_mixer
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import Kinds, among, every, same
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D, F
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

ATTENTION_INPUT_DIM = k.size_key(
    parts.D_A, "attention_input_dim attention_hidden_size", optional=True
)
NUM_SHARED_BLOCKS = k.make_key(
    "num_shared_blocks num_mem_blocks", N_("shared transformer layers, used in turn")
)
ADAPTER_RANK = k.size_key(parts.R_A, "adapter_rank")
ATTENTION_ADAPTERS = k.flag(
    "attention_adapters use_shared_attention_adapter", N_("adapters on Q, K and V")
)
LINEAR_BIAS = k.flag(
    "linear_bias add_bias_linear", N_("biases on the projections of mixer and FFN")
)
HYBRID_LAYERS = k.make_key(
    "hybrid_layer_ids",
    N_("layers with adapters, from 0: the hybrid ones of layer_types"),
    k.ValueKind.LAYERS,
    optional=True,
)
FIRST_HYBRID = 2
"""First layer of Zamba with the shared transformer, counted from 0."""
ZAMBA2_LAYERS = 54
"""Number of layers of Zamba2's first release."""
ZAMBA2_HYBRIDS = (6, 12, 18, 24, 30, 36, 42, 47, 51)
"""Layers of Zamba2's first release with a shared transformer, counted from 0."""


def zamba(config: Config) -> Items:
    """Mamba layers; one in six follows a shared transformer layer that also reads the embedding."""
    width = parts.D_A if config.is_explicit(parts.D_A) else 2 * D
    mixer = parts.mixer_residual(parts.rms_norm, mamba_mixer(config))
    shared = parts.shared_transformer(width, parts.gated_mlp())
    return parts.decoder_with_shared_layers(
        config,
        mixer,
        before=(parts.shared_linear(),),
        shared=shared,
        kinds=zamba_kinds(config),
        sets=1,
    )


def zamba_kinds(config: Config) -> Kinds:
    """Hybrid layers of Zamba: the third, then every n-th from an offset after it.

    If the offset is not less than n, the third is the only one.
    """
    step, offset = config.count(k.FULL_ATTENTION_INTERVAL), config.count(k.FULL_ATTENTION_OFFSET)
    later = same(parts.MAMBA)
    if offset < step:
        start = FIRST_HYBRID + 1 + offset
        later = every(step, parts.HYBRID, others=parts.MAMBA, start=start)
    return among([FIRST_HYBRID], parts.HYBRID, others=later)


def zamba2(config: Config) -> Items:
    """Mamba-2 layers; nine of 54 follow a shared transformer layer, each with its own adapters."""
    bias = config.flag(LINEAR_BIAS)
    width = F if config.is_explicit(F) else 4 * D
    inputs = parts.D_A if config.is_explicit(parts.D_A) else 2 * D
    mixer = parts.mixer_residual(parts.rms_norm, parts.mamba2(bias=bias, conv_bias=True))
    shared = parts.shared_transformer(inputs, parts.fused_gated_mlp(bias=bias, width=width))
    adapters: Block = (parts.ffn_adapter(width),)
    if config.flag(ATTENTION_ADAPTERS):
        adapters = (*parts.attention_adapters(inputs), *adapters)
    return parts.decoder_with_shared_layers(
        config,
        mixer,
        before=(*adapters, parts.shared_linear()),
        shared=shared,
        kinds=among(ZAMBA2_HYBRIDS, parts.HYBRID, others=parts.MAMBA),
        sets=config.count(NUM_SHARED_BLOCKS),
    )


def _derive_heads(settings: k.Settings) -> k.Settings:
    """Default d_h = 2·D / H, as the shared attention is 2·D wide, and H_kv = H."""
    hidden, heads = k.int_of(settings, k.HIDDEN_DIM), k.int_of(settings, k.NUM_HEADS)
    return {k.HEAD_DIM: 2 * hidden // heads, k.NUM_KV_HEADS: heads}


def _check_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that 2·D / H, rounded down, isn't 0 unless d_h is set."""
    hidden, heads = k.int_or_none(settings, k.HIDDEN_DIM), k.int_or_none(settings, k.NUM_HEADS)
    if hidden and heads and not k.int_or_none(settings, k.HEAD_DIM) and heads > 2 * hidden:
        raise k.heads_do_not_divide(parsed, k.NUM_HEADS, heads, hidden)


SHARED_HEADS_RULE = k.Rule(derive=_derive_heads, check=_check_heads)
"""Default number and dimension of the shared attention's heads."""


def _check_layers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that Zamba has at least 3 layers, unless ``layer_types`` lists them."""
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    if settings[k.LAYER_TYPES] is None and layers is not None and layers < FIRST_HYBRID + 1:
        message = N_("Zamba without layer_types has 3 layers or more, not {layers}")
        hint = N_("the third layer is the first hybrid one")
        raise parsed.error(message, k.NUM_LAYERS, layers=layers, hint=hint)


def _check_zamba2_layers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that Zamba2 has the first release's 54 layers, unless ``layer_types`` lists them."""
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    if settings[k.LAYER_TYPES] is None and layers not in (None, ZAMBA2_LAYERS):
        message = N_("Zamba2 without layer_types has {usual} layers, not {layers}")
        hint = N_("give layer_types")
        raise parsed.error(message, k.NUM_LAYERS, usual=ZAMBA2_LAYERS, layers=layers, hint=hint)


def _check_hybrids(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that ``hybrid_layer_ids``, the layers with adapters, are the hybrid layers.

    If ``hybrid_layer_ids`` is null, transformers derives it from ``layers_block_type``; but if the
    file lists the kinds under the name ``layer_types``, it uses the first release's layers instead.
    """
    hybrids: tuple[int, ...] = ZAMBA2_HYBRIDS
    if types := k.names_of(settings, k.LAYER_TYPES):
        hybrids = tuple(number for number, name in enumerate(types) if name == "hybrid")
    if settings[HYBRID_LAYERS] is not None:
        layers_with_adapters = k.ints_of(settings, HYBRID_LAYERS)
    elif k.LAYER_TYPES in parsed.entries:
        # changes to another model have no model_type, and transformers never reads them
        is_change = k.MODEL_TYPE not in parsed.entries
        is_derived = is_change or parsed.name(k.LAYER_TYPES) == "layers_block_type"
        layers_with_adapters = hybrids if is_derived else ZAMBA2_HYBRIDS
    else:
        return
    if (ids := sorted(layers_with_adapters)) != list(hybrids):
        message = N_("hybrid_layer_ids {ids} are not the layers of kind hybrid in {key}")
        hint = N_("write layers_block_type, and leave out hybrid_layer_ids")
        raise parsed.error(message, k.LAYER_TYPES, HYBRID_LAYERS, ids=ids, hint=hint)


def _check_tied(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Refuse untied embeddings, with which transformers unties the shared layers as well."""
    if settings[k.TIE_EMBEDDINGS] is False:
        message = N_("Zamba2 without tied embeddings is not supported")
        hint = N_("transformers then unties the shared layers as well and repeats their adapters")
        raise parsed.error(message, k.TIE_EMBEDDINGS, hint=hint, problem=Problem.VALUE)


ZAMBA = Family(
    model_type="zamba",
    title="Zamba",
    source="https://arxiv.org/abs/2405.16712",
    architectures=("ZambaForCausalLM",),
    defaults={
        **sizes(D=3712, L=76, H=16, H_kv=16, d_h=None, V=32_000),
        k.LAYER_TYPES: None,
        k.FULL_ATTENTION_INTERVAL: 6,
        k.FULL_ATTENTION_OFFSET: 4,
        ATTENTION_INPUT_DIM: None,
        **sizes(H_m=2, S=16, W=4, X=2, D_inner=None, R_dt=None, F=14_848),
        k.MIXER_CONV_BIAS: True,
        k.MIXER_BIAS: False,
        k.TIE_EMBEDDINGS: True,
    },
    names={"mamba_proj_bias": k.MIXER_BIAS, "attention_head_dim": k.HEAD_DIM},
    rules=(
        SHARED_HEADS_RULE,
        k.Rule(check=_check_layers),
        k.TIME_STEPS_RULE,
        k.INNER_WIDTH_RULE,
        k.STATE_SPACE_HEADS_RULE,
        k.layer_types_of(*parts.ZAMBA_KIND_BY_NAME),
    ),
    compose=zamba,
    positions=parts.Positions.NONE,
)
ZAMBA2 = Family(
    model_type="zamba2",
    title="Zamba2",
    source="https://arxiv.org/abs/2411.15242",
    architectures=("Zamba2ForCausalLM",),
    defaults={
        **sizes(D=2560, H=32, H_kv=None, d_h=None, V=32_000),
        k.NUM_LAYERS: ZAMBA2_LAYERS,
        **unset(k.LAYER_TYPES, HYBRID_LAYERS),
        NUM_SHARED_BLOCKS: 1,
        ATTENTION_INPUT_DIM: None,
        **off(ATTENTION_ADAPTERS, LINEAR_BIAS),
        ADAPTER_RANK: 128,
        **sizes(H_m=8, G_m=1, S=64, W=4, X=2, D_inner=None, F=None),
        k.TIE_EMBEDDINGS: True,
    },
    names={"attention_head_dim": k.HEAD_DIM},
    rules=(
        SHARED_HEADS_RULE,
        k.Rule(check=_check_zamba2_layers),
        k.Rule(check=_check_tied),
        k.Rule(check=_check_hybrids),
        k.FFN_FOUR_TIMES_HIDDEN_RULE,
        k.INNER_WIDTH_RULE,
        k.layer_types_of(*parts.ZAMBA_KIND_BY_NAME),
    ),
    compose=zamba2,
    positions=None,  # rotary or none, by use_mem_rope, which isn't read
)
