"""CPM-Ant: prompt and segment embeddings, and position biases that all layers share."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.parts.attention import (
    QUERY_WIDTH,
    multi_head_attention,
)
from sphinx_llmsize.architecture.parts.blocks import changed, pre_norm
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import further_embedding, lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Group, Stage, stages_of
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import NUM_BUCKETS, P_PROMPT, PROMPT_LENGTH, B
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    T_SEEN,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    H,
    T,
)

N_P = Symbol("n_p", "prompt types")
N_S = Symbol("n_s", "segment types")
PROMPT_TYPES = size_key(N_P, "num_prompt_types", "prompt_types")
SEGMENT_TYPES = size_key(N_S, "num_segment_types", "segment_types")


def cpm_ant(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of multi-head attention and a gated MLP; the head has its own weights."""
    block = pre_norm(rms_norm, multi_head_attention(width=QUERY_WIDTH), gated_mlp())
    return (
        token_embedding(),
        further_embedding("prompt", "Prompt embedding", N_P * P_PROMPT),
        further_embedding("segment", "Segment embedding", N_S),
        position_bias(),
        *equal_layers(changed(block, sees_prompt)),
        rms_norm("final_norm", "Final norm"),
        lm_head(tied=False),
    )


def sees_prompt(stage: Stage) -> Stage:
    """Queries see the prompt's vectors, before the tokens, as well."""
    (longer,) = stages_of(with_sizes((stage,), {T_SEEN: T_SEEN + P_PROMPT}))
    return replace(stage, computes=longer.computes)


def position_bias() -> Stage:
    """Biases on the scores by distance and, between segments, by their types; one set for all."""
    weight = Tensor(
        "position_bias.weight", (N_S * N_S + B, H), "attn_position_bias", role=Role.BIAS
    )
    return Stage(
        "position_bias", "Relative positions", Group.ATTENTION, (T, D), (weight,), inner=(H, T, T)
    )


CPM_ANT = Family(
    model_type="cpmant",
    title="CPM-Ant",
    source="https://github.com/OpenBMB/CPM-Live",
    architectures=("CpmAntForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 48,
        NUM_HEADS: 32,
        HEAD_DIM: 128,
        FFN_DIM: 10_240,
        VOCAB_SIZE: 30_720,
        PROMPT_TYPES: 32,
        PROMPT_LENGTH: 32,
        SEGMENT_TYPES: 32,
        NUM_BUCKETS: 512,
        TIE_EMBEDDINGS: True,
    },
    compose=cpm_ant,
    notes=(
        Note(
            "tie_word_embeddings has no effect: the LM head of CPM-Ant has weights of its own.",
            TIE_EMBEDDINGS,
        ),
    ),
)

FAMILIES = (CPM_ANT,)
