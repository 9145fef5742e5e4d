"""Gates among parallel branches: steps that choose or weight the output of those beside them."""

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

    A branch without steps passes the input on. Beside it, a router is the gate; beside any other
    steps, the branch without steps is. Of two branches with steps, the second is the gate if it
    ends with an output gate.
    """
    if item.layers or item.is_sum or len(item.branches) != 2:  # noqa: PLR2004
        return None
    first, second = item.branches
    if not second:
        return (first, second) if _ends_in(first, ROUTERS) else (second, first)
    return (second, first) if _ends_in(second, {OUTPUT_GATE}) else None


def _ends_in(items: Items, ids: Set[str]) -> bool:
    """True if the last stage has one of these ids; of alternatives, all must end so."""
    last = items[-1]
    if isinstance(last, ForkItem):
        return all(_ends_in(branch, ids) for branch in last.branches)
    return isinstance(last, StageItem) and last.stages[0].id in ids
