"""Levels of detail of a pipeline diagram."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """Level of detail of a diagram, from the least to the most detailed."""

    BRIEF = "brief"
    """A box for each attention and feed-forward network, without norms and additions.

    Layers with the same blocks share boxes. They may differ inside of a block, such as layers with
    and without their own keys and values.

    With ``:detail: brief``, weights of residual connections are left out too; if only the length
    of the model requires this level, they have boxes.
    """
    ALIKE = "alike"
    """The same with norms and additions."""
    BLOCKS = "blocks"
    """The same, with a box for each kind of layers that differ inside of a block.

    It is for models that are too long or too wide for a box per step.

    Norms inside attention, such as those of latents, are in its box.
    """
    STEPS = "steps"
    """A box for each step."""
    FULL = "full"
    """A box for each step, with every tensor and the shapes of all activations."""

    @property
    def joins_alike(self) -> bool:
        """True if layers with the same blocks share boxes."""
        return self in {Level.BRIEF, Level.ALIKE}
