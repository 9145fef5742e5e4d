"""Dot-product attention, and indexers that choose the keys to score."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Role, Shape, Tensor
from sphinx_llmsize.config.symbols import D_I, H_I, R_Q, T_SEEN, D, H, T
from sphinx_llmsize.translation import N_


def attention_scores(
    *,
    key_dim: Size,
    value_dim: Size,
    caches: tuple[Shape, ...],
    heads: Size = H,
    width: Size | None = None,
    tensors: tuple[Tensor, ...] = (),
) -> Stage:
    """Queries × keys, then a softmax, then scores × values.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.1

    Args:
        key_dim: dimensions of a head's queries and keys.
        value_dim: dimensions of a head's values.
        caches: shapes in the KV cache.
        heads: number of query heads.
        width: dimensions of all heads' values together; ``heads`` × ``value_dim`` by default.
        tensors: parameters of the scores, such as sinks or position biases.
    """
    return Stage(
        "scores",
        N_("Dot-product attention"),
        Group.ATTENTION,
        (T, width or heads * value_dim),
        tensors,
        intermediate=(heads, T, T),
        computes=score_products(key_dim, value_dim, heads=heads),
        caches=caches,
    )


def score_products(
    key_dim: Size, value_dim: Size, *, heads: Size = H, seen: Size = T_SEEN
) -> tuple[MatMul, ...]:
    """The two matrix products of each head, T × d × T_k and T × T_k × d; ``seen`` is T_k."""
    return (
        MatMul(N_("queries × keys"), T, key_dim, seen, heads),
        MatMul(N_("scores × values"), T, seen, value_dim, heads),
    )


def sinks() -> tuple[Tensor, ...]:
    """One learned score per head, in the softmax beside the tokens' scores (gpt-oss).

    Xiao et al. 2023, https://arxiv.org/abs/2309.17453
    """
    return (vector("sinks", H, "attn_sinks", Role.BIAS, N_("sinks")),)


def lightning_indexer(keys: Size = T_SEEN, *, inputs: Size = R_Q) -> tuple[Stage]:
    """Small heads that score all keys for a query, which then attends to the best of them.

    DeepSeek-V3.2, https://arxiv.org/abs/2512.02556: H_i heads of d_i dimensions on the query
    latent, one key of d_i dimensions with a layer norm, and a weight for each head.

    Args:
        keys: number of keys that a query scores.
        inputs: dimensions from which the queries are projected.
    """
    tensors = (
        *linear("index_q_proj", inputs, H_I * D_I, "indexer", label="q"),
        *linear("index_k_proj", D, D_I, "indexer", label="k"),
        vector("index_k_norm.weight", D_I, "indexer", label=N_("k norm")),
        vector("index_k_norm.bias", D_I, "indexer", Role.BIAS, N_("k norm")),
        *linear("index_weights", D, H_I, "indexer", label=N_("head weights")),
    )
    weighted = MatMul(N_("head weights × scores"), ONE, H_I, keys, T)
    return (index_stage(tensors, (index_scores(keys), weighted), keys),)


def pooled_indexer(pool: Size, keys: Size) -> Block:
    """A lightning indexer whose keys are weighted means of ``pool`` tokens' keys each.

    GLM-5.3-Flash, https://huggingface.co/docs/transformers/model_doc/glm5_next. The cache has the
    key, the weights and a padding mark of every token.

    Args:
        pool: number of tokens in a pool.
        keys: number of complete pools.
    """
    (stage,) = lightning_indexer(keys)
    pooling = (
        *linear("index_pool_gate", D, D_I, "indexer", label=N_("gate")),
        Tensor("index_pool_position.bias", (pool, D_I), "indexer", N_("positions"), Role.BIAS),
    )
    cached = (T_SEEN, 2 * D_I + ONE)
    return (replace(stage, tensors=(*stage.tensors, *pooling), caches=(cached,)),)


def block_indexer(*, fused: bool = False, keys: Size = T_SEEN) -> Stage:
    """H_i queries and one key per token, with norms, that choose blocks of tokens to attend to.

    MiniMax-M3, https://huggingface.co/docs/transformers/model_doc/minimax_m3_vl

    Args:
        fused: one matrix makes the queries and the key (Qwen4-Exp).
        keys: number of keys that a query scores; the cache has one for each token.
    """
    if fused:
        projections = linear("index_qk_proj", D, H_I * D_I + D_I, "indexer", label=N_("q, k"))
    else:
        projections = (
            *linear("index_q_proj", D, H_I * D_I, "indexer", label="q"),
            *linear("index_k_proj", D, D_I, "indexer", label="k"),
        )
    norms = (
        vector("index_q_norm.weight", D_I, "indexer", label=N_("q norm")),
        vector("index_k_norm.weight", D_I, "indexer", label=N_("k norm")),
    )
    return index_stage((*projections, *norms), (index_scores(keys),))


def index_scores(keys: Size) -> MatMul:
    """The products of an indexer's queries with ``keys`` keys, for each of its heads."""
    return MatMul(N_("queries × keys"), T, D_I, keys, H_I)


def index_stage(
    tensors: tuple[Tensor, ...], computes: tuple[MatMul, ...], cached: Size = T_SEEN
) -> Stage:
    """The stage of an indexer, which scores and caches ``cached`` keys of d_i dimensions."""
    # as in attention, T × T_k scores are shown as T × T
    scored = T if cached == T_SEEN else cached
    return Stage(
        "indexer",
        N_("Indexer"),
        Group.ATTENTION,
        (T, cached),
        tensors,
        intermediate=(H_I, T, scored),
        computes=computes,
        caches=((cached, D_I),),
    )
