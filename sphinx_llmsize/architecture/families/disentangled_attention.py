"""DeBERTa's disentangled attention: separate scores for contents and for relative positions.

He et al. 2020, https://arxiv.org/abs/2006.03654, section 3.1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.known_names import known_names, names_in
from sphinx_llmsize.config.symbols import D_H, D, H, Length, P, T
from sphinx_llmsize.translation import N_

RELATIVE_ATTENTION = k.flag("relative_attention", N_("scores for relative positions"))
RELATIVE_RANGE = k.make_key(
    "max_relative_positions", N_("range of relative positions; below 1 for all"), k.ValueKind.WINDOW
)
BUCKETS = k.make_key(
    "position_buckets", N_("buckets of relative positions; below 1 for none"), k.ValueKind.WINDOW
)
SCORE_NAMES = k.make_key(
    "position_scores pos_att_type",
    N_("scores for relative positions: c2p (of queries), p2c (of keys)"),
    k.ValueKind.NAME_OR_NAMES,
    optional=True,
)
SHARED_PROJECTIONS = k.flag(
    "shared_position_projections share_att_key",
    N_("projections that content and relative positions share"),
)
RELATIVE_NORM = k.make_key(
    "relative_norm norm_rel_ebd",
    N_("layer_norm for a norm on the relative positions"),
    k.ValueKind.NAME,
)


class PositionScore(NamedTuple):
    """Scores of contents × relative positions.

    Attributes:
        projection: letter of the positions' projection: q or k.
        label: label of the product.
    """

    projection: str
    label: str


SCORE_BY_NAME = {
    "c2p": PositionScore("k", N_("queries × relative positions")),
    "p2c": PositionScore("q", N_("keys × relative positions")),
}
"""Scores by their names in :data:`SCORE_NAMES`."""


KNOWN_NAMES = (
    known_names(SCORE_NAMES, *SCORE_BY_NAME),
    known_names(RELATIVE_NORM, "none", "layer_norm"),
)
"""Rules for the keys with names."""


def relative_position_table(config: Config, positions: Size) -> Block:
    """A table of vectors for relative positions, and their norm; each only if configured.

    All layers share them.

    Args:
        config: the configuration.
        positions: number of relative positions in each direction.
    """
    table = parts.table("relative_positions.weight", (2 * positions, D), "relative_embedding")
    tensors: tuple[Tensor, ...] = (table,) if config.flag(RELATIVE_ATTENTION) else ()
    if "layer_norm" in names_in(config[RELATIVE_NORM]):
        tensors += parts.norm_tensors("relative_norm", D, "norms")
    if not tensors:
        return ()
    return (
        Stage(
            "relative_position",
            N_("Relative positions"),
            Group.EMBEDDING,
            (T, D),
            tensors,
            intermediate=(2 * positions, D),
            source=Source.POSITIONS,
        ),
    )


def add_position_scores(
    config: Config,
    attention: Block,
    positions: Size,
    *,
    key_bias: bool = True,
    shared: bool = False,
) -> Block:
    """Add the configured scores: queries × relative positions, keys × relative positions, or both.

    Args:
        config: the configuration.
        attention: attention on contents.
        positions: number of relative positions in each direction, fixed or a :class:`Length`.
        key_bias: a bias on the projection of relative positions to keys.
        shared: positions are projected by the matrices of queries and keys.
    """
    if not config.flag(RELATIVE_ATTENTION):
        return attention
    names = names_in(config[SCORE_NAMES])
    rows = 2 * positions
    scores = [score for name, score in SCORE_BY_NAME.items() if name in names]
    tensors: tuple[Tensor, ...] = ()
    computes: tuple[MatMul, ...] = ()
    if shared:  # transformers computes both, even if one kind of score is configured
        computes = (MatMul("q", rows, D, D), MatMul("k", rows, D, D))
    else:
        tensors = _position_projections(scores, positions, key_bias=key_bias)
    projection = Stage(
        "relative_projection",
        N_("Position projections"),
        Group.ATTENTION,
        (rows, D),
        tensors,
        computes=computes,
    )
    products = tuple(MatMul(score.label, T, D_H, rows, H) for score in scores)
    return _add_products(parts.add_branch(attention, projection, before="scores"), products)


def _position_projections(
    scores: Sequence[PositionScore], positions: Size, *, key_bias: bool
) -> tuple[Tensor, ...]:
    """Matrices D × D that project relative positions for these scores."""
    tensors: list[Tensor] = []
    for score in scores:
        letter = score.projection
        bias = letter == "q" or key_bias
        name = f"position_{letter}"
        tensors += parts.linear(name, D, D, "attn_relative", bias=bias, label=letter)
    if isinstance(positions, Length):
        return tuple(tensors)
    # a stage whose number of rows is fixed counts as one vector: apply the matrices to every row
    return tuple(replace(tensor, applications=2 * positions) for tensor in tensors)


def _add_products(attention: Block, products: tuple[MatMul, ...]) -> Block:
    """Add products to the stage of the scores."""

    def add(stage: Stage) -> Stage:
        if stage.id != "scores":
            return stage
        return replace(stage, computes=(*stage.computes, *products))

    return parts.map_stages(attention, add)


def relative_range(config: Config, *keys: k.Key) -> Quantity:
    """Relative positions in each direction: the first value above 0 of these keys, else P."""
    limits = (config.count(key) for key in keys)
    value = next((limit for limit in limits if limit > 0), config.count(P))
    return Quantity("P_rel", N_("relative positions in each direction"), value)
