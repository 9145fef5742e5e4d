"""Heads of a model, such as an LM head or a pooler."""

from __future__ import annotations

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Group


def heads_with_weights(architecture: Architecture) -> frozenset[str]:
    """Ids of the heads that have weights of their own: not of an LM head that is only tied."""
    return frozenset(
        placed.stage.id
        for placed in architecture.placed_stages()
        if placed.stage.group is Group.HEAD
        and not all(tensor.tied_to for tensor in placed.stage.tensors)
    )
