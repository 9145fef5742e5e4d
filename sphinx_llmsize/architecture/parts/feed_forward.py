"""Feed-forward networks: up to F dimensions and back."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.pieces import Group, Stage
from sphinx_llmsize.config.vocabulary import D, F, T


def gated_mlp(*, bias: bool, width: Size = F) -> tuple[Stage, ...]:
    """Three matrices: gate and up side by side, then down (Shazeer 2020, arXiv:2002.05202)."""
    gate = linear("gate_proj", D, width, "mlp_gate", bias=bias, label="gate")
    up = linear("up_proj", D, width, "mlp_up", bias=bias, label="up")
    down = linear("down_proj", width, D, "mlp_down", bias=bias)
    return (
        Stage("ffn_up", "FFN gate and up", Group.FEED_FORWARD, (T, width), (*gate, *up)),
        Stage("ffn_down", "FFN down", Group.FEED_FORWARD, (T, D), down),
    )


def mlp(*, bias: bool, width: Size = F) -> tuple[Stage, ...]:
    """Two matrices: up and down (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762)."""
    up = linear("up_proj", D, width, "mlp_up", bias=bias)
    down = linear("down_proj", width, D, "mlp_down", bias=bias)
    return (
        Stage("ffn_up", "FFN up", Group.FEED_FORWARD, (T, width), up),
        Stage("ffn_down", "FFN down", Group.FEED_FORWARD, (T, D), down),
    )
