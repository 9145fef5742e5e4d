"""Gates among the branches of a block: steps beside others, which choose or weight their output."""

from __future__ import annotations

from collections.abc import Set

from sphinx_llmsize.views.pipeline.layer_variants import Item, OneStage, SideBySide

ROUTERS = frozenset(("router", "head_router"))
"""Ids of stages that choose experts."""
OUTPUT_GATE = "output_gate"
"""Id of a stage whose output is multiplied with that of the heads."""

Items = tuple[Item, ...]
"""Items of a branch, in order."""


def with_gate(item: SideBySide) -> tuple[Items, Items] | None:
    """The gate and the other of two branches; None if neither is beside the other.

    A router stands beside the line to the experts. Any other steps have a line beside them.
    """
    if item.layers or item.is_sum or len(item.branches) != 2:  # noqa: PLR2004
        return None
    one, other = item.branches
    if not other:
        return (one, other) if _ends_in(one, ROUTERS) else (other, one)
    return (other, one) if _ends_in(other, {OUTPUT_GATE}) else None


def _ends_in(items: Items, ids: Set[str]) -> bool:
    """True if the last stage has one of these ids, also in alternatives."""
    last = items[-1]
    if isinstance(last, SideBySide):
        return all(_ends_in(branch, ids) for branch in last.branches)
    return isinstance(last, OneStage) and last.stages[0].id in ids
