"""OLMo Hybrid: gated delta nets with norms before, attention with norms after."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.olmo import jointly_normed_attention
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import among, every, layered
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, post_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import mixer_kinds, mixer_names
from sphinx_llmsize.architecture.parts.linear_attention import gated_delta_net
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    LINEAR_KEY_DIM,
    LINEAR_KEY_HEADS,
    LINEAR_VALUE_DIM,
    LINEAR_VALUE_HEADS,
)
from sphinx_llmsize.config.rules import (
    ATTENTION_HEADS,
    Rule,
    Settings,
    known,
    one_for_each_layer,
    only_these,
    whole,
)
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
    L,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

STEP = 4
NAMES = mixer_names("linear attention")


def olmo_hybrid(config: Config) -> tuple[Item, ...]:
    """Attention in every fourth layer, or in the last of fewer than four."""
    attention = jointly_normed_attention(config)

    def block(mixer: str) -> Block:
        if mixer == "full attention":
            return post_norm(rms_norm, attention, gated_mlp())
        return mixer_pre_norm(rms_norm, gated_delta_net(), gated_mlp())

    layers = config.count(L)
    fourth = every(STEP, "full attention", others="linear attention", start=STEP - 1)
    last = among((layers - 1,), "full attention", others="linear attention")
    mixer = mixer_kinds(config, NAMES, otherwise=fourth if layers >= STEP else last)
    return decoder(config, layered(layers, block, mixer=mixer), norm=rms_norm)


def linear_heads(settings: Settings) -> Settings:
    """As many linear-attention heads as others; keys of 3/4 of D together, values of twice that."""
    hidden, heads = known(settings, HIDDEN_DIM), known(settings, NUM_HEADS)
    key_heads = whole(settings, LINEAR_KEY_HEADS) or heads
    key_dim = whole(settings, LINEAR_KEY_DIM) or int(0.75 * hidden / key_heads)
    return {
        LINEAR_KEY_HEADS: heads,
        LINEAR_VALUE_HEADS: heads,
        LINEAR_KEY_DIM: key_dim,
        LINEAR_VALUE_DIM: 2 * key_dim,
    }


def check_both_kinds(settings: Settings, given: Given) -> None:
    """OLMo Hybrid has layers of both kinds.

    Raises:
        ConfigError: it has only one.
    """
    names = settings[LAYER_TYPES]
    kinds = {NAMES.get(str(name)) for name in names} if isinstance(names, tuple) else set()
    if len(kinds) == 1 or (not kinds and settings[NUM_LAYERS] == 1):
        raise ConfigError(
            _("OLMo Hybrid has layers of linear and of full attention, not of one kind only"),
            Problem.SHAPE,
            hint=_("give at least one of each"),
            line=given.line(LAYER_TYPES, NUM_LAYERS),
        )


OLMO_HYBRID = Family(
    model_type="olmo_hybrid",
    title="OLMo Hybrid",
    source="https://huggingface.co/docs/transformers/model_doc/olmo_hybrid",
    architectures=("OlmoHybridForCausalLM",),
    defaults={
        HIDDEN_DIM: 3840,
        NUM_LAYERS: 32,
        LAYER_TYPES: None,
        NUM_HEADS: 30,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        LINEAR_KEY_HEADS: None,
        LINEAR_VALUE_HEADS: None,
        LINEAR_KEY_DIM: None,
        LINEAR_VALUE_DIM: None,
        CONV_WIDTH: 4,
        FFN_DIM: 11_008,
        VOCAB_SIZE: 100_352,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(
        ATTENTION_HEADS,
        Rule(linear_heads, check_both_kinds),
        one_for_each_layer(LAYER_TYPES),
        only_these(LAYER_TYPES, NAMES),
    ),
    compose=olmo_hybrid,
)

FAMILIES = (OLMO_HYBRID,)
