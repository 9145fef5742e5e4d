"""ModernBERT as a decoder (Ettin): its block, with separate projections and a causal mask."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import first, layered
from sphinx_llmsize.architecture.parts.attention import multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.embeddings import embedding_norm, lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import fused_gated_mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import layer_norm, layer_norm_without_bias
from sphinx_llmsize.architecture.parts.windows import (
    by_layer_types,
    by_pattern,
    sliding_window,
    tokens_of,
)
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind, flag
from sphinx_llmsize.config.layer_types import LAYER_TYPES
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    LM_HEAD_BIAS,
    MLP_BIAS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    L,
    T,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW, WINDOW_PATTERN

LOCAL_ATTENTION = Key(
    "local_attention",
    "tokens in an attention window that goes both ways",
    kind=Kind.WINDOW,
    optional=True,
)
NORM_BIAS = flag("norm_bias", "a shift besides the scale of every norm")
TRANSFORM_BIAS = flag(
    "head_transform_bias", "a bias on the matrix before the LM head", "classifier_bias"
)


def half_the_window(config: Config) -> int:
    """Half of one that goes both ways, unless told: a decoder attends to what is before."""
    return sliding_window(config) or tokens_of(LOCAL_ATTENTION)(config) // 2


def modernbert_decoder(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers, of which the first has the embeddings' norm instead; BERT's head."""
    norm_bias = config.flag(NORM_BIAS)
    norm = layer_norm if norm_bias else layer_norm_without_bias

    def block(place: str) -> Block:
        attention = multi_head_attention(bias=config.flag(ATTENTION_BIAS))
        layer = pre_norm(norm, attention, fused_gated_mlp(bias=config.flag(MLP_BIAS)))
        return layer[1:] if place == "first" else layer

    transform = linear("head_transform", D, D, "lm_head", bias=config.flag(TRANSFORM_BIAS))
    return (
        token_embedding(),
        embedding_norm(bias=norm_bias),
        *layered(config.count(L), block, place=first(1, "first", then="later")),
        norm("final_norm", "Final norm"),
        Stage("head_transform", "Head transform", Group.HEAD, (T, D), transform),
        norm("head_norm", "Head norm"),
        lm_head(tied=config.flag(TIE_EMBEDDINGS), bias=config.flag(LM_HEAD_BIAS)),
    )


MODERNBERT_DECODER = Family(
    model_type="modernbert-decoder",
    title="ModernBERT decoder",
    source="https://arxiv.org/abs/2507.11412",
    architectures=("ModernBertDecoderForCausalLM",),
    defaults={
        HIDDEN_DIM: 768,
        NUM_LAYERS: 22,
        NUM_HEADS: 12,
        FFN_DIM: 1152,
        LOCAL_ATTENTION: 128,
        SLIDING_WINDOW: None,
        WINDOW_PATTERN: 3,
        LAYER_TYPES: None,
        VOCAB_SIZE: 50_368,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        NORM_BIAS: False,
        TRANSFORM_BIAS: False,
        LM_HEAD_BIAS: True,
    },
    compose=modernbert_decoder,
    names={"decoder_bias": LM_HEAD_BIAS, "global_attn_every_n_layers": WINDOW_PATTERN},
    rules=(ATTENTION_HEADS, LISTED_WINDOWS),
    spans=by_layer_types(by_pattern(start=0), half_the_window),
)

FAMILIES = (MODERNBERT_DECODER,)
