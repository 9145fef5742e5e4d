"""Multi-head latent attention (MLA)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.scores import attention_scores
from sphinx_llmsize.architecture.parts.self_attention import with_gate
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage, side_by_side
from sphinx_llmsize.config.symbols import D_NOPE, D_ROPE, D_V, R_KV, R_Q, T_SEEN, D, H, T
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
        index: an indexer that reads the query latent (:func:`lightning_indexer`); not without one.
        key_norm: a norm on the d_rope dimensions of the keys.
        gate: a gate on the heads' results, before the output projection.
    """
    if query_latent:
        queries = latent_queries(bias=bias, index=index)
    else:
        # families with indexers have the rule ``k.QUERY_LATENT_RULE``
        assert not index, "an indexer reads the query latent"
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
    """A norm of ``width`` dimensions on a latent, or on keys made beside a latent."""
    return Stage(id, label, Group.NORMS, (T, width), (vector(f"{id}.weight", width, "mla_norm"),))
