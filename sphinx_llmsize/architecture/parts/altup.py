"""What Gemma 3n adds to the residual stream: AltUp's streams and Laurel's low-rank branch.

Baykal et al. 2023, https://arxiv.org/abs/2301.13310; Menghani et al. 2024,
https://arxiv.org/abs/2411.07501.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import size
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.architecture.tensors import MatMul, Tensor
from sphinx_llmsize.config.symbols import N_A, R_L, D, T
from sphinx_llmsize.translation import N_

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
