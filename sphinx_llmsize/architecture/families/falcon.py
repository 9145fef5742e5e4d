"""Falcon: multi-query and grouped-query attention beside the MLP."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.families.gpt2 import MULTI_QUERY, ffn_width
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.rules import ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN
from sphinx_llmsize.config.symbols import D_H, D
from sphinx_llmsize.translation import N_

GROUPED_HEADS = Key(
    "grouped_kv_heads",
    N_("num_kv_heads counts, and attention has a norm of its own (Falcon 40B and later)"),
    ("new_decoder_architecture",),
    Kind.FLAG,
    optional=True,
)
PARALLEL_ATTENTION = Key(
    "parallel_attention",
    N_("attention and feed-forward side by side"),
    ("parallel_attn",),
    Kind.FLAG,
    optional=True,
)
PARALLEL_NORMS = Key(
    "num_parallel_norms",
    N_("norms before attention and feed-forward side by side: one for both, or two"),
    ("num_ln_in_parallel_attn",),
    Kind.WHOLE,
    optional=True,
)
ONE_NORM_EACH = 2


def falcon(config: Config) -> tuple[Item, ...]:
    """Multi-query or grouped-query attention beside the MLP, after one norm or two."""
    attention = parts.fused_attention(bias=config.flag(k.BIAS), kv_width=_kv_width(config))
    feed_forward = parts.mlp(bias=config.flag(k.BIAS), width=ffn_width(config))
    if not config.flag(PARALLEL_ATTENTION):
        block = parts.pre_norm(parts.layer_norm, attention, feed_forward)
    elif config[PARALLEL_NORMS] == ONE_NORM_EACH:
        block = parts.parallel_with_two_norms(parts.layer_norm, attention, feed_forward)
    else:
        block = parts.parallel(parts.layer_norm, attention, feed_forward)
    return parts.decoder(config, block, norm=parts.layer_norm)


def _kv_width(config: Config) -> Size:
    if config.flag(GROUPED_HEADS):
        return parts.KEY_WIDTH
    return D_H if config.flag(MULTI_QUERY) else D


def _parallel_norms(settings: Settings) -> Settings:
    return {PARALLEL_NORMS: ONE_NORM_EACH if settings[GROUPED_HEADS] else 1}


FALCON = Family(
    model_type="falcon",
    title="Falcon",
    source="https://arxiv.org/abs/2311.16867",
    architectures=("FalconForCausalLM",),
    defaults={
        **sizes(D=4544, L=32, H=71, H_kv=None, F=None, V=65_024, P=2048),
        k.TIE_EMBEDDINGS: True,
        **off(k.BIAS, GROUPED_HEADS),
        MULTI_QUERY: True,
        PARALLEL_ATTENTION: True,
        PARALLEL_NORMS: None,
    },
    compose=falcon,
    rules=(ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN, Rule(_parallel_norms)),
    names={"n_embed": k.HIDDEN_DIM},
)

FAMILIES = (FALCON,)
