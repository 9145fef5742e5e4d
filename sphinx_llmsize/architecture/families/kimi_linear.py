"""Kimi Linear and Ling 3: delta attention in most layers, latent attention in the others."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3
from sphinx_llmsize.architecture.family import Family, without
from sphinx_llmsize.architecture.layers import Kinds, among, every, layered
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE, UNTIED_NOTE
from sphinx_llmsize.architecture.parts.attention import output_gate
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.latent_attention import VALUE_WIDTH, latent_attention
from sphinx_llmsize.architecture.parts.layer_kinds import (
    ffn_kinds,
    first_dense,
    mixer_kinds,
    mixer_names,
)
from sphinx_llmsize.architecture.parts.linear_attention import kimi_delta_attention
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import experts_and_shared
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import EXPERT_DIM, FIRST_DENSE_LAYERS, NUM_EXPERTS
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.latent_attention import Q_LORA_RANK
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, FFN_TYPES, LAYER_TYPES
from sphinx_llmsize.config.mixers import CONV_WIDTH, LINEAR_HEAD_DIM, LINEAR_HEADS
from sphinx_llmsize.config.rules import (
    Rule,
    Settings,
    one_for_each_layer,
    only_these,
    same_as,
    whole,
)
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    VOCAB_SIZE,
    H,
    L,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

FULL_LAYERS = Key(
    "full_layers",
    "numbers of the layers with latent attention, from 1",
    ("linear_attn_config.full_attn_layers",),
    Kind.LAYERS,
    optional=True,
)
DELTA_LAYERS = Key(
    "delta_layers",
    "numbers of the layers with delta attention, from 1",
    ("linear_attn_config.kda_layers",),
    Kind.LAYERS,
    optional=True,
)
LAYER_GROUP = Key(
    "layer_group_size", "one layer in how many, the last of each group, has latent attention"
)
SHORT_CONV_WIDTH = Key(
    "short_conv_width",
    "width of the convolution, if conv_width does not say",
    ("short_conv_kernel_size",),
)
FULL, LINEAR = "full attention", "linear attention"


def kimi_linear(config: Config) -> tuple[Item, ...]:
    """Every fourth layer with latent attention, unless they are told by number or listed."""
    attention = latent_attention(
        query_latent=config.has(Q_LORA_RANK), bias=config.flag(ATTENTION_BIAS)
    )
    delta = kimi_delta_attention(low_rank_gates=True)
    kinds = every(4, FULL, others=LINEAR, start=4)
    full, linear = config[FULL_LAYERS], config[DELTA_LAYERS]
    if full is not None and linear is not None:
        numbers = {*config.counts(FULL_LAYERS)} - {*config.counts(DELTA_LAYERS)}
        kinds = among([number - 1 for number in sorted(numbers)], FULL, others=LINEAR)
    return hybrid(config, attention, delta, kinds)


def bailing_hybrid(config: Config) -> tuple[Item, ...]:
    """The last layer of each group with latent attention, whose heads are gated."""
    bias = config.flag(ATTENTION_BIAS)
    attention = latent_attention(
        query_latent=False, bias=bias, gate=(output_gate(width=H, gated=VALUE_WIDTH),)
    )
    delta = kimi_delta_attention(low_rank_gates=False)
    group = config.count(LAYER_GROUP)
    return hybrid(config, attention, delta, every(group, FULL, others=LINEAR, start=group - 1))


def hybrid(config: Config, attention: Block, delta: Block, kinds: Kinds) -> tuple[Item, ...]:
    """Two kinds of mixer and two of feed-forward: as listed, else by these kinds."""

    def block(mixer: str, ffn: str) -> Block:
        feed_forward = gated_mlp() if ffn == "dense" else experts_and_shared(config)
        return pre_norm(rms_norm, attention if mixer == FULL else delta, feed_forward)

    layers = layered(
        config.count(L),
        block,
        mixer=mixer_kinds(config, mixer_names(LINEAR), otherwise=kinds),
        ffn=ffn_kinds(config, first_dense(config)),
    )
    last_norm = rms_norm("final_norm", "Final norm")
    return (token_embedding(), *layers, last_norm, lm_head(tied=False))


def _check_numbers(settings: Settings, given: Given) -> None:
    """Layers told by number must be there."""
    layers = whole(settings, NUM_LAYERS) or 0
    for key in (FULL_LAYERS, DELTA_LAYERS):
        value = settings[key]
        numbers = value if isinstance(value, tuple) else ()
        if wrong := [n for n in numbers if not isinstance(n, int) or not 1 <= n <= layers]:
            raise ConfigError(
                _("{key}: there is no layer {wrong}", key=given.name(key), wrong=wrong[0]),
                Problem.SHAPE,
                hint=_("layers are numbered from 1 to {layers}", layers=f"{layers:,}"),
                line=given.line(key),
            )


LISTS = (
    FFN_TYPES,
    only_these(LAYER_TYPES, ("linear_attention", "full_attention")),
    one_for_each_layer(LAYER_TYPES, FFN_LAYER_TYPES),
)

KIMI_LINEAR = Family(
    model_type="kimi_linear",
    title="Kimi Linear",
    source="https://arxiv.org/abs/2510.26692",
    architectures=("KimiLinearForCausalLM",),
    defaults={
        **DEEPSEEK_V3.defaults,
        HIDDEN_DIM: 2304,
        NUM_LAYERS: 27,
        NUM_HEADS: 32,
        Q_LORA_RANK: None,
        LINEAR_HEADS: 32,
        LINEAR_HEAD_DIM: 128,
        CONV_WIDTH: 4,
        FFN_DIM: 9216,
        EXPERT_DIM: 1024,
        FIRST_DENSE_LAYERS: 1,
        FFN_LAYER_TYPES: None,
        LAYER_TYPES: None,
        FULL_LAYERS: None,
        DELTA_LAYERS: None,
        VOCAB_SIZE: 163_840,
    },
    names={
        "linear_attn_config.num_heads": LINEAR_HEADS,
        "linear_attn_config.head_dim": LINEAR_HEAD_DIM,
        "linear_attn_config.short_conv_kernel_size": CONV_WIDTH,
    },
    rules=(*LISTS, Rule(check=_check_numbers)),
    compose=kimi_linear,
    notes=(NEXT_TOKEN_NOTE, CORRECTION_BIAS_NOTE, UNTIED_NOTE),
)
BAILING_HYBRID = Family(
    model_type="bailing_hybrid",
    title="Ling 3",
    source="https://huggingface.co/docs/transformers/model_doc/bailing_hybrid",
    architectures=("BailingHybridForCausalLM",),
    defaults={
        **without(DEEPSEEK_V3.defaults, Q_LORA_RANK),
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 42,
        NUM_HEADS: 32,
        HEAD_DIM: 128,
        LINEAR_HEADS: None,
        LINEAR_HEAD_DIM: None,
        CONV_WIDTH: None,
        SHORT_CONV_WIDTH: 4,
        LAYER_GROUP: 6,
        FFN_DIM: 6144,
        NUM_EXPERTS: 512,
        EXPERT_DIM: 768,
        FIRST_DENSE_LAYERS: 2,
        FFN_LAYER_TYPES: None,
        LAYER_TYPES: None,
        VOCAB_SIZE: 157_184,
    },
    rules=(
        *LISTS,
        same_as(NUM_HEADS, LINEAR_HEADS),
        same_as(HEAD_DIM, LINEAR_HEAD_DIM),
        same_as(SHORT_CONV_WIDTH, CONV_WIDTH),
    ),
    compose=bailing_hybrid,
    notes=(NEXT_TOKEN_NOTE, CORRECTION_BIAS_NOTE, UNTIED_NOTE),
)

FAMILIES = (KIMI_LINEAR, BAILING_HYBRID)
