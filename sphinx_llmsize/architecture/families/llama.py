"""LLaMA, Llama 2, Llama 3 and everything released under ``model_type: llama``."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings, known, whole
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    FFN_DIM_MULTIPLIER,
    HEAD_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    MLP_BIAS,
    MULTIPLE_OF,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

DEFAULT_FFN_DIM = 11_008
DEFAULT_MULTIPLE_OF = 256


def llama(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of grouped-query attention and a gated MLP."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    block = pre_norm(rms_norm, attention, gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


def ffn_dim(settings: Settings) -> Settings:
    """The feed-forward width as LLaMA's own code has it (``llama/model.py``, FeedForward).

    ``int(2 · 4·D / 3)``, times ``ffn_dim_multiplier`` where there is one, rounded up to a
    multiple of ``multiple_of``: 11,008 for D = 4,096 and 256. Without either key it is
    transformers' default.
    """
    factor, multiple = settings[FFN_DIM_MULTIPLIER], whole(settings, MULTIPLE_OF)
    if multiple is None and factor is None:
        return {FFN_DIM: DEFAULT_FFN_DIM}
    multiple = multiple or DEFAULT_MULTIPLE_OF
    width = 2 * 4 * known(settings, HIDDEN_DIM) // 3
    if isinstance(factor, (int, float)):
        width = int(factor * width)
    return {FFN_DIM: max(1, -(-width // multiple)) * multiple}


def check_ffn_dim(settings: Settings, given: Given) -> None:
    """A width that is both given and derived must be one width.

    Raises:
        ConfigError: ``ffn_dim`` contradicts ``multiple_of`` or ``ffn_dim_multiplier``.
    """
    width, source = whole(settings, FFN_DIM), given.line(MULTIPLE_OF, FFN_DIM_MULTIPLIER)
    derives = any(settings[key] is not None for key in (MULTIPLE_OF, FFN_DIM_MULTIPLIER))
    if width and derives and (derived := ffn_dim(settings)[FFN_DIM]) != width:
        raise ConfigError(
            _(
                "{key} is {width}, but multiple_of and ffn_dim_multiplier make it {derived}",
                key=given.name(FFN_DIM),
                width=f"{width:,}",
                derived=f"{derived:,}",
            ),
            Problem.SHAPE,
            hint=_(
                "write '{key}: null' to have it derived, or remove the others",
                key=given.name(FFN_DIM),
            ),
            line=source if source is not None else given.line(FFN_DIM),
        )


LLAMA = Family(
    model_type="llama",
    title="Llama",
    source="https://arxiv.org/abs/2302.13971",
    architectures=("LlamaForCausalLM", "LLaMAForCausalLM"),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: None,
        VOCAB_SIZE: 32_000,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        MULTIPLE_OF: None,
        FFN_DIM_MULTIPLIER: None,
    },
    compose=llama,
    rules=(ATTENTION_HEADS, Rule(ffn_dim, check_ffn_dim)),
)

FAMILIES = (LLAMA,)
