"""Attention with fewer projections: keys and values that are there already."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.attention import KEY_WIDTH, QUERY_WIDTH
from sphinx_llmsize.architecture.pieces import Block, Stage


def queries_only(attention: Block) -> Block:
    """Keys and values are those of an earlier layer (Gemma 3n).

    Brandon et al. 2024, https://arxiv.org/abs/2405.12981
    """
    return _without(attention, ("k", "v"), QUERY_WIDTH)


def keys_as_values(attention: Block) -> Block:
    """What the key projection makes is used as values too (Gemma 4)."""
    return _without(attention, ("v",), QUERY_WIDTH + KEY_WIDTH)


def _without(attention: Block, labels: tuple[str, ...], width: Size) -> Block:
    """The block without the tensors of these labels; ``width`` is that of what remains."""
    return tuple(
        replace(
            step,
            output=(step.output[0], width),
            tensors=tuple(tensor for tensor in step.tensors if tensor.label not in labels),
        )
        if isinstance(step, Stage) and step.id in ("qkv", "qk_norm")
        else step
        for step in attention
    )
