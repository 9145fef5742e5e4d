"""Zamba: Mamba layers, and one or a few transformer layers whose weights several places share."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import FAR, among, every
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp, gated_mlp
from sphinx_llmsize.architecture.parts.mamba import mamba, mamba2
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.shared_transformer import (
    D_A,
    NAMES,
    R_A,
    attention_adapters,
    ffn_adapter,
    reusing,
    shared_linear,
    shared_transformer,
)
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import Key, flag, size_key
from sphinx_llmsize.config.layer_types import (
    FULL_ATTENTION_INTERVAL,
    FULL_ATTENTION_OFFSET,
    LAYER_TYPES,
)
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    EXPAND,
    MIXER_BIAS,
    MIXER_CONV_BIAS,
    NUM_MAMBA_GROUPS,
    NUM_MAMBA_HEADS,
    STATE_DIM,
    STATE_SPACE_HEADS,
    TIME_STEP_RANK,
    TIME_STEPS,
)
from sphinx_llmsize.config.rules import (
    FFN_FOUR_TIMES_HIDDEN,
    Rule,
    Settings,
    known,
    one_for_each_layer,
    only_these,
    whole,
)
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

ATTENTION_INPUT_DIM = size_key(D_A, "attention_input_dim", "attention_hidden_size", optional=True)
NUM_SHARED_BLOCKS = Key(
    "num_shared_blocks", "transformer layers that take turns being reused", ("num_mem_blocks",)
)
ADAPTER_RANK = size_key(R_A, "adapter_rank")
ATTENTION_ADAPTERS = flag(
    "attention_adapters", "adapters on Q, K and V", "use_shared_attention_adapter"
)
LINEAR_BIAS = flag("linear_bias", "biases on the mixer and on the MLP", "add_bias_linear")
FIRST_HYBRID = 2
ZAMBA2_LAYERS = 54
ZAMBA2_HYBRIDS = (6, 12, 18, 24, 30, 36, 42, 47, 51)


def zamba(config: Config) -> tuple[Item, ...]:
    """Before one Mamba layer of six, the same transformer layer, which also reads the embedding."""
    width = D_A if config.was_given(D_A) else 2 * D
    own = mixer_pre_norm(
        rms_norm, mamba(bias=config.flag(MIXER_BIAS), conv_bias=config.flag(MIXER_CONV_BIAS))
    )
    shared = shared_transformer(width, gated_mlp())
    step, start = config.count(FULL_ATTENTION_INTERVAL), config.count(FULL_ATTENTION_OFFSET)
    first = FIRST_HYBRID + 1 + start
    more = every(step, "hybrid", others="Mamba", start=first if start < step else FAR)
    kinds = among([FIRST_HYBRID], "hybrid", others=more)
    return reusing(config, own, (shared_linear(),), shared, kinds, sets=1)


def zamba2(config: Config) -> tuple[Item, ...]:
    """Several shared transformer layers in turns, with adapters for each place."""
    bias = config.flag(LINEAR_BIAS)
    width = F if config.was_given(F) else 4 * D
    inputs = D_A if config.was_given(D_A) else 2 * D
    own = mixer_pre_norm(rms_norm, mamba2(bias=bias, conv_bias=True))
    shared = shared_transformer(inputs, fused_gated_mlp(bias=bias, width=width))
    adapters = (
        *(attention_adapters(inputs) if config.flag(ATTENTION_ADAPTERS) else ()),
        ffn_adapter(width),
    )
    return reusing(
        config,
        own,
        (*adapters, shared_linear()),
        shared,
        among(ZAMBA2_HYBRIDS, "hybrid", others="Mamba"),
        sets=config.count(NUM_SHARED_BLOCKS),
    )


def heads(settings: Settings) -> Settings:
    """Heads of the shared attention, which spans 2·D."""
    hidden, number = known(settings, HIDDEN_DIM), known(settings, NUM_HEADS)
    return {HEAD_DIM: 2 * hidden // number, NUM_KV_HEADS: number}


def check_layers(settings: Settings, given: Given) -> None:
    """Without a list, Zamba has at least 3 layers.

    Raises:
        ConfigError: it has fewer.
    """
    layers = whole(settings, NUM_LAYERS)
    if settings[LAYER_TYPES] is None and layers is not None and layers < FIRST_HYBRID + 1:
        raise ConfigError(
            _("Zamba has the third of its layers hybrid, of {layers}", layers=f"{layers:,}"),
            Problem.SHAPE,
            hint=_("give 3 layers or more, or layer_types"),
            line=given.line(NUM_LAYERS),
        )


def check_zamba2_layers(settings: Settings, given: Given) -> None:
    """Without a list, Zamba2 has the 54 layers of its first release.

    Raises:
        ConfigError: it has another number.
    """
    layers = whole(settings, NUM_LAYERS)
    if settings[LAYER_TYPES] is None and layers is not None and layers != ZAMBA2_LAYERS:
        raise ConfigError(
            _("which of {layers} layers are hybrid is not known", layers=f"{layers:,}"),
            Problem.SHAPE,
            hint=_(
                "give layer_types; without them Zamba2 has {number} layers", number=ZAMBA2_LAYERS
            ),
            line=given.line(NUM_LAYERS),
        )


def check_tied(settings: Settings, given: Given) -> None:
    """Zamba2 with untied embeddings is not one model: transformers then shares no layers either.

    Raises:
        ConfigError: the embeddings are not tied.
    """
    if settings[TIE_EMBEDDINGS] is False:
        raise ConfigError(
            _("Zamba2 without tied embeddings is not supported"),
            Problem.VALUE,
            hint=_("transformers then ties no shared layer either, and repeats their adapters"),
            line=given.line(TIE_EMBEDDINGS),
        )


LISTED = (one_for_each_layer(LAYER_TYPES), only_these(LAYER_TYPES, NAMES))
ZAMBA = Family(
    model_type="zamba",
    title="Zamba",
    source="https://arxiv.org/abs/2405.16712",
    architectures=("ZambaForCausalLM",),
    defaults={
        HIDDEN_DIM: 3712,
        NUM_LAYERS: 76,
        LAYER_TYPES: None,
        FULL_ATTENTION_INTERVAL: 6,
        FULL_ATTENTION_OFFSET: 4,
        ATTENTION_INPUT_DIM: None,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 16,
        HEAD_DIM: None,
        NUM_MAMBA_HEADS: 2,
        STATE_DIM: 16,
        CONV_WIDTH: 4,
        EXPAND: 2,
        TIME_STEP_RANK: None,
        FFN_DIM: 14_848,
        VOCAB_SIZE: 32_000,
        MIXER_CONV_BIAS: True,
        MIXER_BIAS: False,
        TIE_EMBEDDINGS: True,
    },
    names={"mamba_proj_bias": MIXER_BIAS, "attention_head_dim": HEAD_DIM},
    rules=(Rule(heads, check_layers), TIME_STEPS, STATE_SPACE_HEADS, *LISTED),
    compose=zamba,
)
ZAMBA2 = Family(
    model_type="zamba2",
    title="Zamba2",
    source="https://arxiv.org/abs/2411.15242",
    architectures=("Zamba2ForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: ZAMBA2_LAYERS,
        LAYER_TYPES: None,
        NUM_SHARED_BLOCKS: 1,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        ATTENTION_INPUT_DIM: None,
        ATTENTION_ADAPTERS: False,
        ADAPTER_RANK: 128,
        NUM_MAMBA_HEADS: 8,
        NUM_MAMBA_GROUPS: 1,
        STATE_DIM: 64,
        CONV_WIDTH: 4,
        EXPAND: 2,
        FFN_DIM: None,
        VOCAB_SIZE: 32_000,
        LINEAR_BIAS: False,
        TIE_EMBEDDINGS: True,
    },
    names={"attention_head_dim": HEAD_DIM},
    rules=(
        Rule(heads, check_zamba2_layers),
        Rule(check=check_tied),
        FFN_FOUR_TIMES_HIDDEN,
        *LISTED,
    ),
    compose=zamba2,
)

FAMILIES = (ZAMBA, ZAMBA2)
