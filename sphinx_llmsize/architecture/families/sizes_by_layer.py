"""OpenELM and DeciLM: decoders whose layers have different numbers of heads or FFN dimensions."""

from __future__ import annotations

from typing import Any

from sphinx_llmsize.algebra import LayerSize
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.laguna import attention_with_heads
from sphinx_llmsize.architecture.families.llama import LLAMA, LLAMA_FFN_DIM_RULE
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import PerLayer, from_list
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import H_KV
from sphinx_llmsize.translation import N_

HAS_GATED_FFN = k.flag("gated_ffn ffn_with_glu", N_("a gate in the FFN"))
HEAD_IS_EMBEDDING = k.flag(
    "has_shared_embeddings share_input_output_layers", N_("no LM head besides the token embedding")
)
FFN_MULTIPLIERS = k.make_key(
    "ffn_multipliers",
    N_("FFN dimension relative to D: of all layers, of each, or of the first and last"),
    k.ValueKind.POSITIVE_OR_LIST,
)
QUERY_MULTIPLIERS = k.make_key(
    "query_multipliers qkv_multipliers",
    N_("dimensions of all query heads relative to D: of all layers, or of the first and last"),
    k.ValueKind.POSITIVE_OR_LIST,
)
FFN_DIVISOR = k.make_key("ffn_dim_divisor", N_("the FFN dimension is a multiple of this"))
QUERIES_PER_KEY = k.make_key("queries_per_key num_gqa_groups", N_("query heads per key/value head"))
QUERY_HEADS = k.make_key(
    "num_query_heads", N_("query heads of each layer"), k.ValueKind.WHOLE_OR_LIST, optional=True
)
KV_HEADS = k.make_key(
    "num_kv_heads_of_layers num_key_value_heads_per_layer",
    N_("key/value heads of each layer"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)
FIRST_AND_LAST = 2
"""Length of a list with a number for the first layer and one for the last."""


def openelm(config: Config) -> Items:
    """Fused GQA and a fused gated MLP; heads and FFN dimension grow from layer to layer."""
    attention = parts.fused_attention(
        bias=False,
        width=parts.QUERY_WIDTH,
        kv_width=parts.KEY_WIDTH,
        norms=parts.qk_norms() if config.flag(k.QK_NORM) else (),
    )
    make_mlp = parts.fused_gated_mlp if config.flag(HAS_GATED_FFN) else parts.mlp
    queries_per_key = config.count(QUERIES_PER_KEY)
    settings = dict(config.settings)
    config.count(k.HEAD_DIM)  # raises an error if it is null

    def block(heads: int, width: int) -> Block:
        mixer = with_kv_heads(attention_with_heads(attention, heads), heads // queries_per_key)
        return parts.pre_norm(parts.rms_norm, mixer, make_mlp(width=ffn_quantity(width)))

    return parts.layered_decoder(
        config,
        block,
        tied=config.flag(HEAD_IS_EMBEDDING) or config.flag(k.TIE_EMBEDDINGS),
        heads=PerLayer(
            lambda layer: _heads_at(settings, layer),
            is_same=not isinstance(settings[QUERY_MULTIPLIERS], tuple),
        ),
        width=PerLayer(
            lambda layer: _ffn_dim_at(settings, layer),
            is_same=not isinstance(settings[FFN_MULTIPLIERS], tuple),
        ),
    )


def with_kv_heads(attention: Block, count: int) -> Block:
    """Attention with ``count`` key/value heads in place of H_kv."""
    meaning = N_("key/value heads in layers with {number}", number=count)
    return parts.with_sizes(attention, {H_KV: LayerSize(f"H_kv,{count}", meaning, count)})


def ffn_quantity(count: int) -> LayerSize:
    """Symbol for a feed-forward dimension of ``count``, used in the layers that have this one."""
    meaning = N_("FFN dimension in layers with {number}", number=count)
    return LayerSize(f"F_{count}", meaning, count)


def _heads_at(settings: k.Settings, layer: int) -> int:
    """Number of query heads of an OpenELM layer, a multiple of those per key/value head."""
    head_dim = k.int_of(settings, k.HEAD_DIM)
    group_dim = head_dim * k.int_of(settings, QUERIES_PER_KEY)
    return _multiplied_dim(settings, QUERY_MULTIPLIERS, layer, group_dim) // head_dim


def _ffn_dim_at(settings: k.Settings, layer: int) -> int:
    """Feed-forward dimension of an OpenELM layer."""
    return _multiplied_dim(settings, FFN_MULTIPLIERS, layer, k.int_of(settings, FFN_DIVISOR))


def _multiplied_dim(settings: k.Settings, key: k.Key, layer: int, divisor: int) -> int:
    """D times the layer's multiplier, rounded to the nearest multiple of ``divisor``.

    If that is more than 10% smaller than the product, it is rounded up.
    """
    exact = k.int_of(settings, k.HIDDEN_DIM) * _multiplier(settings, key, layer)
    nearest = max(divisor, int(exact + divisor / 2) // divisor * divisor)
    return nearest + divisor if nearest < 0.9 * exact else nearest


def _multiplier(settings: k.Settings, key: k.Key, layer: int) -> float:
    """Dimension of a layer relative to D.

    A list of two numbers is for the first and last layer. Numbers of the other layers are evenly
    spaced between them; all are rounded to two decimals, as in ``configuration_openelm.py``.
    """
    value: Any = settings[key]
    if not isinstance(value, tuple):
        return float(value)
    if len(value) != FIRST_AND_LAST:
        return float(value[layer])
    start, stop = map(float, value)
    last = k.int_of(settings, k.NUM_LAYERS) - 1
    if layer == 0:
        multiplier = start
    elif layer == last:
        multiplier = stop  # exactly, as in numpy.linspace
    else:
        multiplier = start + layer * ((stop - start) / last)
    return round(multiplier * 100) / 100


def _check_multipliers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that lists of multipliers have a supported length.

    Only FFN multipliers can be a list with one entry for each layer.
    """
    layers = k.int_or_none(settings, k.NUM_LAYERS) or 0
    lengths = {FFN_MULTIPLIERS: (FIRST_AND_LAST, layers), QUERY_MULTIPLIERS: (FIRST_AND_LAST,)}
    for key, allowed in lengths.items():
        value = settings[key]
        if isinstance(value, tuple) and len(value) not in allowed:
            raise k.wrong_length(parsed, key, len(value), layers)


def _check_listed_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that lists of heads agree with the multipliers, from which OpenELM derives them."""
    layers = k.int_or_none(settings, k.NUM_LAYERS) or 0
    if not k.int_or_none(settings, k.HEAD_DIM):
        return
    for key, group_size in ((QUERY_HEADS, 1), (KV_HEADS, k.int_of(settings, QUERIES_PER_KEY))):
        counts = settings[key]
        if counts is None:
            continue
        # a list limits the number of layers; without one, there can be any number of equal ones
        has_each_layer = isinstance(counts, tuple) and len(counts) == layers
        if not has_each_layer or counts != tuple(
            _heads_at(settings, layer) // group_size for layer in range(layers)
        ):
            message = N_("{key} does not follow from {other}, {third} and {fourth}")
            hint = N_("leave {key} out")
            keys = (key, QUERY_MULTIPLIERS, k.HEAD_DIM, QUERIES_PER_KEY)
            raise parsed.error(message, *keys, hint=hint)


def deci(config: Config) -> Items:
    """Llama's layers, each with its own number of key/value heads."""

    def block(kv_heads: int) -> Block:
        attention = with_kv_heads(parts.gqa(config), kv_heads)
        return parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp_of(config))

    return parts.layered_decoder(config, block, kv_heads=from_list(config.counts(KV_HEADS)))


def _check_kv_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that each layer's number of key/value heads divides H."""
    heads = k.int_or_none(settings, k.NUM_HEADS)
    for count in k.ints_of(settings, KV_HEADS):
        if heads and (count < 1 or heads % count):
            message = N_("{kv} key/value heads do not divide {heads} heads")
            hint = N_("give numbers in {key} that divide {other}")
            raise parsed.error(message, KV_HEADS, k.NUM_HEADS, kv=count, heads=heads, hint=hint)


def _derive_head_dim(settings: k.Settings) -> k.Settings:
    """Default d_h: D / H."""
    return {k.HEAD_DIM: k.int_of(settings, k.HIDDEN_DIM) // k.int_of(settings, k.NUM_HEADS)}


DERIVED_HEAD_DIM_RULE = k.Rule(derive=_derive_head_dim, check=k.ATTENTION_HEADS_RULE.check)
"""Default d_h = D / H, for families without a single number of key/value heads."""
OPENELM = Family(
    model_type="openelm",
    title="OpenELM",
    source="https://arxiv.org/abs/2404.14619",
    architectures=("OpenELMForCausalLM",),
    defaults={
        **sizes(D=2048, L=12, d_h=128, V=32_000),
        QUERY_MULTIPLIERS: 1.0,
        QUERIES_PER_KEY: 1,
        FFN_MULTIPLIERS: 4.0,
        FFN_DIVISOR: 256,
        HAS_GATED_FFN: True,
        k.TIE_EMBEDDINGS: True,
        **off(HEAD_IS_EMBEDDING, k.QK_NORM),
        **unset(QUERY_HEADS, KV_HEADS),
    },
    names={
        "model_dim": k.HIDDEN_DIM,
        "num_transformer_layers": k.NUM_LAYERS,
        "normalize_qk_projections": k.QK_NORM,
        "num_kv_heads": KV_HEADS,
    },
    rules=(k.Rule(check=_check_multipliers), k.Rule(check=_check_listed_heads)),
    compose=openelm,
    positions=parts.Positions.ROTARY,
)
DECI = variant(
    LLAMA,
    "deci",
    "DeciLM",
    "DeciLMForCausalLM",
    "https://huggingface.co/Deci/DeciLM-7B",
    removed=(k.NUM_KV_HEADS,),
    required=(KV_HEADS,),
    rules=(
        DERIVED_HEAD_DIM_RULE,
        LLAMA_FFN_DIM_RULE,
        k.one_for_each_layer(KV_HEADS),
        k.Rule(check=_check_kv_heads),
    ),
    compose=deci,
)
