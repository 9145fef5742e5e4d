"""Attention with fewer projections: keys and values of an earlier layer, or keys as values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.block_edits import without_cache
from sphinx_llmsize.architecture.parts.self_attention import KEY_WIDTH, QUERY_WIDTH
from sphinx_llmsize.architecture.stages import Block, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.translation import N_


def queries_only(attention: Block) -> Block:
    """Attention with the keys and values of an earlier layer (Gemma 3n).

    Brandon et al. 2024, https://arxiv.org/abs/2405.12981
    """
    labels = {"qkv": N_("Q projection"), "qk_norm": N_("Q norm")}
    return without_cache(_without_projections(attention, {"k", "v"}, QUERY_WIDTH, labels))


def keys_as_values(attention: Block) -> Block:
    """Attention whose key projection also makes the values (Gemma 4)."""
    labels = {"qkv": N_("QK projection")}
    return _without_projections(attention, {"v"}, QUERY_WIDTH + KEY_WIDTH, labels)


def _without_projections(
    attention: Block, removed: Collection[str], width: Size, labels: Mapping[str, str]
) -> Block:
    """Attention without the projections and norms of ``removed``, a subset of q, k and v.

    The QKV and norm stages get ``width`` output dimensions; ``labels`` has new labels by stage id.
    """

    def is_remaining(tensor: Tensor) -> bool:
        letter, _, _rest = tensor.name.partition("_")  # k_proj.weight, k_norm.weight
        return letter not in removed

    def reduce_stage(stage: Stage) -> Stage:
        return replace(
            stage,
            label=labels.get(stage.id, stage.label),
            output=(stage.output[0], width),
            tensors=tuple(filter(is_remaining, stage.tensors)),
        )

    return tuple(
        reduce_stage(step) if isinstance(step, Stage) and step.id in ("qkv", "qk_norm") else step
        for step in attention
    )
