"""Query heads and key/value heads of an architecture."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.config.symbols import D_H, H_KV, T_SEEN, H

HEADS = H.name
"""First letter of the symbols for numbers of heads: H, and H_w in layers with other numbers."""
SCORES_AND_RESULTS = 2
"""Number of products of attention: queries × keys, and scores × values."""


def heads_of(stage: Stage, architecture: Architecture) -> int:
    """Number of heads of a stage that computes attention; 0 for other stages."""
    sizes = architecture.sizes
    for product_of_heads in stage.computes:
        is_attention = stage.group is Group.ATTENTION or H in product_of_heads.count.symbols()
        for symbol in sorted(product_of_heads.count.symbols(), key=str):
            if is_attention and symbol.name[0] == HEADS and symbol in sizes:
                return sizes[symbol]
    return 0


def key_heads_of(stage: Stage, architecture: Architecture) -> int:
    """Number of key/value heads that a stage of attention caches, as many as their widths have.

    Without a cache, in encoders, it is that of the configuration. It is 0 if it isn't known: for
    states, and for what isn't a whole number of heads.
    """
    if not stage.caches:
        return architecture.sizes.get(H_KV, 0)
    first, *others = stage.caches
    if others or len(first) != 2 or len(stage.computes) != SCORES_AND_RESULTS:  # noqa: PLR2004
        return 0
    scores, results = stage.computes
    (_length, width), widths_of_head = first, (scores.inner, results.columns)
    if not all(size.symbols() <= set(architecture.sizes) for size in (width, *widths_of_head)):
        return 0
    of_all, of_one = architecture.count(width), sum(map(architecture.count, widths_of_head))
    return 0 if of_all % of_one else of_all // of_one


def has_attention(architecture: Architecture) -> bool:
    """True if a layer has attention, unlike the heads of recurrent networks."""
    return Group.ATTENTION in architecture.groups


def has_equal_heads(architecture: Architecture) -> bool:
    """True if there are as many key/value heads as query heads."""
    sizes = architecture.sizes
    return H in sizes and sizes.get(H_KV) == sizes[H]


def has_even_heads(architecture: Architecture) -> bool:
    """True if the number of key/value heads, if there is one, divides that of query heads."""
    heads, kv_heads = architecture.sizes.get(H), architecture.sizes.get(H_KV)
    return not heads or not kv_heads or heads % kv_heads == 0


def caches_one_head(placed_stages: Iterable[PlacedStage]) -> bool:
    """True if one of the stages caches vectors of a single head for each token, nothing else.

    The number of key/value heads in the configuration has no effect then, as in Falcon 7B.
    """
    arrays = (p.stage.caches[0] for p in placed_stages if len(p.stage.caches) == 1)
    return any(product(*shape).symbols() == {T_SEEN, D_H} for shape in arrays)


def key_value_heads(architecture: Architecture, placed_stages: Iterable[PlacedStage]) -> int | None:
    """Number of key/value heads in these stages of attention; None if layers differ."""
    return 1 if caches_one_head(placed_stages) else architecture.sizes.get(H_KV)
