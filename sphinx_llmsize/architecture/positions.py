"""Kinds of positions in attention, of which some have no weights."""

from __future__ import annotations

from enum import Enum

from sphinx_llmsize.architecture.layers import PerLayer
from sphinx_llmsize.translation import N_


class Positions(Enum):
    """A kind of positions.

    Attributes:
        label: its name, translated where it is shown.
    """

    ROTARY = "rotary", N_("rotary positions")
    """Queries and keys are rotated (RoPE, Su et al. 2021, https://arxiv.org/abs/2104.09864)."""
    ALIBI = "alibi", N_("ALiBi")
    """The distance lowers the scores, with a slope for each head (Press et al. 2021,
    https://arxiv.org/abs/2108.12409)."""
    ABSOLUTE = "absolute", N_("absolute positions")
    """A vector for each position, learned or of sine waves, is added to the embeddings."""
    RELATIVE = "relative", N_("relative positions")
    """Scores depend on learned parameters for distances."""
    NONE = "none", N_("no position encoding")
    """Only the causal mask, or mixers in other layers, show the order of tokens."""

    def __init__(self, _id: str, label: str) -> None:
        self.label = label


LayerPositions = PerLayer[Positions] | Positions | None
"""Kind of positions in each layer; one kind for all; None if unknown, or if tensors show it."""
