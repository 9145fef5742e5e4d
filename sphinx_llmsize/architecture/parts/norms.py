"""Normalisation layers."""

from __future__ import annotations

from sphinx_llmsize.architecture.pieces import Group, Role, Stage, Tensor
from sphinx_llmsize.config.vocabulary import D, T


def rms_norm(id: str, label: str) -> Stage:
    """A scale of D numbers (Zhang & Sennrich 2019, https://arxiv.org/abs/1910.07467)."""
    scale = Tensor(f"{id}.weight", (D,), "norms", role=Role.SCALE)
    return Stage(id, label, Group.NORMS, (T, D), (scale,))


def layer_norm(id: str, label: str) -> Stage:
    """A scale and a shift of D numbers each (Ba et al. 2016, https://arxiv.org/abs/1607.06450)."""
    scale = Tensor(f"{id}.weight", (D,), "norms", "scale", Role.SCALE)
    shift = Tensor(f"{id}.bias", (D,), "norms", "bias", Role.BIAS)
    return Stage(id, label, Group.NORMS, (T, D), (scale, shift))
