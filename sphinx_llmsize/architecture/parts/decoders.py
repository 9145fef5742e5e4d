"""Decoder-only transformers: embeddings, layers, a final norm and the LM head."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.layers import Kinds, PerLayer, layer_stacks, same
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import (
    gated_experts,
    gated_mlp,
    mixture_of_experts,
    shared_expert,
    width_of_shared_experts,
)
from sphinx_llmsize.architecture.parts.layer_kinds import ATTENTION, DENSE
from sphinx_llmsize.architecture.parts.norms import Frame, Norm, pre_norm, rms_norm
from sphinx_llmsize.architecture.parts.self_attention import grouped_query_attention
from sphinx_llmsize.architecture.stacks import Interleaved, Item, LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import E_S, F_E, L, V
from sphinx_llmsize.translation import N_


def equal_layers(block: Block) -> tuple[Item, ...]:
    """L layers with the same block."""
    return (Stack("layers", L, block),)


def decoder(
    config: Config,
    layers: tuple[Item, ...],
    *,
    norm: Norm | None = rms_norm,
    embeddings: Block | None = None,
    tied: bool | None = None,
    head_bias: bool = False,
    head_rows: Size = V,
) -> tuple[Item, ...]:
    """Embeddings, layers, a final norm and the LM head.

    Args:
        config: the configuration.
        layers: stacks, with steps between or after them; or the block of one layer, if all L
            layers are equal.
        norm: the final norm, if any.
        embeddings: steps before the layers; the token embedding by default.
        tied: the LM head uses the token embedding's weights; defaults to ``tie_embeddings``.
        head_bias: a bias on the LM head.
        head_rows: number of tokens for which the LM head has scores.
    """
    is_tied = config.flag(k.TIE_EMBEDDINGS) if tied is None else tied
    first_steps = embeddings or (token_embedding(),)
    final_norm = (norm("final_norm", N_("Final norm")),) if norm else ()
    head = lm_head(tied=is_tied, bias=head_bias, rows=head_rows)
    return (*first_steps, *_as_stacks(layers), *final_norm, head)


def _as_stacks(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Stacks as they are; the block of one layer as L equal layers."""
    steps = tuple(item for item in items if not isinstance(item, (Stack, Interleaved)))
    has_stacks = len(steps) < len(items)
    return items if has_stacks else equal_layers(steps)


def uniform_decoder(
    config: Config,
    attention: Block,
    feed_forward: Block,
    *,
    frame: Frame = pre_norm,
    norm: Norm = rms_norm,
    embeddings: Block | None = None,
    head_bias: bool = False,
) -> tuple[Item, ...]:
    """Decoder of L equal layers, each with its own weights.

    Args:
        config: the configuration.
        attention: attention stages of each layer.
        feed_forward: feed-forward stages of each layer.
        frame: arrangement of norms, attention and feed-forward network.
        norm: kind of all norms, in the layers and before the LM head.
        embeddings: steps before the layers; by default the token embedding.
        head_bias: a bias on the LM head.
    """
    layer = frame(norm, attention, feed_forward)
    return decoder(config, layer, norm=norm, embeddings=embeddings, head_bias=head_bias)


def llama_without_biases(config: Config) -> tuple[Item, ...]:
    """Llama's layers without biases: GQA and a gated MLP, each after an RMS norm."""
    return uniform_decoder(config, grouped_query_attention(), gated_mlp())


def layered_decoder(
    config: Config,
    block: Callable[..., Block],
    *,
    norm: Norm = rms_norm,
    embeddings: Block | None = None,
    tied: bool | None = None,
    **values: PerLayer[Any],
) -> tuple[Item, ...]:
    """A :func:`decoder` whose layers may differ.

    Args:
        config: the configuration.
        block: returns the block of a layer; its arguments are the layer's values, by name.
        norm: the final norm.
        embeddings: steps before the layers; the token embedding by default.
        tied: the LM head uses the token embedding's weights; defaults to ``tie_embeddings``.
        values: properties in which layers may differ.
    """
    layers = layer_stacks(config.count(L), block, **values)
    return decoder(config, layers, norm=norm, embeddings=embeddings, tied=tied)


def decoder_with_experts(
    config: Config,
    attention: Block | Mapping[LayerKind, Block],
    experts: Block,
    kinds: Kinds,
    *,
    mixers: Kinds | None = None,
    dense: Block | None = None,
    frame: Frame = pre_norm,
    norm: Norm = rms_norm,
    tied: bool | None = None,
    head_bias: bool = False,
) -> tuple[Item, ...]:
    """A decoder whose layers have attention, followed by an MLP or by experts.

    Args:
        config: the configuration.
        attention: attention of every layer, or of each kind of layer in ``mixers``.
        experts: router and experts.
        kinds: kind of each layer, dense or MoE (:func:`ffn_kinds`).
        mixers: kind of each layer's attention; None if all layers have the same.
        dense: feed-forward network of dense layers; a gated MLP by default.
        frame: arrangement of norms, attention and feed-forward network.
        norm: type of the layers' norms and of the final norm.
        tied: the LM head uses the token embedding's weights; defaults to ``tie_embeddings``.
        head_bias: a bias on the LM head.
    """
    dense_ffn = dense or gated_mlp()

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        mixing = attention[mixer] if isinstance(attention, Mapping) else attention
        return frame(norm, mixing, dense_ffn if ffn == DENSE else experts)

    layers = layer_stacks(config.count(L), block, mixer=mixers or same(ATTENTION), ffn=kinds)
    return decoder(config, layers, norm=norm, tied=tied, head_bias=head_bias)


def experts_and_shared(
    config: Config,
    *,
    width: Size = F_E,
    shared_bias: bool = False,
    router: tuple[Tensor, ...] | None = None,
) -> Block:
    """Routed experts and, in parallel, E_s shared experts of the same width.

    Args:
        config: the configuration; there are shared experts if it sets E_s.
        width: feed-forward width of one expert.
        shared_bias: biases on the shared experts' projections.
        router: tensors of the router; a matrix D × E by default.
    """
    # with E_s = 0, transformers builds a shared expert of width 0: only its output bias remains
    has_shared = config.has(E_S) or (shared_bias and config[E_S] == 0)
    shared: Block = ()
    if has_shared:
        shared = shared_expert(width=width_of_shared_experts(config, width), bias=shared_bias)
    return mixture_of_experts(gated_experts(width=width), router=router, shared=shared)
