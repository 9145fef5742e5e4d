"""xLSTM: a recurrent network with a matrix memory and exponential gates."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import UNTIED_NOTE
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp, gated_mlp
from sphinx_llmsize.architecture.parts.mlstm import mlstm
from sphinx_llmsize.architecture.parts.norms import layer_norm, rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.rules import Rule, Settings, whole
from sphinx_llmsize.config.vocabulary import (
    BIAS,
    FFN_MULTIPLE_OF,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
    H,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

QUERY_FACTOR = Key(
    "query_factor", "width of queries and keys relative to D", ("qk_dim_factor",), Kind.RATIO
)
VALUE_FACTOR = Key("value_factor", "width of values relative to D", ("v_dim_factor",), Kind.RATIO)
FFN_FACTOR = Key(
    "ffn_factor", "feed-forward dimension relative to D", ("ffn_proj_factor",), Kind.RATIO
)
WEIGHT_MODE = Key(
    "weight_mode", "single: a matrix for each projection; fused: one for several", kind=Kind.NAME
)


def xlstm(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of matrix memory and a gated MLP."""
    bias = config.flag(BIAS)
    norm = layer_norm if bias else rms_norm
    feed_forward = fused_gated_mlp if config[WEIGHT_MODE] == "fused" else gated_mlp
    memory = mlstm(
        query=_width("D_qk", "width of queries and keys", config, QUERY_FACTOR),
        value=_width("D_v", "width of values", config, VALUE_FACTOR),
        head_dims=(
            _head_dim("d_qk", "dimension of a head's queries and keys", config, QUERY_FACTOR),
            _head_dim("d_v", "dimension of a head's values", config, VALUE_FACTOR),
        ),
        bias=bias,
    )
    block = mixer_pre_norm(norm, memory, feed_forward(bias=bias, width=ffn_width(config)))
    return (
        token_embedding(),
        *equal_layers(block),
        rms_norm("final_norm", "Final norm"),
        lm_head(tied=False),
    )


def ffn_width(config: Config) -> Size:
    """D times the factor, rounded up to a multiple, as xLSTM's own code has it."""
    multiple = config.count(FFN_MULTIPLE_OF)
    width = config.count(D) * _ratio(config[FFN_FACTOR])
    return Quantity(F.name, F.meaning, int((width + multiple - 1) // multiple * multiple))


def _width(name: str, meaning: str, config: Config, key: Key) -> Size:
    factor = _ratio(config[key])
    width = int(config.count(D) * factor)
    return int(factor) * D if factor == int(factor) else Quantity(name, meaning, width)


def _head_dim(name: str, meaning: str, config: Config, key: Key) -> Size:
    width = int(config.count(D) * _ratio(config[key]))
    return Quantity(name, meaning, width // config.count(H))


def _ratio(value: Setting) -> float:
    assert isinstance(value, (int, float))
    return value


def check_heads(settings: Settings, given: Given) -> None:
    """The heads divide the widths of queries and of values.

    Raises:
        ConfigError: they do not.
    """
    hidden, heads = whole(settings, HIDDEN_DIM), whole(settings, NUM_HEADS)
    for key in (QUERY_FACTOR, VALUE_FACTOR):
        width = int((hidden or 0) * _ratio(settings[key]))
        if heads and width % heads:
            raise ConfigError(
                _(
                    "{heads} heads do not divide {key} × {other}, {width}",
                    heads=f"{heads:,}",
                    key=given.name(key),
                    other=given.name(HIDDEN_DIM),
                    width=f"{width:,}",
                ),
                Problem.SHAPE,
                hint=_("choose {key} so that it divides", key=given.name(NUM_HEADS)),
                line=given.line(NUM_HEADS, HIDDEN_DIM, key),
            )


XLSTM = Family(
    model_type="xlstm",
    title="xLSTM",
    source="https://arxiv.org/abs/2503.13427",
    architectures=("xLSTMForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 8,
        QUERY_FACTOR: 0.5,
        VALUE_FACTOR: 1.0,
        FFN_FACTOR: 2.667,
        FFN_MULTIPLE_OF: 64,
        WEIGHT_MODE: "single",
        VOCAB_SIZE: 50_304,
        BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    compose=xlstm,
    rules=(Rule(check=check_heads),),
    names={"embedding_dim": HIDDEN_DIM, "num_blocks": NUM_LAYERS},
    notes=(UNTIED_NOTE,),
)

FAMILIES = (XLSTM,)
