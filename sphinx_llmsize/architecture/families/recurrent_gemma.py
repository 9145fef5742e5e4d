"""RecurrentGemma: Griffin's recurrence in two layers of three, local attention in the third."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Symbol
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import FAR, Kinds, layered
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.rg_lru import recurrent_block
from sphinx_llmsize.architecture.parts.windows import in_all_layers
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import Key, Kind, size_key
from sphinx_llmsize.config.mixers import CONV_WIDTH
from sphinx_llmsize.config.rules import HEADS_ROUNDED_DOWN, Rule, Settings, known, only_these, whole
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    H,
    L,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

D_R = Symbol("D_r", "width of the recurrence")

RECURRENCE_WIDTH = size_key(D_R, "recurrence_width", "lru_width", optional=True)
GATE_AND_UP_DIM = Key(
    "gate_and_up_dim", "the feed-forward's gate and up side by side: twice ffn_dim"
)
BLOCK_TYPES = Key(
    "block_types", "the kinds of the first layers, after which they repeat", kind=Kind.NAMES
)


def recurrent_gemma(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of recurrence or attention, and a gated MLP with biases."""
    width = D_R if config.was_given(D_R) else D
    per_head = config.count(D_R) // config.count(H)
    diagonal = Quantity("d_r", "width of a block of the recurrence's gates", per_head)

    def block(mixer: str) -> Block:
        if mixer == "recurrent":
            recurrence = recurrent_block(width=width, block=diagonal)
            return mixer_pre_norm(rms_norm, recurrence, gated_mlp(bias=True))
        attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), output_bias=True)
        return pre_norm(rms_norm, attention, gated_mlp(bias=True))

    return decoder(config, layered(config.count(L), block, mixer=mixers(config)), norm=rms_norm)


def mixers(config: Config) -> Kinds:
    """The kinds of ``block_types``, again and again."""
    types = config.names(BLOCK_TYPES)
    turns = (range(turn, FAR, len(types)) for turn in range(len(types)))
    return Kinds(tuple(zip(types, turns, strict=True)))


def _sizes(settings: Settings) -> Settings:
    return {FFN_DIM: known(settings, GATE_AND_UP_DIM) // 2, RECURRENCE_WIDTH: settings[HIDDEN_DIM]}


def check_sizes(settings: Settings, given: Given) -> None:
    """The kinds that repeat are some, and the feed-forward has one width.

    Raises:
        ConfigError: there are none, or it has two.
    """
    if not settings[BLOCK_TYPES]:
        raise ConfigError(
            _("{key} is empty", key=given.name(BLOCK_TYPES)),
            Problem.VALUE,
            hint=_("name at least one kind"),
            line=given.line(BLOCK_TYPES),
        )
    width, both = whole(settings, FFN_DIM), whole(settings, GATE_AND_UP_DIM)
    if width and both and GATE_AND_UP_DIM in given.entries and both // 2 != width:
        raise ConfigError(
            _(
                "{key} is {width}, but {other} {both}",
                key=given.name(FFN_DIM),
                width=f"{width:,}",
                other=given.name(GATE_AND_UP_DIM),
                both=f"{both:,}",
            ),
            Problem.SHAPE,
            hint=_("keep one of them: {key} is twice ffn_dim", key=given.name(GATE_AND_UP_DIM)),
            line=given.line(FFN_DIM),
        )


RECURRENT_GEMMA = Family(
    model_type="recurrent_gemma",
    title="RecurrentGemma",
    source="https://arxiv.org/abs/2404.07839",
    architectures=("RecurrentGemmaForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 26,
        NUM_HEADS: 10,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        GATE_AND_UP_DIM: 7680,
        FFN_DIM: None,
        RECURRENCE_WIDTH: None,
        CONV_WIDTH: 4,
        BLOCK_TYPES: ("recurrent", "recurrent", "attention"),
        SLIDING_WINDOW: 2048,
        VOCAB_SIZE: 256_000,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
    },
    compose=recurrent_gemma,
    rules=(
        HEADS_ROUNDED_DOWN,
        only_these(BLOCK_TYPES, ("recurrent", "attention")),
        Rule(_sizes, check_sizes),
    ),
    names={
        "intermediate_size": GATE_AND_UP_DIM,
        "conv1d_width": CONV_WIDTH,
        "attention_window_size": SLIDING_WINDOW,
    },
    spans=in_all_layers,
)

FAMILIES = (RECURRENT_GEMMA,)
