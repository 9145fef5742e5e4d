"""CPM-Ant: prompt and segment embeddings, and position biases that all layers share."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.family import Family, Note
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.encoder import further_embedding
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.pieces import Group, Item, Role, Stage, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.vocabulary import (
    D_H,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    H,
    T,
)

N_P = Symbol("n_p", "prompt types")
L_P = Symbol("l_p", "length of a prompt")
N_S = Symbol("n_s", "segment types")
B = Symbol("B", "buckets of distances")
PROMPT_TYPES = size_key(N_P, "num_prompt_types", "prompt_types")
PROMPT_LENGTH = size_key(L_P, "prompt_length")
SEGMENT_TYPES = size_key(N_S, "num_segment_types", "segment_types")
BUCKETS = size_key(B, "num_distance_buckets", "position_bias_num_buckets")


def cpm_ant(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of multi-head attention and a gated MLP; the head has its own weights."""
    block = pre_norm(rms_norm, grouped_query_attention(kv_width=H * D_H), gated_mlp())
    return (
        token_embedding(),
        further_embedding("prompt", "Prompt embedding", N_P * L_P),
        further_embedding("segment", "Segment embedding", N_S),
        position_bias(),
        *equal_layers(block),
        rms_norm("final_norm", "Final norm"),
        lm_head(tied=False),
    )


def position_bias() -> Stage:
    """Biases on the scores by distance and, between segments, by their types; one set for all."""
    weight = Tensor(
        "position_bias.weight", (N_S * N_S + B, H), "attn_position_bias", role=Role.BIAS
    )
    return Stage("position_bias", "Position bias", Group.ATTENTION, (H, T, T), (weight,))


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
        BUCKETS: 512,
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
