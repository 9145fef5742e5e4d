"""LFM2 and LFM3: short convolutions in most layers, attention in the others."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Size, round_up
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset, variant
from sphinx_llmsize.architecture.layers import PerLayer, among, every, from_list, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import F, H
from sphinx_llmsize.translation import N_

ADJUST_FFN_DIM = k.flag(
    "adjust_ffn_dim block_auto_adjust_ff_dim",
    N_("the FFN is 2/3 · ffn_multiplier · ffn_dim wide, rounded up to ffn_multiple_of"),
)
FFN_MULTIPLIER = k.make_key(
    "ffn_multiplier block_ffn_dim_multiplier", N_("a factor on ffn_dim"), k.ValueKind.POSITIVE
)
ATTENTION_GATE = k.flag(
    "attention_gate use_attention_gate", N_("an output gate with one number per head")
)
CONVOLUTION_BIAS = k.flag(
    "convolution_bias conv_bias", N_("biases on the mixer's convolution and projections")
)
CONVOLUTION = LayerKind("convolution", N_("convolution"), "conv", group=Group.MIXER)
KIND_BY_NAME = {
    "conv": CONVOLUTION,
    "full_attention": parts.ATTENTION,
    "attention": parts.ATTENTION,
}
"""LFM2's mixers by their names in ``layer_types``."""
LFM3_KIND_BY_NAME = {**KIND_BY_NAME, "sliding_attention": parts.ATTENTION}
"""LFM3's mixers, likewise; LFM2 has no sliding windows."""


def lfm2(config: Config) -> Items:
    """Short convolution or attention, followed by a gated MLP."""
    width = adjusted_ffn_width(config)

    def block(mixer: LayerKind) -> Block:
        return lfm2_block(config, mixer, parts.gated_mlp(width=width))

    otherwise = same(parts.ATTENTION)
    if config[k.FULL_ATTENTION_LAYERS] is not None:
        numbers = config.counts(k.FULL_ATTENTION_LAYERS)
        otherwise = among(numbers, parts.ATTENTION, others=CONVOLUTION)
    mixer = parts.mixer_kinds(config, KIND_BY_NAME, otherwise=otherwise)
    return parts.layered_decoder(config, block, mixer=mixer)


def lfm2_moe(config: Config) -> Items:
    """LFM2 with experts in place of the MLP in all but the first layers."""
    experts = parts.mixture_of_experts(parts.gated_experts())

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        return lfm2_block(config, mixer, parts.gated_mlp() if ffn == parts.DENSE else experts)

    mixer = from_list([KIND_BY_NAME[name] for name in config.names(k.LAYER_TYPES)])
    ffn = parts.first_dense(config)
    return parts.layered_decoder(config, block, mixer=mixer, ffn=ffn)


def lfm2_block(config: Config, mixer: LayerKind, feed_forward: Block) -> Block:
    """A layer: GQA with QK norms or a short convolution, then the feed-forward block."""
    if mixer == parts.ATTENTION:
        return parts.pre_norm(
            parts.rms_norm, parts.grouped_query_attention(norms=parts.qk_norms()), feed_forward
        )
    convolution = parts.short_convolution(bias=config.flag(CONVOLUTION_BIAS))
    return parts.mixer_pre_norm(parts.rms_norm, convolution, feed_forward)


def lfm3(config: Config) -> Items:
    """GQA with QK norms and optional output gates, or short convolutions; then a gated MLP.

    If ``layer_types`` is null, attention is in layers 2, 4, 6 … (counted from 0).
    """
    attention = parts.gqa_with_qk_norm(config)
    if config.flag(ATTENTION_GATE):
        attention = parts.with_gate(attention, (parts.output_gate(width=H),))
    convolution = parts.short_convolution(bias=config.flag(CONVOLUTION_BIAS))
    has_sandwich_norm = config.flag(k.SANDWICH_NORM)

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.ATTENTION:
            frame = parts.sandwich_norm if has_sandwich_norm else parts.pre_norm
            return frame(parts.rms_norm, attention, parts.gated_mlp())
        mixer_frame = parts.mixer_sandwich_norm if has_sandwich_norm else parts.mixer_pre_norm
        return mixer_frame(parts.rms_norm, convolution, parts.gated_mlp())

    alternating = every(2, parts.ATTENTION, others=CONVOLUTION, start=2)
    mixer = parts.mixer_kinds(config, LFM3_KIND_BY_NAME, otherwise=alternating)
    return parts.layered_decoder(config, block, mixer=mixer)


