"""DeBERTa's disentangled attention: separate scores for contents and for relative positions.

He et al. 2020, https://arxiv.org/abs/2006.03654, section 3.1
"""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, ValueKind, flag, make_key
from sphinx_llmsize.config.symbols import D_H, D, H, Length, P, T
from sphinx_llmsize.translation import N_

RELATIVE = flag("relative_attention", N_("scores for relative positions"))
RELATIVE_RANGE = make_key(
    "max_relative_positions", N_("range of relative positions; below 1 for all"), ValueKind.WINDOW
)
BUCKETS = make_key(
    "position_buckets", N_("buckets of relative positions; below 1 for none"), ValueKind.WINDOW
)
SCORES = make_key(
    "position_scores pos_att_type",
    N_("scores for relative positions: c2p (of queries), p2c (of keys)"),
    ValueKind.NAME_OR_NAMES,
    optional=True,
)
SCORES_OF_KIND = {
    "c2p": ("k", N_("queries × relative positions")),
    "p2c": ("q", N_("keys × relative positions")),
}
"""Name of the positions' projection, and label of the product, for each name in ``SCORES``."""
SHARED_PROJECTIONS = flag(
    "shared_position_projections share_att_key",
    N_("relative positions have the projections of the content"),
)
RELATIVE_NORM = make_key(
    "relative_norm norm_rel_ebd",
    N_("layer_norm for a norm on the relative positions"),
    ValueKind.NAME,
)


def relative_positions(config: Config, positions: Size) -> Block:
    """A vector for each relative position, in both directions, shared by all layers."""
    table = parts.table("relative_positions.weight", (2 * positions, D), "relative_embedding")
    tensors: tuple[Tensor, ...] = (table,) if config.flag(RELATIVE) else ()
    if "layer_norm" in _names(config[RELATIVE_NORM]):
        tensors += parts.norm_tensors("relative_norm", D, "norms")
    label, group, inner = N_("Relative positions"), Group.EMBEDDING, (2 * positions, D)
    stage = Stage("relative_position", label, group, (T, D), tensors, inner, Source.POSITIONS)
    return (stage,) if tensors else ()


def with_positions(
    config: Config, attention: Block, span: Size, *, key_bias: bool = True, shared: bool = False
) -> Block:
    """Add scores of queries × relative positions, and of keys × relative positions.

    Args:
        config: the configuration.
        attention: attention on contents.
        span: relative positions in each direction: a length, or a fixed number.
        key_bias: a bias on the projection of relative positions to keys.
        shared: positions are projected by the matrices of queries and keys.
    """
    if not config.flag(RELATIVE):
        return attention
    kinds, rows = _names(config[SCORES]), 2 * span
    chosen = [SCORES_OF_KIND[kind] for kind in SCORES_OF_KIND if kind in kinds]
    scores = tuple(MatMul(label, T, D_H, rows, H) for _name, label in chosen)
    projections = tuple(
        tensor
        for name, _label in chosen
        for tensor in parts.linear(
            f"position_{name}", D, D, "attn_relative", bias=name == "q" or key_bias, label=name
        )
    )
    # matrices of a stage with a fixed number of rows would count as applied once, not to each row
    if not isinstance(span, Length):
        projections = tuple(replace(tensor, applications=rows) for tensor in projections)
    stage = Stage(
        "relative_projection",
        N_("Projections of relative positions"),
        Group.ATTENTION,
        (rows, D),
        () if shared else projections,
        computes=tuple(MatMul(name, rows, D, D) for name in ("q", "k")) if shared else (),
    )
    return _add_scores(parts.add_branch(attention, stage, before="scores"), scores)


def _add_scores(attention: Block, scores: tuple[MatMul, ...]) -> Block:
    """Add products to the stage of the scores."""

    def add(stage: Stage) -> Stage:
        added = scores if stage.id == "scores" else ()
        return replace(stage, computes=(*stage.computes, *added))

    return parts.map_stages(attention, add)


def relative_range(config: Config, *keys: Key) -> Quantity:
    """Relative positions in each direction: the first value above 0 of these keys, else P."""
    limits = (config.count(key) for key in keys)
    value = next((limit for limit in limits if limit > 0), config.count(P))
    return Quantity("P_rel", N_("relative positions in each direction"), value)


def _names(value: object) -> tuple[str, ...]:
    """Names in a text such as ``p2c|c2p``, in lower case; a list is returned unchanged."""
    if isinstance(value, tuple):
        return value
    return tuple(name.strip() for name in str(value).lower().split("|"))
