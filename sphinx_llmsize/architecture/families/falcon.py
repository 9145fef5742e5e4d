"""Falcon: multi-query or grouped-query attention in parallel with the MLP."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.gpt2 import MULTI_QUERY, ffn_width
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, D
from sphinx_llmsize.translation import N_

GROUPED_HEADS = k.flag(
    "grouped_kv_heads new_decoder_architecture",
    N_("the configured number of key/value heads"),
    optional=True,
)
PARALLEL_ATTENTION = k.flag(
    "parallel_attention parallel_attn", N_("attention and FFN in parallel"), optional=True
)
PARALLEL_NORMS = k.make_key(
    "num_parallel_norms num_ln_in_parallel_attn",
    N_("norms before parallel attention and FFN: one for both, or two"),
    k.ValueKind.WHOLE,
    optional=True,
)
HAS_ALIBI = k.flag("has_alibi alibi", N_("ALiBi in place of rotary positions"))
TWO_NORMS = 2
"""Value of ``num_ln_in_parallel_attn`` for a norm each before attention and MLP."""


def falcon(config: Config) -> Items:
    """Attention and MLP in parallel after one norm or two, or in sequence."""
    attention = parts.fused_attention(bias=config.flag(k.BIAS), kv_width=_kv_width(config))
    feed_forward = parts.mlp(bias=config.flag(k.BIAS), width=ffn_width(config))
    frame = parts.pre_norm
    if config.flag(PARALLEL_ATTENTION):
        has_two_norms = config[PARALLEL_NORMS] == TWO_NORMS
        frame = parts.parallel_with_two_norms if has_two_norms else parts.parallel
    return parts.uniform_decoder(
        config, attention, feed_forward, frame=frame, norm=parts.layer_norm
    )


def _kv_width(config: Config) -> Size:
    """Width of all keys together: H_kv·d_h if heads are grouped, d_h if multi-query, else D."""
    if config.flag(GROUPED_HEADS):
        return parts.KEY_WIDTH
    return D_H if config.flag(MULTI_QUERY) else D


def _derive_parallel_norms(settings: k.Settings) -> k.Settings:
    """Two norms by default in models with grouped-query attention, one in others."""
    return {PARALLEL_NORMS: TWO_NORMS if settings[GROUPED_HEADS] else 1}


FALCON = Family(
    model_type="falcon",
    title="Falcon",
    source="https://arxiv.org/abs/2311.16867",
    architectures=("FalconForCausalLM",),
    defaults={
        **sizes(D=4544, L=32, H=71, H_kv=None, F=None, V=65_024, P=2048),
        k.TIE_EMBEDDINGS: True,
        **off(k.BIAS, GROUPED_HEADS, HAS_ALIBI),
        MULTI_QUERY: True,
        PARALLEL_ATTENTION: True,
        PARALLEL_NORMS: None,
    },
    compose=falcon,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.FFN_FOUR_TIMES_HIDDEN_RULE,
        k.Rule(derive=_derive_parallel_norms),
    ),
    names={"n_embed": k.HIDDEN_DIM},
    positions=lambda config: (
        parts.Positions.ALIBI if config.flag(HAS_ALIBI) else parts.Positions.ROTARY
    ),
)
REFINED_WEB_MODEL = variant(
    FALCON,
    "RefinedWebModel",
    "Falcon 7B (first release)",
    "RWForCausalLM",
    "https://huggingface.co/tiiuae/falcon-7b",
    defaults={**sizes(D=64, L=2, H=8, V=250_880), **off(MULTI_QUERY, PARALLEL_ATTENTION)},
)
REFINED_WEB = variant(
    REFINED_WEB_MODEL,
    "RefinedWeb",
    "Falcon 40B (first release)",
    "RWForCausalLM",
    "https://huggingface.co/tiiuae/falcon-40b",
    defaults={GROUPED_HEADS: True},
)
