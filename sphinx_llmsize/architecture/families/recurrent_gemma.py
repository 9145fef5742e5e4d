"""RecurrentGemma (Griffin): recurrence in two layers of three, local attention in the third."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, unset
from sphinx_llmsize.architecture.layers import cycle
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D, H
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

D_R = Symbol("D_r", N_("width of the recurrence"))

RECURRENCE_WIDTH = k.size_key(D_R, "recurrence_width lru_width", optional=True)
GATE_AND_UP_DIM = k.make_key(
    "gate_and_up_dim", N_("width of gate and up together: twice the FFN dimension")
)
BLOCK_TYPES = k.make_key(
    "block_types _block_types", N_("kinds of layers, repeated to the last layer"), k.ValueKind.NAMES
)
RECURRENT = LayerKind("recurrent", N_("recurrent"))
KIND_BY_NAME = {"recurrent": RECURRENT, "attention": parts.ATTENTION}
"""Mixers by their names in ``block_types``."""


def recurrent_gemma(config: Config) -> Items:
    """Pre-norm layers of a recurrence or GQA, followed by a gated MLP with biases."""
    width = D_R if config.is_explicit(D_R) else D
    width_per_head = config.count(D_R) // config.count(H)
    gate_block = Quantity("d_r", N_("block width of the recurrence gates"), width_per_head)

    def block(mixer: LayerKind) -> Block:
        if mixer == RECURRENT:
            recurrence = parts.recurrent_block(width=width, block_size=gate_block)
            return parts.mixer_pre_norm(parts.rms_norm, recurrence, parts.gated_mlp(bias=True))
        qkv_bias = config.flag(k.QKV_BIAS)
        attention = parts.grouped_query_attention(bias=qkv_bias, output_bias=True)
        return parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp(bias=True))

    kinds = cycle([KIND_BY_NAME[name] for name in config.names(BLOCK_TYPES)])
    return parts.layered_decoder(config, block, mixer=kinds)


def _check_block_types(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that a kind of layer is listed."""
    if not settings[BLOCK_TYPES]:
        message = N_("{key} is empty")
        hint = N_("name at least one kind")
        raise parsed.error(message, BLOCK_TYPES, hint=hint, problem=Problem.VALUE)


RECURRENT_GEMMA = Family(
    model_type="recurrent_gemma",
    title="RecurrentGemma",
    source="https://arxiv.org/abs/2404.07839",
    architectures=("RecurrentGemmaForCausalLM",),
    defaults={
        **sizes(D=2560, L=26, H=10, H_kv=None, d_h=None, V=256_000),
        GATE_AND_UP_DIM: 7680,
        **unset(k.FFN_DIM, RECURRENCE_WIDTH),
        k.CONV_WIDTH: 4,
        BLOCK_TYPES: ("recurrent", "recurrent", "attention"),
        k.SLIDING_WINDOW: 2048,
        k.TIE_EMBEDDINGS: True,
        k.QKV_BIAS: False,
    },
    compose=recurrent_gemma,
    rules=(
        k.ROUNDED_HEAD_DIM_RULE,
        k.only_these(BLOCK_TYPES, KIND_BY_NAME),
        k.Rule(check=_check_block_types),
        k.ffn_dim_half_of(GATE_AND_UP_DIM),
        k.same_as(k.HIDDEN_DIM, RECURRENCE_WIDTH),
    ),
    names={
        "attention_bias": k.QKV_BIAS,
        "intermediate_size": GATE_AND_UP_DIM,
        "conv1d_width": k.CONV_WIDTH,
        "attention_window_size": k.SLIDING_WINDOW,
    },
    windows=parts.windows_in_all_layers,
    positions=parts.Positions.ROTARY,
)
