"""Query heads and key/value heads of an architecture."""

from __future__ import annotations

from collections.abc import Iterable

from sphinx_llmsize.algebra import product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.symbols import D_H, H_KV, T_SEEN, H


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
