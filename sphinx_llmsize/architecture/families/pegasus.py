"""PEGASUS, Blenderbot, BigBird-Pegasus and M2M-100: mBART without a norm on the embeddings."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import sizes
from sphinx_llmsize.architecture.families.bart import BART, both_stacks, classes_of, pre_norm_stacks
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def pegasus(config: Config) -> tuple[Item, ...]:
    """MBART without a norm on the embeddings; P positions, learned or a stored table of sines."""
    return both_stacks(config, *pre_norm_stacks(config, (parts.position_embedding(),)))


def bigbird_pegasus(config: Config) -> tuple[Item, ...]:
    """Pegasus without attention biases; its sparse encoder has the same weights."""
    stacks = pre_norm_stacks(config, (parts.position_embedding(),), bias=config.flag(k.BIAS))
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
        **sizes(D=2560, V=8008, P=128),
        **sizes(L_enc=2, L_dec=24, H_enc=32, H_dec=32, F_enc=10_240, F_dec=10_240),
    },
    compose=pegasus,
)

BIGBIRD_PEGASUS = replace(
    BART,
    model_type="bigbird_pegasus",
    title="BigBird-Pegasus",
    source="https://arxiv.org/abs/2007.14062",
    architectures=classes_of("BigBirdPegasus"),
    defaults={**BART.defaults, **sizes(V=96_103, P=4096, L_enc=16, L_dec=16), k.BIAS: False},
    compose=bigbird_pegasus,
)

M2M_100 = replace(
    BART,
    model_type="m2m_100",
    title="M2M-100 and NLLB",
    source="https://arxiv.org/abs/2010.11125",
    architectures=("M2M100ForConditionalGeneration", "M2M100Model"),
    defaults={**BART.defaults, k.VOCAB_SIZE: 128_112},
    compose=m2m_100,
)

FAMILIES = (PEGASUS, BLENDERBOT, BIGBIRD_PEGASUS, M2M_100)
