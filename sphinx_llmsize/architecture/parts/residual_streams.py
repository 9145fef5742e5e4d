"""Connections around blocks: several residual streams, low-rank branches, earlier outputs."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.algebra import Number, Size, product, size
from sphinx_llmsize.architecture.matmul import MatMul
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import N_A, N_HC, R_HC, R_L, D, T
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


ALTUP_COMPONENT = "altup_laurel"


def altup_projections(id: str, label: str, streams: int, *, merge: bool = False) -> Block:
    """A matrix D × D for every stream but the first: from the embedding, or back into one."""
    if streams == 1:
        return ()
    weights = Tensor(f"{id}.weight", (size(streams - 1), D, D), "embedding_projection")
    output = (T, D) if merge else (N_A, T, D)
    return (Stage(id, label, Group.RESIDUAL, output, (weights,)),)


def altup_predict() -> Stage:
    """Before a layer: each stream from all of them, with n_a² numbers made for each token."""
    tensors = (
        vector("altup_norm.weight", D, ALTUP_COMPONENT, label=N_("norm")),
        *linear("altup_router", D, N_A, ALTUP_COMPONENT, label=N_("router")),
        *linear("altup_predict", N_A, N_A * N_A, ALTUP_COMPONENT, label=N_("predict")),
    )
    return Stage(
        "altup_predict",
        N_("AltUp: predict"),
        Group.RESIDUAL,
        (N_A, T, D),
        tensors,
        computes=(MatMul(N_("streams × coefficients"), D, N_A, N_A, T),),
    )


def altup_correct() -> Stage:
    """After it: what the layer changed of the active stream, for all streams; routed again."""
    tensors = (
        *linear("altup_correct", N_A, N_A, ALTUP_COMPONENT, label=N_("correct")),
        vector("altup_scale", D, ALTUP_COMPONENT, label=N_("scale")),
    )
    return Stage(
        "altup_correct",
        N_("AltUp: correct"),
        Group.RESIDUAL,
        (N_A, T, D),
        tensors,
        computes=(MatMul(N_("router"), T, D, N_A),),
    )


def laurel() -> Block:
    """A learned residual connection D → R_l → D, with a norm."""
    left = linear("laurel_left", D, R_L, ALTUP_COMPONENT, label=N_("down"))
    right = (
        *linear("laurel_right", R_L, D, ALTUP_COMPONENT, label=N_("up")),
        vector("laurel_norm.weight", D, ALTUP_COMPONENT, label=N_("norm")),
    )
    return (
        Stage("laurel_left", N_("Laurel: down"), Group.RESIDUAL, (T, R_L), left),
        Stage("laurel_right", N_("Laurel: up and norm"), Group.RESIDUAL, (T, D), right),
    )


def block_residual(id: str, label: str, inputs: Sequence[str] = ("",)) -> Stage:
    """A query of D numbers, which weighs the outputs of the blocks before.

    Args:
        id: of the stage.
        label: of the stage.
        inputs: names of the inputs that have a query each, if there is more than one.
    """
    queries = tuple(
        vector(f"{id}.{name or 'query'}", D, "block_residuals", label=name) for name in inputs
    )
    return Stage(id, label, Group.RESIDUAL, (T, D), queries)
