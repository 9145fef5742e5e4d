"""Encoder-decoders, encoders, and models with cross-attention to an encoder outside of them."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Source, Stage
from sphinx_llmsize.config.symbols import T_SOURCE
from sphinx_llmsize.model import Model


def has_cross_attention(model: Model) -> bool:
    """True if a stage reads the output of an encoder, which may be outside the model."""
    return any(stage.source is Source.ENCODER for stage in model.architecture.stages())


def has_encoder(model: Model) -> bool:
    """True if the model has an encoder of text: stages that process the T_src source tokens.

    Cross-attention processes them too, to compute keys and values, but is not part of the encoder.
    """
    return any(
        processes_source(stage) and stage.source is not Source.ENCODER
        for stage in model.architecture.stages()
    )


def processes_source(stage: Stage) -> bool:
    """True for stages that process the source tokens of an encoder-decoder.

    These are the stages of the encoder, and the keys and values of cross-attention.
    """
    return T_SOURCE in stage.length.symbols()


def is_encoder_decoder(model: Model) -> bool:
    """True for a model with an encoder and cross-attention to it."""
    return has_encoder(model) and has_cross_attention(model)


def is_encoder(model: Model) -> bool:
    """True for a model that generates no text."""
    architecture = model.architecture
    may_generate = architecture.has_cache or architecture.has_unknown_lengths
    return not may_generate and not has_cross_attention(model)
