"""Multi-head latent attention (MLA), and attention to compressed keys (DeepSeek-V4)."""

from __future__ import annotations

from sphinx_llmsize.algebra import ZERO, Size
from sphinx_llmsize.architecture.parts.scores import attention_scores, index_scores, score_products
from sphinx_llmsize.architecture.parts.self_attention import sinks
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import Role, Tensor
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
MLA_VALUE_WIDTH = H * D_V


def latent_attention(
    *,
    query_latent: bool,
    bias: bool = False,
    index: Block = (),
    key_norm: Block = (),
    gate: Block = (),
) -> Block:
    """Queries, and keys with values, through latents of R_q and R_kv numbers.

    Args:
        query_latent: queries have a latent too; else one matrix projects them.
        bias: biases on the projections into the latents and to D.
        index: what chooses the keys that a query sees, on the query latent:
            :func:`lightning_indexer`.
        key_norm: on the part of the keys with rotary positions.
        gate: what the result of the scores passes on its way to the output projection.
    """
    queries = latent_queries(bias=bias, index=index) if query_latent else _queries()
    return attention_from_latents(queries, bias=bias, key_norm=key_norm, gate=gate)


def attention_from_latents(
    queries: Block,
    *,
    bias: bool = False,
    key_norm: Block = (),
    gate: Block = (),
) -> Block:
    """Latent attention whose queries are made by other stages; see :func:`latent_attention`."""
    down = linear("kv_a_proj", D, R_KV + D_ROPE, "attn_kv_a", bias=bias)
    up = linear("kv_b_proj", R_KV, H * (D_NOPE + D_V), "attn_kv_b")
    output = linear("o_proj", MLA_VALUE_WIDTH, D, "attn_o", bias=bias)
    keys_and_values = (
        latent_norm("kv_norm", N_("KV latent norm"), R_KV),
        Stage("kv_up", N_("Keys and values"), Group.ATTENTION, (T, H * (D_NOPE + D_V)), up),
    )
    key_path = (
        Stage("kv_down", N_("KV latent"), Group.ATTENTION, (T, R_KV + D_ROPE), down),
        *side_by_side(keys_and_values, key_norm),
    )
    return (
        Parallel((queries, key_path)),
        attention_scores(key_dim=D_NOPE + D_ROPE, value_dim=D_V, caches=((T_SEEN, R_KV + D_ROPE),)),
        *gate,
        Stage("attention_output", N_("Output projection"), Group.ATTENTION, (T, D), output),
    )


def latent_queries(
    *, bias: bool = False, inputs: Size = R_Q, width: Size = MLA_QUERY_WIDTH, index: Block = ()
) -> Block:
    """Queries from a latent of their own, with a norm on it.

    Args:
        bias: a bias on the projection into the latent.
        inputs: what enters the last projection, if it is more than the latent.
        width: what leaves it.
        index: what reads the latent beside the last projection: :func:`lightning_indexer`.
    """
    down = linear("q_a_proj", D, R_Q, "attn_q_a", bias=bias)
    up = linear("q_b_proj", inputs, width, "attn_q_b")
    return (
        Stage("q_down", N_("Query latent"), Group.ATTENTION, (T, R_Q), down),
        latent_norm("q_norm", N_("Query latent norm"), R_Q),
        *side_by_side((Stage("q_up", N_("Queries"), Group.ATTENTION, (T, width), up),), index),
    )


def latent_norm(id: str, label: str, width: Size) -> Stage:
    """A norm within latent attention: a scale of that width."""
    return Stage(id, label, Group.NORMS, (T, width), (vector(f"{id}.weight", width, "mla_norm"),))


def _queries() -> Block:
    tensors = linear("q_proj", D, MLA_QUERY_WIDTH, "attn_q")
    return (Stage("q", N_("Queries"), Group.ATTENTION, (T, MLA_QUERY_WIDTH), tensors),)


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
