"""Tests for an encoder in a model, and for cross-attention to an encoder."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Source
from sphinx_llmsize.config.symbols import T_SOURCE
from sphinx_llmsize.model import Model


def has_cross_attention(model: Model) -> bool:
    """True if a stage reads the output of an encoder, which may be outside the model."""
    placed_stages = model.architecture.placed_stages()
    return any(placed.stage.source is Source.ENCODER for placed in placed_stages)


def has_encoder(model: Model) -> bool:
    """True if the model has an encoder of text: stages that process the T_src source tokens.

    Cross-attention processes them too, to compute keys and values, but is not part of the encoder.
    """
    return any(
        T_SOURCE in placed.stage.length.symbols() and placed.stage.source is not Source.ENCODER
        for placed in model.architecture.placed_stages()
    )
