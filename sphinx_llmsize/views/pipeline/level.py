"""Levels of detail of a pipeline diagram."""

from __future__ import annotations

from enum import Enum


class Level(Enum):
    """Level of detail of a diagram, from the least to the most detailed."""

    BRIEF = "brief"
    """A box for each attention and feed-forward network, without norms and additions.

    With ``:detail: brief``, weights of residual connections are left out too; if only the length
    of the model requires this level, they have boxes.
    """
    ALIKE = "alike"
    """A box for each block, with norms and additions; layers that differ only in sizes share boxes.

    They are layers with and without their own keys and values, or those of Funnel's blocks.
    """
    BLOCKS = "blocks"
    """The same, with a box for each size, for models too long or wide for a box per step.

    Norms inside attention, such as those of latents, are in its box.
    """
    STEPS = "steps"
    """A box for each step."""
    FULL = "full"
    """A box for each step, with every tensor and the shapes of all activations."""
