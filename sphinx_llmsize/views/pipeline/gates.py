"""Gates among the branches of a block: steps beside others, which choose or weight their output."""

from __future__ import annotations

from sphinx_llmsize.views.pipeline.layer_variants import Item, OneStage, SideBySide

ROUTERS = frozenset(("router", "head_router"))
"""Ids of stages that choose experts."""
GATES = ROUTERS | {"output_gate", "shared_gate"}
"""Ids of stages whose output the next stage reads beside that of the other branch."""

Items = tuple[Item, ...]
"""Items of a branch, in order."""


def with_gate(item: SideBySide) -> tuple[Items, Items] | None:
    """The gate and the other of two branches; None if they are equal, alternatives, or a sum.

    If one branch is only a line, any other steps have it beside them, as a gate without steps.
    """
    if item.layers or item.is_sum or len(item.branches) != 2:  # noqa: PLR2004
        return None
    one, other = item.branches
    if _is_gate(one):
        return one, other
    if _is_gate(other) or not other:
        return other, one
    return None


def _is_gate(items: Items) -> bool:
    """True if the last stage is a router or another gate, also in alternatives."""
    if not items:
        return False
    last = items[-1]
    if isinstance(last, SideBySide):
        return all(map(_is_gate, last.branches))
    return isinstance(last, OneStage) and last.stages[0].id in GATES
