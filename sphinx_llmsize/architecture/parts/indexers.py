"""Indexers: small heads that choose the keys a query sees."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config.symbols import D_I, H_I, R_Q, T_SEEN, D, T
from sphinx_llmsize.translation import N_


def lightning_indexer() -> Block:
    """Small heads that score all keys for a query, which then sees the best of them only.

    DeepSeek-V3.2, https://arxiv.org/abs/2512.02556: H_i heads of d_i numbers on the query
    latent, one key of d_i numbers with a layer norm, and a weight for each head.
    """
    tensors = (
        *linear("index_q_proj", R_Q, H_I * D_I, "indexer", label="q"),
        *linear("index_k_proj", D, D_I, "indexer", label="k"),
        vector("index_k_norm.weight", D_I, "indexer", label=N_("k norm")),
        vector("index_k_norm.bias", D_I, "indexer", Role.BIAS, N_("k norm")),
        *linear("index_weights", D, H_I, "indexer", label=N_("head weights")),
    )
    weighed = MatMul(N_("head weights × scores"), ONE, H_I, T_SEEN, T)
    return (_indexer(tensors, (index_scores(), weighed)),)


def block_indexer(*, fused: bool = False, keys: Size = T_SEEN) -> Stage:
    """H_i queries and one key, all with a norm, that choose blocks of keys for each query.

    MiniMax-M3, https://huggingface.co/docs/transformers/model_doc/minimax_m3_vl

    Args:
        fused: one matrix makes queries and key (Qwen4-Exp).
        keys: how many a query scores: of all tokens, unless told.
    """
    separate = (
        *linear("index_q_proj", D, H_I * D_I, "indexer", label="q"),
        *linear("index_k_proj", D, D_I, "indexer", label="k"),
    )
    together = linear("index_qk_proj", D, H_I * D_I + D_I, "indexer", label=N_("q, k"))
    norms = (
        vector("index_q_norm.weight", D_I, "indexer", label=N_("q norm")),
        vector("index_k_norm.weight", D_I, "indexer", label=N_("k norm")),
    )
    return _indexer((*(together if fused else separate), *norms), (index_scores(keys),))


def index_scores(keys: Size = T_SEEN) -> MatMul:
    """Every query of the indexer times every key that it has."""
    return MatMul(N_("queries × keys"), T, D_I, keys, H_I)


def _indexer(tensors: tuple[Tensor, ...], computes: tuple[MatMul, ...]) -> Stage:
    return Stage(
        "indexer",
        N_("Indexer"),
        Group.ATTENTION,
        (T, T),
        tensors,
        inner=(H_I, T, T),
        computes=computes,
        caches=((T_SEEN, D_I),),
    )
