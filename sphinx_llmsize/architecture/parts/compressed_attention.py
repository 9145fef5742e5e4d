"""Attention to compressed keys and values (DeepSeek-V4)."""

from __future__ import annotations

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.parts.mla import latent_norm, latent_queries
from sphinx_llmsize.architecture.parts.scores import (
    index_scores,
    index_stage,
    score_products,
    sinks,
)
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.config.symbols import D_H, D_I, H_I, R_Q, T_SEEN, D, H, T
from sphinx_llmsize.translation import N_


def compressed_attention(
    output: Block, compressors: tuple[Block, ...] = (), *, entries: Size = ZERO
) -> Block:
    """H query heads from a latent, and one head of d_h dimensions for both keys and values.

    Each head has a sink. Most layers attend to a window of tokens and to blocks of tokens that
    are compressed to one entry each (DeepSeek-V4,
    https://huggingface.co/deepseek-ai/DeepSeek-V4-Flash).

    Args:
        output: the output projection (:func:`grouped_output`).
        compressors: branches that make the compressed entries and select some of them.
        entries: number of compressed entries; 0 in layers that attend to the window only.
    """
    kv = linear("kv_proj", D, D_H, "attn_kv")
    key_path = (
        Stage("kv", N_("Shared KV projection"), Group.ATTENTION, (T, D_H), kv),
        latent_norm("kv_norm", N_("KV norm"), D_H),
    )
    entry_cache: tuple[Shape, ...] = ((entries, D_H),) if entries != ZERO else ()
    return (
        Parallel((latent_queries(width=H * D_H), key_path, *compressors)),
        Stage(
            "scores",
            N_("Dot-product attention"),
            Group.ATTENTION,
            (T, H * D_H),
            sinks(),
            intermediate=(H, T, T + entries),
            computes=score_products(D_H, D_H, seen=T_SEEN + entries),
            caches=((T_SEEN, D_H), *entry_cache),
        ),
        *output,
    )


def compressor(
    rate: Size,
    *,
    width: Size = D_H,
    overlap: bool = False,
    prefix: str = "",
    label: str = N_("Compressor"),
) -> Stage:
    """A stage that compresses every ``rate`` tokens to one entry of ``width`` dimensions.

    Args:
        rate: number of tokens in an entry.
        width: dimensions of an entry.
        overlap: entries overlap; the projections are twice as wide.
        prefix: prefix of the stage's id and the tensors' names.
        label: display name of the stage.
    """
    # dimensions of each token's vectors, which are then merged to entries
    projected = 2 * width if overlap else width
    shape = (rate, projected)
    # the component "indexer" has all weights that make entries or choose among them
    tensors = (
        *linear(f"{prefix}compressor_kv_proj", D, projected, "indexer", label=N_("entries")),
        *linear(f"{prefix}compressor_gate_proj", D, projected, "indexer", label=N_("gate")),
        Tensor(f"{prefix}compressor_position.bias", shape, "indexer", N_("positions"), Role.BIAS),
        vector(f"{prefix}compressor_norm.weight", width, "indexer", label=N_("norm")),
    )
    # vectors and gates of the tokens not yet merged
    buffers: tuple[Shape, ...] = ((rate, 2 * projected),)
    if overlap:  # and of the tokens before, which the next entry also contains
        buffers += ((rate, 2 * width),)
    group = Group.ATTENTION
    return Stage(f"{prefix}compressor", label, group, (T, projected), tensors, buffers=buffers)


def entry_indexer(rate: Size, entries: Size) -> Block:
    """Small heads that select entries, and the compressor of their keys (DeepSeek-V4).

    Args:
        rate: number of tokens in an entry.
        entries: number of compressed entries.
    """
    tensors = (
        *linear("index_q_proj", R_Q, H_I * D_I, "indexer", label="q"),
        *linear("index_weights", D, H_I, "indexer", label=N_("head weights")),
    )
    return (
        compressor(rate, width=D_I, overlap=True, prefix="index_", label=N_("Index compressor")),
        index_stage(tensors, (index_scores(entries),), entries),
    )


def grouped_output(groups: Size, group_width: Size, rank: Size) -> Block:
    """An output projection in two steps: each group of heads to ``rank``, all groups to D.

    DeepSeek-V4, https://huggingface.co/deepseek-ai/DeepSeek-V4-Flash

    Args:
        groups: number of groups.
        group_width: dimensions of the heads in a group.
        rank: dimensions after a group's projection.
    """
    middle = groups * rank
    down = linear("o_a_proj", group_width, middle, "attn_o_a")
    up = linear("o_b_proj", middle, D, "attn_o_b")
    group = Group.ATTENTION
    return (
        Stage("output_down", N_("Output projection by groups"), group, (T, middle), down),
        Stage("attention_output", N_("Output projection"), group, (T, D), up),
    )
