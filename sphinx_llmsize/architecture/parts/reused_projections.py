"""Attention with fewer projections: keys and values that are there already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.blocks import without_cache
from sphinx_llmsize.architecture.parts.self_attention import KEY_WIDTH, QUERY_WIDTH
from sphinx_llmsize.architecture.stages import Block, Stage
from sphinx_llmsize.translation import N_


def queries_only(attention: Block) -> Block:
    """Keys and values are those of an earlier layer (Gemma 3n).

    Brandon et al. 2024, https://arxiv.org/abs/2405.12981
    """
    labels = {"qkv": N_("Queries"), "qk_norm": N_("Q norm")}
    return without_cache(_without(attention, ("k", "v"), QUERY_WIDTH, labels))


def keys_as_values(attention: Block) -> Block:
    """What the key projection makes is used as values too (Gemma 4)."""
    labels = {"qkv": N_("QK projection")}
    return _without(attention, ("v",), QUERY_WIDTH + KEY_WIDTH, labels)


def _without(
    attention: Block, left_out: tuple[str, ...], width: Size, labels: Mapping[str, str]
) -> Block:
    """The block without these tensors; ``width`` is that of what remains, ``labels`` its names."""
    return tuple(
        replace(
            step,
            label=labels.get(step.id, step.label),
            output=(step.output[0], width),
            tensors=tuple(tensor for tensor in step.tensors if tensor.label not in left_out),
        )
        if isinstance(step, Stage) and step.id in ("qkv", "qk_norm")
        else step
        for step in attention
    )
