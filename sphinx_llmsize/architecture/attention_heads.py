"""Query heads and key/value heads of an architecture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sphinx_llmsize.algebra import Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.config.symbols import D_H, H_KV, T_SEEN, H

HEADS = H.name
"""First letter of the symbols for numbers of heads: H, H_kv, and those of some layers."""
SCORES_AND_RESULTS = 2
"""Number of products of attention: queries × keys, and scores × values."""


def heads_of(stage: Stage, architecture: Architecture) -> int:
    """Number of query heads of a stage that computes attention; 0 for other stages."""
    counts = {symbol for each in stage.computes for symbol in each.count.symbols()}
    if stage.group is not Group.ATTENTION and H not in counts:
        return 0
    sizes = architecture.sizes
    heads = (sizes[symbol] for symbol in sorted(counts, key=str) if _counts_heads(symbol, sizes))
    return next(heads, 0)


def _counts_heads(symbol: Symbol, sizes: Mapping[Symbol, int]) -> bool:
    """True for a number of heads with a known value."""
    return symbol.name[0] == HEADS and symbol in sizes


def key_heads_of(stage: Stage, architecture: Architecture) -> int:
    """Number of key/value heads: the width of the cache over that of a key and a value of one head.

    Without any cache, in encoders, it is that of the configuration. It is 0 if it isn't known: for
    layers that read another layer's cache, latents and states.
    """
    if not architecture.has_cache:
        return architecture.sizes.get(H_KV, 0)
    if len(stage.caches) != 1 or len(stage.computes) != SCORES_AND_RESULTS:
        return 0
    (_length, *dimensions), (scores, results) = stage.caches[0], stage.computes
    of_all, of_head = product(*dimensions), (scores.inner, results.columns)
    symbols = of_all.symbols()
    has_heads = any(_counts_heads(symbol, architecture.sizes) for symbol in symbols)
    has_one_head = symbols == scores.inner.symbols() | results.columns.symbols()
    if len(dimensions) != 1 or not (has_heads or has_one_head):
        return 0
    width, width_of_head = architecture.count(of_all), sum(map(architecture.count, of_head))
    return 0 if width % width_of_head else width // width_of_head


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
