"""Multi-head latent attention (MLA), and attention to compressed keys (DeepSeek-V4)."""

from __future__ import annotations

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.parts.scores import (
    attention_scores,
    index_scores,
    index_stage,
    score_products,
    sinks,
)
from sphinx_llmsize.architecture.parts.self_attention import with_gate
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import Role, Shape, Tensor
from sphinx_llmsize.config.symbols import (
    D_H,
    D_I,
    D_NOPE,
    D_ROPE,
    D_V,
    H_I,
    R_KV,
    R_Q,
    T_SEEN,
    D,
    H,
    T,
)
from sphinx_llmsize.translation import N_

MLA_QUERY_WIDTH = H * (D_NOPE + D_ROPE)
"""Dimensions of all heads' queries together."""
MLA_VALUE_WIDTH = H * D_V
"""Dimensions of all heads' values together."""


def latent_attention(
    *,
    query_latent: bool,
    bias: bool = False,
    index: Block = (),
    key_norm: Block = (),
    gate: Block = (),
) -> Block:
    """Queries from a latent of R_q dimensions, keys and values from one of R_kv dimensions.

    DeepSeek-V2, https://arxiv.org/abs/2405.04434, section 2.1

    Args:
        query_latent: project queries through a latent; otherwise by one matrix.
        bias: biases on the projections to the latents and to D.
        index: an indexer that reads the query latent (:func:`lightning_indexer`).
        key_norm: a norm on the d_rope dimensions of the keys.
        gate: a gate on the heads' results, before the output projection.
    """
    if query_latent:
        queries = latent_queries(bias=bias, index=index)
    else:
        tensors = linear("q_proj", D, MLA_QUERY_WIDTH, "attn_q")
        queries = (Stage("q", N_("Q projection"), Group.ATTENTION, (T, MLA_QUERY_WIDTH), tensors),)
    return attention_from_latents(queries, bias=bias, key_norm=key_norm, gate=gate)


def attention_from_latents(
    queries: Block, *, bias: bool = False, key_norm: Block = (), gate: Block = ()
) -> Block:
    """Latent attention with the given query stages; see :func:`latent_attention`."""
    down = linear("kv_a_proj", D, R_KV + D_ROPE, "attn_kv_a", bias=bias)
    up = linear("kv_b_proj", R_KV, H * (D_NOPE + D_V), "attn_kv_b")
    output = linear("o_proj", MLA_VALUE_WIDTH, D, "attn_o", bias=bias)
    keys_and_values = (
        latent_norm("kv_norm", N_("KV latent norm"), R_KV),
        Stage("kv_up", N_("KV projection"), Group.ATTENTION, (T, H * (D_NOPE + D_V)), up),
    )
    key_path = (
        Stage("kv_down", N_("KV latent and RoPE key"), Group.ATTENTION, (T, R_KV + D_ROPE), down),
        *side_by_side(keys_and_values, key_norm),
    )
    attention = (
        Parallel((queries, key_path)),
        attention_scores(key_dim=D_NOPE + D_ROPE, value_dim=D_V, caches=((T_SEEN, R_KV + D_ROPE),)),
        Stage("attention_output", N_("Output projection"), Group.ATTENTION, (T, D), output),
    )
    return with_gate(attention, gate)


def latent_queries(
    *, bias: bool = False, inputs: Size = R_Q, width: Size = MLA_QUERY_WIDTH, index: Block = ()
) -> Block:
    """Queries from a latent of R_q dimensions with a norm.

    Args:
        bias: a bias on the projection to the latent.
        inputs: input dimensions of the last projection, if it reads more than the latent.
        width: output dimensions of the last projection.
        index: an indexer that reads the latent too (:func:`lightning_indexer`).
    """
    down = linear("q_a_proj", D, R_Q, "attn_q_a", bias=bias)
    up = linear("q_b_proj", inputs, width, "attn_q_b")
    return (
        Stage("q_down", N_("Q latent"), Group.ATTENTION, (T, R_Q), down),
        latent_norm("q_norm", N_("Q latent norm"), R_Q),
        *side_by_side((Stage("q_up", N_("Q projection"), Group.ATTENTION, (T, width), up),), index),
    )


def latent_norm(id: str, label: str, width: Size) -> Stage:
    """A norm of ``width`` dimensions within latent attention."""
    return Stage(id, label, Group.NORMS, (T, width), (vector(f"{id}.weight", width, "mla_norm"),))


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
            caches=tuple((length, D_H) for length in (T_SEEN, entries) if length != ZERO),
        ),
        *output,
    )


def compressor(rate: Size, *, width: Size = D_H, overlap: bool = False, prefix: str = "") -> Stage:
    """A stage that compresses every ``rate`` tokens to one entry of ``width`` dimensions.

    Args:
        rate: number of tokens in an entry.
        width: dimensions of an entry.
        overlap: entries overlap; the projections are twice as wide.
        prefix: prefix of the stage's id and the tensors' names; set for an indexer's compressor.
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
    label = N_("Index compressor") if prefix else N_("Compressor")
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
        compressor(rate, width=D_I, overlap=True, prefix="index_"),
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
