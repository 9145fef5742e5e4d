"""Several residual streams, mixed before and after every block.

Hyper-connections (Zhu et al. 2024, https://arxiv.org/abs/2409.19606), and manifold-constrained
ones (Xie et al. 2025, https://arxiv.org/abs/2512.24880).
"""

from __future__ import annotations

from sphinx_llmsize.algebra import Number, Size, product
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config.symbols import N_HC, R_HC, D, T
from sphinx_llmsize.translation import N_

_COMPONENT = "hyper_connections"


def hyper_connection(id: str, label: str) -> Block:
    """What mixes n_hc streams into a block's input, and its output back into them.

    From all streams together come n_hc weights to read them, n_hc to write to them and
    n_hc × n_hc to mix them, each kind with a scale of its own.
    """
    mixed = MatMul(N_("mixing × streams"), N_HC, N_HC, D, T)
    return _mixing(id, label, N_HC * (N_HC + Number(2)), scales=Number(3), computes=(mixed,))


def gated_connection(id: str, label: str) -> Block:
    """The same without mixing: weights to read the streams and to write to them only."""
    return _mixing(id, label, 2 * N_HC, scales=Number(2))


def stream_collapse() -> Block:
    """What makes one of the n_hc streams after the last layer."""
    return _mixing("stream_collapse", N_("Streams to one"), N_HC, scales=Number(1))


def low_rank_connection(id: str, label: str, *, inject: bool = True) -> Block:
    """A gated mixing of n_hc streams into a block's input through R_hc numbers (Qwen4-Exp).

    Args:
        id: of the stage, and the start of its tensors' names.
        label: for people.
        inject: n_hc weights with which the streams take the block's output.
    """
    streams = product(N_HC, D)
    tensors = (
        vector(f"{id}.norm", streams, _COMPONENT, label=N_("norm")),
        *linear(f"{id}.down", streams, R_HC, _COMPONENT, label=N_("down")),
        *linear(f"{id}.up", R_HC, streams, _COMPONENT, label=N_("up")),
        *(linear(f"{id}.inject", streams, N_HC, _COMPONENT, label=N_("inject")) if inject else ()),
    )
    return (Stage(id, label, Group.RESIDUAL, (T, D), tensors, inner=(T, N_HC, D)),)


def _mixing(
    id: str, label: str, weights: Size, *, scales: Size, computes: tuple[MatMul, ...] = ()
) -> Block:
    tensors = (
        Tensor(f"{id}.weight", (product(N_HC, D), weights), _COMPONENT, N_("weights")),
        vector(f"{id}.bias", weights, _COMPONENT, Role.BIAS, N_("weights")),
        vector(f"{id}.scale", scales, _COMPONENT, label=N_("scales")),
    )
    inner = (T, N_HC, D)
    return (Stage(id, label, Group.RESIDUAL, (T, D), tensors, inner=inner, computes=computes),)
