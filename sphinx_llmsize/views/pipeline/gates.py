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

    If only the first branch has steps, the second passes the input on, as an empty gate. If both
    have steps, the second is the gate if it ends with an output gate.
    """
    if item.layers or item.is_sum or len(item.branches) != 2:  # noqa: PLR2004 - gate and other
        return None
    first, second = item.branches
    if second and not _ends_with(second, {OUTPUT_GATE}):
        return None
    return (second, first)


def before_experts(item: ForkItem) -> Items:
    """The router of a fork whose other branch passes the input on; empty for any other fork.

    It is drawn in line with the experts, which read the same vectors.
    """
    if item.layers or item.is_sum or len(item.branches) != 2:  # noqa: PLR2004 - router and input
        return ()
    first, second = item.branches
    return first if not second and _ends_with(first, ROUTERS) else ()


def _ends_with(items: Items, ids: Set[str]) -> bool:
    """True if the last stage, in every branch of a fork, has one of these ids."""
    last = items[-1]
    if isinstance(last, ForkItem):
        return all(_ends_with(branch, ids) for branch in last.branches)
    return isinstance(last, StageItem) and last.stages[0].id in ids
