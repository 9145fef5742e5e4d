"""Attention to compressed keys, as DeepSeek-V4 has it.

Queries through a latent, one key head that is the value as well, an output projection in
groups. Most layers see, beside a window of tokens, blocks of tokens compressed to one entry:
https://huggingface.co/deepseek-ai/DeepSeek-V4-Flash
"""

from __future__ import annotations

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.parts.indexers import index_scores
from sphinx_llmsize.architecture.parts.mla import latent_norm, latent_queries
from sphinx_llmsize.architecture.parts.scores import score_products
from sphinx_llmsize.architecture.parts.self_attention import sinks
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, D_I, H_I, R_Q, T_SEEN, D, H, T
from sphinx_llmsize.translation import N_


def compressed_attention(
    output: Block, compressors: tuple[Block, ...] = (), *, entries: Size = ZERO
) -> Block:
    """Queries of H heads, one head of D_h numbers that is key and value, a sink for each head.

    Args:
        output: the output projection: :func:`grouped_output`.
        compressors: what makes the compressed entries, and what chooses among them.
        entries: how many there are beside the keys of the window.
    """
    kv = linear("kv_proj", D, D_H, "attn_kv")
    key_path = (
        Stage("kv", N_("Shared key and value"), Group.ATTENTION, (T, D_H), kv),
        latent_norm("kv_norm", N_("Key and value norm"), D_H),
    )
    return (
        Parallel((latent_queries(width=H * D_H), key_path, *compressors)),
        Stage(
            "scores",
            N_("Attention scores"),
            Group.ATTENTION,
            (T, H * D_H),
            sinks(),
            inner=(H, T, T),
            computes=score_products(D_H, D_H, seen=T_SEEN + entries),
            caches=tuple((length, D_H) for length in (T_SEEN, entries) if length != ZERO),
        ),
        *output,
    )


def compressor(rate: Size, *, width: Size = D_H, overlap: bool = False, prefix: str = "") -> Stage:
    """What compresses every ``rate`` tokens to one entry of that width.

    Args:
        rate: how many tokens make an entry.
        width: of an entry.
        overlap: entries overlap, for which projections are twice as wide.
        prefix: of its names, where a layer has more than one.
    """
    wide = 2 * width if overlap else width
    tensors = (
        *linear(f"{prefix}compressor_kv_proj", D, wide, "indexer", label=N_("entries")),
        *linear(f"{prefix}compressor_gate_proj", D, wide, "indexer", label=N_("gate")),
        Tensor(
            f"{prefix}compressor_position.bias", (rate, wide), "indexer", N_("positions"), Role.BIAS
        ),
        vector(f"{prefix}compressor_norm.weight", width, "indexer", label=N_("norm")),
    )
    label = N_("Index compressor") if prefix else N_("Compressor")
    return Stage(f"{prefix}compressor", label, Group.ATTENTION, (T, wide), tensors)


def entry_indexer(rate: Size, entries: Size) -> Block:
    """Small heads that choose among compressed entries, on a compressor of their own."""
    tensors = (
        *linear("index_q_proj", R_Q, H_I * D_I, "indexer", label="q"),
        *linear("index_weights", D, H_I, "indexer", label=N_("head weights")),
    )
    return (
        compressor(rate, width=D_I, overlap=True, prefix="index_"),
        Stage(
            "indexer",
            N_("Indexer"),
            Group.ATTENTION,
            (T, T),
            tensors,
            inner=(H_I, T, T),
            computes=(index_scores(entries),),
            caches=((entries, D_I),),
        ),
    )


def grouped_output(groups: Size, group_width: Size, rank: Size) -> Block:
    """Heads in groups, each with a projection of its own to ``rank`` numbers, then one to D.

    Args:
        groups: how many there are.
        group_width: of the heads of one group.
        rank: of what one group's projection makes.
    """
    middle = groups * rank
    return (
        Stage(
            "output_down",
            N_("Output projection by groups"),
            Group.ATTENTION,
            (T, middle),
            linear("o_a_proj", group_width, middle, "attn_o_a"),
        ),
        Stage(
            "attention_output",
            N_("Output projection"),
            Group.ATTENTION,
            (T, D),
            linear("o_b_proj", middle, D, "attn_o_b"),
        ),
    )
