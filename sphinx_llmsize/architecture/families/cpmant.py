"""CPM-Ant: prompt and segment embeddings, and position biases that all layers share."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.stages import Group, Source, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import P_PROMPT, T_SEEN, B, D, H, T
from sphinx_llmsize.translation import N_

N_PROMPTS = Symbol("n_p", N_("prompt types"))
N_SEGMENTS = Symbol("n_s", N_("segment types"))
PROMPT_TYPES = k.size_key(N_PROMPTS, "num_prompt_types prompt_types")
SEGMENT_TYPES = k.size_key(N_SEGMENTS, "num_segment_types segment_types")


def cpm_ant(config: Config) -> Items:
    """Pre-norm layers of multi-head attention and a gated MLP; the LM head is not tied."""
    attention = parts.multi_head_attention(width=parts.QUERY_WIDTH)
    # queries also attend to the prompt; the KV cache is counted without it
    attention = parts.with_sizes_in_products(attention, {T_SEEN: T_SEEN + P_PROMPT})
    block = parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp())
    prompt = parts.further_embedding("prompt", N_("Prompt embedding"), N_PROMPTS * P_PROMPT)
    return (
        *side_by_side((parts.token_embedding(),), (prompt,)),
        parts.further_embedding("segment", N_("Segment embedding"), N_SEGMENTS),
        position_bias(),
        *parts.equal_layers(block),
        parts.rms_norm("final_norm", N_("Final norm")),
        parts.lm_head(tied=False),
    )


def position_bias() -> Stage:
    """Biases on each head's scores: one per distance bucket, and one per pair of segment types.

    The hidden states, T × D, pass unchanged; the biases are an intermediate array, H × T × T.
    """
    shape = (N_SEGMENTS * N_SEGMENTS + B, H)
    bias = Tensor("position_bias.weight", shape, "attn_position_bias", role=Role.BIAS)
    return Stage(
        "position_bias",
        N_("Relative positions"),
        Group.ATTENTION,
        (T, D),
        (bias,),
        intermediate=(H, T, T),
        source=Source.POSITIONS,
    )


CPM_ANT = Family(
    model_type="cpmant",
    title="CPM-Ant",
    source="https://github.com/OpenBMB/CPM-Live",
    architectures=("CpmAntForCausalLM",),
    defaults={
        **sizes(D=4096, L=48, H=32, d_h=128, F=10_240, V=30_720),
        PROMPT_TYPES: 32,
        k.PROMPT_LENGTH: 32,
        SEGMENT_TYPES: 32,
        k.NUM_BUCKETS: 512,
        k.TIE_EMBEDDINGS: True,
    },
    compose=cpm_ant,
    notes=(
        CountNote(
            N_("tie_word_embeddings has no effect: the LM head of CPM-Ant is never tied."),
            k.TIE_EMBEDDINGS,
        ),
    ),
    has_special_mask=True,  # a prefix LM
    positions=parts.Positions.RELATIVE,
)
