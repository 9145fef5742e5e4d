"""Feed-forward networks: up to F dimensions and back."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.weights import linear
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config.symbols import D, F, T
from sphinx_llmsize.translation import N_


def gated_mlp(*, bias: bool = False, width: Size = F) -> Block:
    """Three matrices: gate and up side by side, then down (Shazeer 2020, arXiv:2002.05202)."""
    gate = linear("gate_proj", D, width, "mlp_gate", bias=bias, label=N_("gate"))
    up = linear("up_proj", D, width, "mlp_up", bias=bias, label=N_("up"))
    return _feed_forward(N_("FFN gate and up"), (*gate, *up), width, bias=bias)


def fused_gated_mlp(*, bias: bool = False, width: Size = F) -> Block:
    """A gated MLP whose gate and up are one matrix (Phi-3, GLM)."""
    both = linear("gate_up_proj", D, 2 * width, "mlp_gate_up", bias=bias)
    return _feed_forward(N_("FFN gate and up"), both, width, bias=bias)


def mlp(*, bias: bool = False, width: Size = F) -> Block:
    """Two matrices: up and down (Vaswani et al. 2017, https://arxiv.org/abs/1706.03762)."""
    up = linear("up_proj", D, width, "mlp_up", bias=bias)
    return _feed_forward(N_("FFN up"), up, width, bias=bias)


def _feed_forward(label: str, up: tuple[Tensor, ...], width: Size, *, bias: bool) -> Block:
    down = linear("down_proj", width, D, "mlp_down", bias=bias)
    return (
        Stage("ffn_up", label, Group.FEED_FORWARD, (T, width), up),
        Stage("ffn_down", N_("FFN down"), Group.FEED_FORWARD, (T, D), down),
    )
