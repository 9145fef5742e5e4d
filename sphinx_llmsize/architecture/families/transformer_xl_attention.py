"""Transformer-XL's attention, with scores for relative positions and segments; XLNet, Funnel.

Dai et al. 2019, https://arxiv.org/abs/1901.02860, section 3.3
"""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Number, Size, product, size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config.symbols import D_H, T_SEEN, D, H, T
from sphinx_llmsize.translation import N_

BIAS_LABELS = {"content": N_("content"), "position": N_("position"), "segment": N_("segment")}
"""Labels of the biases on queries, by the start of the tensor's name."""


def transformer_xl_attention() -> Block:
    """Attention to contents, relative positions and segments, each with a bias on queries.

    As in XLNet, Yang et al. 2019, https://arxiv.org/abs/1906.08237, section 2.5
    """
    width = parts.QUERY_WIDTH
    projections = (
        *parts.linear("q_proj", D, width, "attn_q", label="q"),
        *parts.linear("k_proj", D, width, "attn_k", label="k"),
        *parts.linear("v_proj", D, width, "attn_v", label="v"),
        *parts.linear("r_proj", D, width, "attn_r", label="r"),
    )
    output = parts.linear("o_proj", width, D, "attn_o")
    # the layers' inputs are cached; keys and values are recomputed from them
    attention = parts.attention(
        projections, output, qkv_width=4 * width, cache_width=D, scores=_query_biases()
    )
    return parts.map_stages(attention, _add_relative_positions)


def _query_biases() -> tuple[Tensor, ...]:
    """Biases on the queries for contents, positions and segments, and the two segments' vectors."""
    biases = (
        Tensor(
            f"{name}_bias", (H, D_H), "attn_position_bias", N_("{name} bias", name=label), Role.BIAS
        )
        for name, label in BIAS_LABELS.items()
    )
    segments = Tensor(
        "segment_embedding", (size(2), H, D_H), "attn_segment", N_("segments"), Role.TABLE
    )
    return (*biases, segments)


def _add_relative_positions(stage: Stage) -> Stage:
    """Count the products for the 2·T relative positions in both directions.

    They are r_proj, which is applied to 2·T vectors instead of T, and queries × r.
    """
    if stage.id == "qkv":
        tensors = (
            replace(tensor, applications=Number(2)) if tensor.name == "r_proj.weight" else tensor
            for tensor in stage.tensors
        )
        return replace(stage, tensors=tuple(tensors))
    if stage.id == "scores":
        return replace(
            stage, computes=(*stage.computes, MatMul(N_("queries × r"), T, D_H, 2 * T, H))
        )
    return stage


def funnel_attention(distances: Size, *, factorized: bool) -> Block:
    """Attention of T queries to T_k contents, relative positions and segments.

    Dai et al. 2020, https://arxiv.org/abs/2006.03236, appendix A.2

    Args:
        distances: number of relative positions.
        factorized: queries are multiplied with the positions' projection, then with sines and
            cosines; otherwise with the projected vectors of all relative positions.
    """
    group, width = Group.ATTENTION, parts.QUERY_WIDTH
    query = parts.linear("q_proj", D, width, "attn_q", label="q")
    key = parts.linear("k_proj", D, width, "attn_k", bias=True, label="k")
    value = parts.linear("v_proj", D, width, "attn_v", bias=True, label="v")
    queries = Stage("queries", N_("Q projection"), group, (T, width), query)
    keys = Stage("keys", N_("KV projection"), group, (T_SEEN, 2 * width), (*key, *value))
    positions = Stage(
        "relative_projection",
        N_("Position projections"),
        group,
        (T, product(H, D)) if factorized else (distances, width),
        parts.linear("r_proj", D, width, "attn_r", label="r"),
        source=Source.NONE,  # sines and cosines
    )
    output = parts.linear("o_proj", width, D, "attn_o", bias=True)
    return (
        *side_by_side((queries,), (keys,), (positions,)),
        _funnel_scores(distances, factorized=factorized),
        Stage("attention_output", N_("Output projection"), group, (T, D), output),
    )


def _funnel_scores(distances: Size, *, factorized: bool) -> Stage:
    """Scores of contents, positions and segments; for arguments see :func:`funnel_attention`."""
    if factorized:
        position_scores = MatMul(N_("queries × sines and cosines"), T, D, T_SEEN, 2 * H)
    else:
        position_scores = MatMul(N_("queries × r"), T, D_H, distances, H)
    segment_scores = MatMul(N_("queries × segments"), T, D_H, Number(2), H)
    return Stage(
        "scores",
        N_("Dot-product attention"),
        Group.ATTENTION,
        (T, parts.QUERY_WIDTH),
        _query_biases(),
        intermediate=(H, T, T_SEEN),
        computes=(*parts.score_products(D_H, D_H), position_scores, segment_scores),
    )
