"""ModernBERT as a decoder (Ettin): separate Q, K and V projections, causal attention."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.layers import first, layered
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind, flag, make_key
from sphinx_llmsize.config.symbols import D, L, T
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

LOCAL_ATTENTION = make_key(
    "local_attention",
    N_("tokens in an attention window that extends in both directions"),
    Kind.WINDOW,
    optional=True,
)
NORM_BIAS = flag("norm_bias", N_("a bias in every norm"))
TRANSFORM_BIAS = flag(
    "head_transform_bias classifier_bias", N_("a bias on the transform before the LM head")
)


def window_tokens(config: Config) -> int:
    """Configured window, or half the bidirectional window, as later tokens are masked."""
    return parts.sliding_window(config) or parts.tokens_of(LOCAL_ATTENTION)(config) // 2


def modernbert_decoder(config: Config) -> Items:
    """Pre-norm layers, the first without an attention norm; a transform before the LM head."""
    norm_bias = config.flag(NORM_BIAS)
    norm = parts.layer_norm if norm_bias else parts.layer_norm_without_bias

    def block(position: LayerKind) -> Block:
        attention = parts.multi_head_attention(bias=config.flag(k.ATTENTION_BIAS))
        layer = parts.pre_norm(norm, attention, parts.fused_gated_mlp(bias=config.flag(k.MLP_BIAS)))
        return layer[1:] if position == parts.FIRST else layer

    transform = parts.linear("head_transform", D, D, "lm_head", bias=config.flag(TRANSFORM_BIAS))
    return (
        parts.token_embedding(),
        parts.embedding_norm(bias=norm_bias),
        *layered(config.count(L), block, position=first(1, parts.FIRST, then=parts.LATER)),
        norm("final_norm", N_("Final norm")),
        Stage("head_transform", N_("Head transform"), Group.HEAD, (T, D), transform),
        replace(norm("head_norm", N_("Head norm")), group=Group.HEAD),
        parts.lm_head(tied=config.flag(k.TIE_EMBEDDINGS), bias=config.flag(k.LM_HEAD_BIAS)),
    )


MODERNBERT_DECODER = Family(
    model_type="modernbert-decoder",
    title="ModernBERT decoder",
    source="https://arxiv.org/abs/2507.11412",
    architectures=("ModernBertDecoderForCausalLM",),
    defaults={
        **sizes(D=768, L=22, H=12, F=1152, V=50_368),
        LOCAL_ATTENTION: 128,
        k.SLIDING_WINDOW: None,
        k.WINDOW_PATTERN: 3,
        k.LAYER_TYPES: None,
        k.TIE_EMBEDDINGS: True,
        **off(k.ATTENTION_BIAS, k.MLP_BIAS, NORM_BIAS, TRANSFORM_BIAS),
        k.LM_HEAD_BIAS: True,
    },
    compose=modernbert_decoder,
    heads={Task.HIDDEN_STATES: ()},
    names={"decoder_bias": k.LM_HEAD_BIAS, "global_attn_every_n_layers": k.WINDOW_PATTERN},
    rules=(ATTENTION_HEADS, k.LISTED_WINDOWS),
    windows=parts.by_layer_types(parts.by_pattern(start=0), window_tokens),
)