def sliding_layers(config: Config) -> PerLayer[bool]:
    """Layers with a window by default: 4, 8, 12 … (from 0), every other attention layer."""
    return every(4, True, others=False, start=4)


def adjusted_ffn_width(config: Config) -> Size:
    """Feed-forward width in LFM2's code: F or, if ``adjust_ffn_dim`` is true, F_a.

    F_a is 2/3·F · ``ffn_multiplier``, rounded up to a multiple of ``ffn_multiple_of``.
    """
    if not config.flag(ADJUST_FFN_DIM):
        return F
    factor, multiple = config[FFN_MULTIPLIER], config.count(k.FFN_MULTIPLE_OF)
    assert isinstance(factor, (int, float))
    two_thirds = 2 * config.count(F) // 3
    # on interactive pages F is a traced number, which int() would turn into a constant, so int() is
    # avoided where the factor changes nothing
    width = two_thirds if factor == 1 else int(factor * two_thirds)
    return Quantity("F_a", N_("adjusted FFN dimension"), round_up(width, multiple))


KEYS_OF_LFM2 = (k.FULL_ATTENTION_LAYERS, ADJUST_FFN_DIM, k.FFN_MULTIPLE_OF, FFN_MULTIPLIER)
"""Keys that LFM2's relatives don't have."""
LFM2 = Family(
    model_type="lfm2",
    title="LFM2",
    source="https://arxiv.org/abs/2511.23404",
    architectures=("Lfm2ForCausalLM",),
    defaults={
        **sizes(D=2560, L=32, H=32, H_kv=8, d_h=None, V=65_536, W=3, F=12_288),
        **unset(k.LAYER_TYPES, k.FULL_ATTENTION_LAYERS),
        ADJUST_FFN_DIM: True,
        k.FFN_MULTIPLE_OF: 256,
        FFN_MULTIPLIER: 1.0,
        CONVOLUTION_BIAS: False,
        k.TIE_EMBEDDINGS: True,
    },
    names={"block_ff_dim": k.FFN_DIM, "tie_embedding": k.TIE_EMBEDDINGS},
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of(*KIND_BY_NAME)),
    compose=lfm2,
    positions=parts.Positions.ROTARY,
)
LFM2_MOE = variant(
    LFM2,
    "lfm2_moe",
    "LFM2 MoE",
    "Lfm2MoeForCausalLM",
    LFM2.source,
    defaults={**sizes(D=2048, F=7168, E=32, k=4, F_e=1792), k.FIRST_DENSE_LAYERS: 2},
    removed=(k.LAYER_TYPES, *KEYS_OF_LFM2),
    names={"tie_embedding": k.TIE_EMBEDDINGS},
    required=(k.LAYER_TYPES,),
    compose=lfm2_moe,
)
LFM3 = variant(
    LFM2,
    "lfm3",
    "LFM3",
    "Lfm3ForCausalLM",
    defaults={
        **sizes(D=2048, L=24, H=16, H_kv=4, d_h=128, V=128_000, w=256, W=7, F=7680),
        k.ATTENTION_BIAS: False,
        ATTENTION_GATE: True,
        k.SANDWICH_NORM: True,
    },
    removed=KEYS_OF_LFM2,
    names={},
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of(*LFM3_KIND_BY_NAME)),
    compose=lfm3,
    windows=parts.windows_by_layer_types(otherwise=sliding_layers),
)
