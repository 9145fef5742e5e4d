"""ProphetNet: an encoder-decoder that predicts n tokens ahead."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, Symbol, product
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bart import BART, encoder_decoder, stacks
from sphinx_llmsize.architecture.family import Items, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Source, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, T_SEEN, B, D, H, T
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

N_AHEAD = Symbol("n", N_("tokens predicted ahead"))
NUM_AHEAD = k.size_key(N_AHEAD, "num_tokens_ahead ngram")


def prophetnet(config: Config) -> Items:
    """Blenderbot small's layers; the decoder processes the tokens and n prediction streams."""
    norm, feed_forward = parts.layer_norm, parts.mlp(bias=True)
    before = (parts.position_embedding(), parts.embedding_norm())
    ahead = parts.further_embedding("ngram", N_("Embedding of the tokens ahead"), N_AHEAD)
    cross = parts.cross_attention(bias=True) if config.flag(k.ADD_CROSS_ATTENTION) else ()
    decoder_layer = parts.post_norm_decoder(norm, ahead_attention(), cross, feed_forward)
    encoder, decoder = stacks(
        config,
        parts.post_norm(norm, parts.multi_head_attention(bias=True), feed_forward),
        parts.map_stages(decoder_layer, with_streams),
        before,
        before_decoder=(ahead, *before),
    )
    items = tuple(
        lm_head_on_streams(item) if isinstance(item, Stage) else item
        for item in encoder_decoder(config, encoder, decoder)
    )
    # for an untied decoder alone, transformers creates a second token embedding that nothing uses
    if task_of(config) is Task.CONTINUATION and not config.flag(k.TIE_EMBEDDINGS):
        return (parts.unused_embedding(), *items)
    return items


def lm_head_on_streams(stage: Stage) -> Stage:
    """Apply the LM head to each of the n streams; return any other stage unchanged."""
    if stage.id != "lm_head":
        return stage
    tensors = tuple(replace(tensor, applications=N_AHEAD) for tensor in stage.tensors)
    return replace(stage, tensors=tensors)


def with_streams(stage: Stage) -> Stage:
    """Apply a decoder stage to the tokens and to n streams, one for each token ahead.

    A stream's queries attend to the keys of the tokens and of the stream (Qi et al. 2020,
    https://arxiv.org/abs/2001.04063, section 3.2).
    """
    if stage.source is Source.ENCODER:  # computed once, from the encoder's output
        return stage
    streams = ONE + N_AHEAD
    tensors = tuple(replace(tensor, applications=streams) for tensor in stage.tensors)
    if stage.id == "scores":
        ahead = parts.score_products(D_H, D_H, seen=T_SEEN + T, heads=product(N_AHEAD, H))
        return replace(stage, tensors=tensors, computes=(*stage.computes, *ahead))
    computes = (replace(matmul, count=product(streams, matmul.count)) for matmul in stage.computes)
    return replace(stage, tensors=tensors, computes=tuple(computes))


def ahead_attention() -> Block:
    """Attention with B·H biases computed from each token: one per bucket of distances and head."""
    relative = parts.linear("relative_positions", D, B * H, "attn_relative_positions", bias=True)
    return parts.multi_head_attention(bias=True, scores=relative)


PROPHETNET = variant(
    BART,
    "prophetnet",
    "ProphetNet",
    "ProphetNetForConditionalGeneration",
    "https://arxiv.org/abs/2001.04063",
    defaults={
        **sizes(V=30_522, P=512),
        NUM_AHEAD: 2,
        k.NUM_BUCKETS: 32,
        k.ADD_CROSS_ATTENTION: True,
    },
    compose=prophetnet,
)
