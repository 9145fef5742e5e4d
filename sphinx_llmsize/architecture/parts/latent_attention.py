"""Multi-head latent attention (DeepSeek-V2, https://arxiv.org/abs/2405.04434, section 2.1)."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.linear import linear, vector
from sphinx_llmsize.architecture.pieces import Block, Group, Role, Stage
from sphinx_llmsize.config.latent import D_I, D_NOPE, D_ROPE, D_V, H_I, R_KV, R_Q
from sphinx_llmsize.config.vocabulary import D, H, T

QUERY_WIDTH = H * (D_NOPE + D_ROPE)
VALUE_WIDTH = H * D_V


def latent_attention(
    *,
    query_latent: bool,
    bias: bool = False,
    output_bias: bool | None = None,
    index: Block = (),
    gate: Block = (),
) -> Block:
    """Queries, and keys with values, through latents of R_q and R_kv numbers.

    Args:
        query_latent: queries have a latent too; else one matrix projects them.
        bias: biases on the projections into the latents.
        output_bias: a bias on the output projection; as there, unless told.
        index: what chooses the keys that a query sees: :func:`lightning_indexer`.
        gate: what the result of the scores passes on its way to the output projection.
    """
    queries = latent_queries(bias=bias) if query_latent else _queries()
    return attention_from_latents(
        queries, bias=bias, output_bias=output_bias, index=index, gate=gate
    )


def attention_from_latents(
    queries: Block,
    *,
    bias: bool = False,
    output_bias: bool | None = None,
    index: Block = (),
    gate: Block = (),
) -> Block:
    """Latent attention whose queries are made by other stages; see :func:`latent_attention`."""
    down = linear("kv_a_proj", D, R_KV + D_ROPE, "attn_kv_a", bias=bias)
    up = linear("kv_b_proj", R_KV, H * (D_NOPE + D_V), "attn_kv_b")
    with_bias = bias if output_bias is None else output_bias
    output = linear("o_proj", VALUE_WIDTH, D, "attn_o", bias=with_bias)
    return (
        *queries,
        Stage("kv_down", "KV latent", Group.ATTENTION, (T, R_KV + D_ROPE), down),
        latent_norm("kv_norm", "KV latent norm", R_KV),
        Stage("kv_up", "Keys and values", Group.ATTENTION, (T, H * (D_NOPE + D_V)), up),
        *index,
        Stage("scores", "Attention scores", Group.ATTENTION, (T, VALUE_WIDTH), inner=(H, T, T)),
        *gate,
        Stage("attention_output", "Output projection", Group.ATTENTION, (T, D), output),
    )


def latent_queries(*, bias: bool = False, inputs: Size = R_Q, width: Size = QUERY_WIDTH) -> Block:
    """Queries from a latent of their own, with a norm on it.

    Args:
        bias: a bias on the projection into the latent.
        inputs: what enters the last projection, if it is more than the latent.
        width: what leaves it.
    """
    down = linear("q_a_proj", D, R_Q, "attn_q_a", bias=bias)
    up = linear("q_b_proj", inputs, width, "attn_q_b")
    return (
        Stage("q_down", "Query latent", Group.ATTENTION, (T, R_Q), down),
        latent_norm("q_norm", "Query latent norm", R_Q),
        Stage("q_up", "Queries", Group.ATTENTION, (T, width), up),
    )


def latent_norm(id: str, label: str, width: Size) -> Stage:
    """A norm within latent attention: a scale of that width."""
    return Stage(id, label, Group.NORMS, (T, width), (vector(f"{id}.weight", width, "mla_norm"),))


def lightning_indexer() -> Block:
    """Small heads that score all keys for a query, which then sees the best of them only.

    DeepSeek-V3.2, https://arxiv.org/abs/2512.02556: H_i heads of d_i numbers on the query
    latent, one key of d_i numbers with a layer norm, and a weight for each head.
    """
    tensors = (
        *linear("index_q_proj", R_Q, H_I * D_I, "indexer", label="q"),
        *linear("index_k_proj", D, D_I, "indexer", label="k"),
        vector("index_k_norm.weight", D_I, "indexer", label="k norm"),
        vector("index_k_norm.bias", D_I, "indexer", Role.BIAS, "k norm"),
        *linear("index_weights", D, H_I, "indexer", label="head weights"),
    )
    return (Stage("indexer", "Indexer", Group.ATTENTION, (T, T), tensors, inner=(H_I, T, T)),)


def head_gate() -> Block:
    """One gate for each head, from the layer's input, on the result of the scores."""
    tensors = linear("gate_proj", D, H, "attn_gate")
    return (Stage("output_gate", "Output gate", Group.ATTENTION, (T, VALUE_WIDTH), tensors),)


def _queries() -> Block:
    tensors = linear("q_proj", D, QUERY_WIDTH, "attn_q")
    return (Stage("q", "Query projection", Group.ATTENTION, (T, QUERY_WIDTH), tensors),)
