"""Gates among parallel branches: they choose or weight the output of the steps beside them."""

from __future__ import annotations

from collections.abc import Set

from sphinx_llmsize.views.pipeline.layer_items import ForkItem, Item, StageItem

ROUTERS = frozenset(("router", "head_router"))
"""Ids of stages that choose experts."""
OUTPUT_GATE = "output_gate"
"""Id of a stage whose output is multiplied with that of the heads."""

Items = tuple[Item, ...]
"""Items of a branch, in order."""


def split_gate(item: ForkItem) -> tuple[Items, Items] | None:
    """The gate and the other branch of a fork; None if the fork is not drawn as a gate.

    If only the first branch has steps, the second passes the input on. The first is the gate if it
    is a router; else the second is, as an empty gate. If both have steps, the second is the gate
    if it ends with an output gate.
    """
    if item.layers or item.is_sum or len(item.branches) != 2:  # noqa: PLR2004 - gate and other
        return None
    first, second = item.branches
    if second:
        return (second, first) if _ends_with(second, {OUTPUT_GATE}) else None
    return (first, second) if _ends_with(first, ROUTERS) else (second, first)


def _ends_with(items: Items, ids: Set[str]) -> bool:
    """True if the last stage, in every branch of a fork, has one of these ids."""
    last = items[-1]
    if isinstance(last, ForkItem):
        return all(_ends_with(branch, ids) for branch in last.branches)
    return isinstance(last, StageItem) and last.stages[0].id in ids
