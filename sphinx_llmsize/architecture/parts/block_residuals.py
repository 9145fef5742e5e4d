"""Residuals by attention: each block's input is a weighted sum of earlier blocks' outputs."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.parts.weights import vector
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.config.symbols import D, T


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
