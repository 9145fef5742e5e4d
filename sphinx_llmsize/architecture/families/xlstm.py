"""xLSTM: a recurrent network with a matrix memory and exponential gates."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import UNTIED_NOTE
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D, F, H
from sphinx_llmsize.translation import N_

QUERY_FACTOR = k.make_key(
    "query_factor qk_dim_factor",
    N_("width of queries and keys relative to D"),
    k.ValueKind.POSITIVE,
)
VALUE_FACTOR = k.make_key(
    "value_factor v_dim_factor", N_("width of values relative to D"), k.ValueKind.POSITIVE
)
FFN_FACTOR = k.make_key(
    "ffn_factor ffn_proj_factor", N_("FFN dimension relative to D"), k.ValueKind.POSITIVE
)
WEIGHT_MODE = k.make_key(
    "weight_mode", N_("single: one matrix per projection; fused: several in one"), k.ValueKind.NAME
)

BIAS = k.flag(
    "projection_and_norm_bias use_bias", N_("biases on all projections and norms of a layer")
)


def xlstm(config: Config) -> Items:
    """Pre-norm layers of a matrix memory (mLSTM) and a gated MLP; untied LM head."""
    bias = config.flag(BIAS)
    norm = parts.layer_norm if bias else parts.rms_norm
    make_mlp = parts.fused_gated_mlp if config[WEIGHT_MODE] == "fused" else parts.gated_mlp
    memory = parts.mlstm(
        query=_width(config, QUERY_FACTOR, "D_qk", N_("width of queries and keys")),
        value=_width(config, VALUE_FACTOR, "D_v", N_("width of values")),
        head_dims=(
            _head_dim(config, QUERY_FACTOR, "d_qk", N_("dimension of a head's queries and keys")),
            _head_dim(config, VALUE_FACTOR, "d_v", N_("dimension of a head's values")),
        ),
        bias=bias,
    )
    block = parts.mixer_pre_norm(norm, memory, make_mlp(bias=bias, width=_ffn_width(config)))
    return parts.decoder(config, block, tied=False)


def _ffn_width(config: Config) -> Size:
    """Feed-forward width: D × ``ffn_factor``, rounded up to the configured multiple."""
    multiple = config.count(k.FFN_MULTIPLE_OF)
    width = config.count(D) * _ratio(config[FFN_FACTOR])
    rounded = int((width + multiple - 1) // multiple * multiple)
    return Quantity(F.name, F.meaning, rounded)


def _width(config: Config, factor_key: k.Key, name: str, meaning: str) -> Size:
    """D times the factor; as a multiple of the symbol D if the factor is a whole number."""
    factor = _ratio(config[factor_key])
    if factor == int(factor):
        return int(factor) * D
    return Quantity(name, meaning, int(config.count(D) * factor))


def _head_dim(config: Config, factor_key: k.Key, name: str, meaning: str) -> Size:
    """Dimension of one head: D times the factor, divided by H."""
    width = int(config.count(D) * _ratio(config[factor_key]))
    return Quantity(name, meaning, width // config.count(H))


def _ratio(value: Setting) -> float:
    """Value of a factor, which is never null."""
    assert isinstance(value, (int, float))
    return value


def _check_heads(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the number of heads divides the widths of queries and of values."""
    hidden, heads = k.int_or_none(settings, k.HIDDEN_DIM), k.int_or_none(settings, k.NUM_HEADS)
    for key in (QUERY_FACTOR, VALUE_FACTOR):
        width = int((hidden or 0) * _ratio(settings[key]))
        if heads and width % heads:
            message = N_("{heads} heads do not divide {third} × {other}, {width}")
            hint = N_("choose {key} so that it divides")
            keys = (k.NUM_HEADS, k.HIDDEN_DIM, key)
            raise parsed.error(message, *keys, heads=heads, width=width, hint=hint)


XLSTM = Family(
    model_type="xlstm",
    title="xLSTM",
    source="https://arxiv.org/abs/2503.13427",
    architectures=("xLSTMForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=8, V=50_304),
        QUERY_FACTOR: 0.5,
        VALUE_FACTOR: 1.0,
        FFN_FACTOR: 2.667,
        k.FFN_MULTIPLE_OF: 64,
        WEIGHT_MODE: "single",
        **off(BIAS, k.TIE_EMBEDDINGS),
    },
    compose=xlstm,
    rules=(k.Rule(check=_check_heads), k.one_of(WEIGHT_MODE, "single", "fused")),
    names={"embedding_dim": k.HIDDEN_DIM, "num_blocks": k.NUM_LAYERS},
    notes=(UNTIED_NOTE,),
)
