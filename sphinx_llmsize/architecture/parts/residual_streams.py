"""Connections around blocks: several residual streams, low-rank branches, earlier outputs.

Hyper-connections: Zhu et al. 2024, https://arxiv.org/abs/2409.19606; manifold-constrained ones:
Xie et al. 2025, https://arxiv.org/abs/2512.24880. AltUp: Baykal et al. 2023,
https://arxiv.org/abs/2301.13310. Laurel: Menghani et al. 2024, https://arxiv.org/abs/2411.07501.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sphinx_llmsize.algebra import Number, Size, product, size
from sphinx_llmsize.architecture.parts.norms import attention_residual, ffn_residual, rms_norm
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Role, Tensor
from sphinx_llmsize.config.symbols import N_A, N_HC, R_HC, R_L, D, T
from sphinx_llmsize.translation import N_

HYPER_CONNECTIONS = "hyper_connections"
"""Component of the weights that mix residual streams."""
ALTUP_COMPONENT = "altup_laurel"
"""Component of AltUp's and Laurel's weights."""
Connection = Callable[[str, str], Block]
"""Makes the stage that mixes residual streams into a block's input, from an id and a label."""


def hyper_connection(id: str, label: str) -> Block:
    """Mixing of n_hc streams into a block's input, and of its output back into them.

    A projection of all streams together computes n_hc weights for reading them, n_hc for writing
    to them and n_hc × n_hc for mixing them. Each of the three sets of weights has a scale.
    """
    mixed = MatMul(N_("mixing × streams"), N_HC, N_HC, D, T)
    return _mixing(id, label, N_HC * (N_HC + Number(2)), scales=Number(3), computes=(mixed,))


def gated_connection(id: str, label: str) -> Block:
    """A hyper-connection without mixing: n_hc weights to read streams, n_hc to write (Hy4)."""
    return _mixing(id, label, 2 * N_HC, scales=Number(2))


def pre_norm_on_streams(
    connection: Connection,
    attention: Block,
    feed_forward: Block,
    *,
    ffn_label: str = N_("Streams to FFN"),
) -> Block:
    """A pre-norm layer with several residual streams in place of one, and RMS norms.

    Args:
        connection: :func:`hyper_connection` or :func:`gated_connection`.
        attention: attention, or another mixer.
        feed_forward: MLP or experts.
        ffn_label: label of the stage that mixes the streams before ``feed_forward``.
    """
    to_attention = connection("attention_streams", N_("Streams to attention"))
    to_ffn = connection("ffn_streams", ffn_label)
    return (
        attention_residual(rms_norm, attention, before=to_attention),
        ffn_residual(rms_norm, feed_forward, before=to_ffn),
    )


def stream_mean() -> Stage:
    """The mean of n_hc streams after the last layer."""
    streams = (T, N_HC, D)
    return Stage("stream_mean", N_("Streams to one"), Group.RESIDUAL, (T, D), intermediate=streams)


def stream_collapse() -> Block:
    """The weighted sum of n_hc streams after the last layer."""
    return _mixing("stream_collapse", N_("Streams to one"), N_HC, scales=Number(1))


def low_rank_connection(id: str, label: str, *, inject: bool = True) -> Block:
    """A gated mixing of n_hc streams into a block's input through R_hc dimensions (Qwen4-Exp).

    Args:
        id: id of the stage, and prefix of its tensors' names.
        label: label of the stage.
        inject: also compute n_hc weights for adding the block's output to the streams.
    """
    streams = product(N_HC, D)
    tensors = (
        vector(f"{id}.norm", streams, HYPER_CONNECTIONS, label=N_("norm")),
        *linear(f"{id}.down", streams, R_HC, HYPER_CONNECTIONS, label=N_("down")),
        *linear(f"{id}.up", R_HC, streams, HYPER_CONNECTIONS, label=N_("up")),
    )
    if inject:
        tensors += linear(f"{id}.inject", streams, N_HC, HYPER_CONNECTIONS, label=N_("inject"))
    return (Stage(id, label, Group.RESIDUAL, (T, D), tensors, intermediate=(T, N_HC, D)),)


def _mixing(
    id: str, label: str, weights: Size, *, scales: Size, computes: tuple[MatMul, ...] = ()
) -> Block:
    """One stage that projects all streams together, n_hc·D dimensions, to ``weights`` numbers."""
    tensors = (
        Tensor(f"{id}.weight", (product(N_HC, D), weights), HYPER_CONNECTIONS, N_("weights")),
        vector(f"{id}.bias", weights, HYPER_CONNECTIONS, Role.BIAS, N_("weights")),
        vector(f"{id}.scale", scales, HYPER_CONNECTIONS, label=N_("scales")),
    )
    streams = (T, N_HC, D)
    return (
        Stage(id, label, Group.RESIDUAL, (T, D), tensors, intermediate=streams, computes=computes),
    )


def altup_projections(id: str, label: str, streams: int, *, merge: bool = False) -> Block:
    """A matrix D × D for every stream but the first.

    Args:
        id: id of the stage, and prefix of its tensor's name.
        label: label of the stage.
        streams: number of streams.
        merge: merge the streams into one output; otherwise make them from the embedding.
    """
    if streams == 1:
        return ()
    weights = Tensor(f"{id}.weight", (size(streams - 1), D, D), "embedding_projection")
    output = (T, D) if merge else (N_A, T, D)
    return (Stage(id, label, Group.RESIDUAL, output, (weights,)),)


def altup_predict() -> Stage:
    """AltUp before a layer: predict the n_a streams from each other, with n_a² coefficients."""
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
    """AltUp after a layer: add the active stream's change to all streams, with router weights."""
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
        # the same router as in altup_predict, whose tensors include its weights
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
    """A block's input: the sum of earlier blocks' outputs, weighted by a query of D dimensions.

    Args:
        id: id of the stage, and prefix of its tensors' names.
        label: label of the stage.
        inputs: names of inputs with a query each, such as q, k and v; by default one, unnamed.
    """
    queries = tuple(
        vector(f"{id}.{name or 'query'}", D, "block_residuals", label=name) for name in inputs
    )
    return Stage(id, label, Group.RESIDUAL, (T, D), queries)
