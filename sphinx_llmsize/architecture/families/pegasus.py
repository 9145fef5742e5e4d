"""PEGASUS, Blenderbot, M2M-100: mBART's layers without a norm on the embeddings."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.bart import BART, both_stacks, classes_of, pre_norm_stacks
from sphinx_llmsize.architecture.parts.embeddings import position_embedding
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.encoder_decoder import (
    DECODER_FFN_DIM,
    ENCODER_FFN_DIM,
    NUM_DECODER_HEADS,
    NUM_DECODER_LAYERS,
    NUM_ENCODER_HEADS,
    NUM_ENCODER_LAYERS,
)
from sphinx_llmsize.config.vocabulary import BIAS, HIDDEN_DIM, MAX_POSITIONS, VOCAB_SIZE


def pegasus(config: Config) -> tuple[Item, ...]:
    """As mBART without a norm on the embeddings; positions learned, or a stored table of sines."""
    return both_stacks(config, *pre_norm_stacks(config, (position_embedding(),)))


def bigbird_pegasus(config: Config) -> tuple[Item, ...]:
    """Pegasus with a sparse encoder, which has the same weights, and without attention biases."""
    stacks = pre_norm_stacks(config, (position_embedding(),), bias=config.flag(BIAS))
    return both_stacks(config, *stacks, tied_alone=False)


def m2m_100(config: Config) -> tuple[Item, ...]:
    """Pegasus without stored positions."""
    return both_stacks(config, *pre_norm_stacks(config, ()))


PEGASUS = replace(
    BART,
    model_type="pegasus",
    title="PEGASUS",
    source="https://arxiv.org/abs/1912.08777",
    architectures=classes_of("Pegasus"),
    compose=pegasus,
)

BLENDERBOT = replace(
    BART,
    model_type="blenderbot",
    title="Blenderbot",
    source="https://arxiv.org/abs/2004.13637",
    architectures=classes_of("Blenderbot"),
    defaults={
        **BART.defaults,
        HIDDEN_DIM: 2560,
        NUM_ENCODER_LAYERS: 2,
        NUM_DECODER_LAYERS: 24,
        NUM_ENCODER_HEADS: 32,
        NUM_DECODER_HEADS: 32,
        ENCODER_FFN_DIM: 10_240,
        DECODER_FFN_DIM: 10_240,
        VOCAB_SIZE: 8008,
        MAX_POSITIONS: 128,
    },
    compose=pegasus,
)

BIGBIRD_PEGASUS = replace(
    BART,
    model_type="bigbird_pegasus",
    title="BigBird-Pegasus",
    source="https://arxiv.org/abs/2007.14062",
    architectures=classes_of("BigBirdPegasus"),
    defaults={
        **BART.defaults,
        NUM_ENCODER_LAYERS: 16,
        NUM_DECODER_LAYERS: 16,
        VOCAB_SIZE: 96_103,
        MAX_POSITIONS: 4096,
        BIAS: False,
    },
    compose=bigbird_pegasus,
)

M2M_100 = replace(
    BART,
    model_type="m2m_100",
    title="M2M-100 and NLLB",
    source="https://arxiv.org/abs/2010.11125",
    architectures=("M2M100ForConditionalGeneration", "M2M100Model"),
    defaults={**BART.defaults, VOCAB_SIZE: 128_112},
    compose=m2m_100,
)

FAMILIES = (PEGASUS, BLENDERBOT, BIGBIRD_PEGASUS, M2M_100)
