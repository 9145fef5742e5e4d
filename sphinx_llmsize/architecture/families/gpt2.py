"""GPT, GPT-2 and StarCoder (GPTBigCode): fused QKV, learned positions, biases everywhere."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_H, D, F
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_

MULTI_QUERY = k.flag("multi_query", N_("one key/value head for all query heads"), optional=True)
ATTENTION_HEAD_TYPE = k.make_key(
    "attention_head_type",
    N_("multihead, or multiquery for one key/value head (SantaCoder)"),
    k.ValueKind.NAME,
    optional=True,
)
MULTI_QUERY_TYPE = "multiquery"
TOKENS_AND_POSITIONS = (parts.token_embedding(), parts.position_embedding())
"""Embeddings of tokens and of learned positions."""


def ffn_width(config: Config) -> Size:
    """Symbolic feed-forward width: F if the configuration sets it, else 4·D, its default."""
    return F if config.is_explicit(F) else 4 * D


def gpt1(config: Config) -> Items:
    """Post-norm layers without a final norm."""
    attention, feed_forward = parts.fused_attention(bias=True), parts.mlp(bias=True, width=4 * D)
    layer = parts.post_norm(parts.layer_norm, attention, feed_forward)
    return parts.decoder(config, layer, norm=None, embeddings=TOKENS_AND_POSITIONS)


def gpt2(config: Config) -> Items:
    """Pre-norm layers of multi-head attention and an MLP, 4·D wide by default.

    SantaCoder's own code has multi-query attention under the same ``model_type``.
    """
    is_multi_query = config[ATTENTION_HEAD_TYPE] == MULTI_QUERY_TYPE
    return _pre_norm_decoder(config, kv_width=D_H if is_multi_query else D)


def gpt_bigcode(config: Config) -> Items:
    """GPT-2 with multi-query attention by default."""
    return _pre_norm_decoder(config, kv_width=D_H if config.flag(MULTI_QUERY) else D)


def _pre_norm_decoder(config: Config, *, kv_width: Size) -> Items:
    """GPT-2's decoder; ``kv_width`` is the width of the keys of all heads, and of the values."""
    attention = parts.fused_attention(bias=True, kv_width=kv_width)
    cross: Block = ()
    if config.flag(k.ADD_CROSS_ATTENTION):
        cross = parts.cross_attention(bias=True, fused=True)
    feed_forward = parts.mlp(bias=True, width=ffn_width(config))
    block = parts.pre_norm_decoder(parts.layer_norm, attention, cross, feed_forward)
    return parts.decoder(config, block, norm=parts.layer_norm, embeddings=TOKENS_AND_POSITIONS)


def _check_cross_attention(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that cross-attention is not combined with multi-query attention."""
    is_multi_query = (
        settings.get(MULTI_QUERY) or settings.get(ATTENTION_HEAD_TYPE) == MULTI_QUERY_TYPE
    )
    if is_multi_query and settings[k.ADD_CROSS_ATTENTION]:
        message = N_("{key} and multi-query attention do not go together")
        hint = N_("set {key} to false")
        raise parsed.error(message, k.ADD_CROSS_ATTENTION, hint=hint, problem=Problem.VALUE)


GPT2 = Family(
    model_type="gpt2",
    title="GPT-2",
    source="https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf",
    architectures=("GPT2LMHeadModel", "GPT2LMHeadCustomModel"),
    defaults={
        **sizes(D=768, L=12, H=12, F=None, V=50_257, P=1024),
        k.TIE_EMBEDDINGS: True,
        k.ADD_CROSS_ATTENTION: False,
        ATTENTION_HEAD_TYPE: None,
    },
    compose=gpt2,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.FFN_FOUR_TIMES_HIDDEN_RULE,
        k.one_of(ATTENTION_HEAD_TYPE, "multihead", MULTI_QUERY_TYPE),
        k.Rule(check=_check_cross_attention),
    ),
)
# its only classes are those of transformers, which classes.txt lists
GPT_SW3 = variant(GPT2, "gpt-sw3", "GPT-SW3", "", "https://arxiv.org/abs/2305.12987")
GPT_BIGCODE = variant(
    GPT2,
    "gpt_bigcode",
    "StarCoder",
    "GPTBigCodeForCausalLM",
    "https://arxiv.org/abs/2305.06161",
    defaults={MULTI_QUERY: True},
    removed=(ATTENTION_HEAD_TYPE,),
    compose=gpt_bigcode,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.FFN_FOUR_TIMES_HIDDEN_RULE,
        k.Rule(check=_check_cross_attention),
    ),
)
GPT = Family(
    model_type="openai-gpt",
    title="GPT",
    source="https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf",
    architectures=("OpenAIGPTLMHeadModel",),
    defaults={**sizes(D=768, L=12, H=12, V=40_478, P=512), k.TIE_EMBEDDINGS: True},
    compose=gpt1,
)
