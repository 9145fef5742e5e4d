"""dots3-note's text decoder: latent attention of two sizes, experts after a dense layer."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import FAR, Kinds, among, every, layered, listed, same
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, Note
from sphinx_llmsize.architecture.parts.attention import output_gate
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.indexers import lightning_indexer
from sphinx_llmsize.architecture.parts.latent_attention import (
    VALUE_WIDTH,
    latent_attention,
    latent_norm,
)
from sphinx_llmsize.architecture.parts.layer_kinds import ffn_kinds
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.parts.other_sizes import with_sizes
from sphinx_llmsize.architecture.parts.windows import where, with_windows
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    E_S,
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    F_S,
    FIRST_DENSE_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.indexer import INDEX_HEAD_DIM, INDEX_HEADS
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.latent_attention import (
    D_ROPE,
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    QUERY_LATENT,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_types import (
    FFN_LAYER_TYPES,
    FFN_TYPES,
    LAYER_TYPES,
    PER_LAYER_CONFIG,
)
from sphinx_llmsize.config.rules import Rule, Settings, one_for_each_layer, only_these, whole
from sphinx_llmsize.config.sliding_latent import (
    EVERYWHERE,
    SLIDING_HEAD_DIM,
    SLIDING_LATENTS,
    SLIDING_SIZES,
)
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    H,
    L,
)
from sphinx_llmsize.config.windows import SLIDING_WINDOW, USES_WINDOW
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

INDEXED_ATTENTION = Key(
    "indexed_attention",
    "attention to all tokens has an indexer that chooses among them",
    ("use_dsa",),
    Kind.FLAG,
    optional=True,
)
EXPERT_LAYER_FLAGS = Key(
    "expert_layers",
    "one layer in how many has experts, or for each layer 1 if it has and 0 if not",
    ("moe_layer_freq",),
    Kind.COUNTS,
)
FULL, INDEXED, SLIDING = "full attention", "indexed attention", "sliding attention"


def dots3_note(config: Config) -> tuple[Item, ...]:
    """Latent attention, in most layers of other sizes and to a sliding window."""
    shared = shared_expert(width=E_S * F_S) if config.has(E_S) else ()
    experts = mixture_of_experts(gated_experts(), shared=shared)

    def block(attention: str, ffn: str) -> Block:
        heads = latent_attention(
            query_latent=True,
            bias=config.flag(ATTENTION_BIAS),
            index=lightning_indexer() if attention == INDEXED else (),
            key_norm=(latent_norm("k_rope_norm", "Rotary key norm", D_ROPE),),
            gate=(output_gate(width=H, gated=VALUE_WIDTH),),
        )
        heads = with_sizes(heads, SLIDING_SIZES) if attention == SLIDING else heads
        return pre_norm(rms_norm, heads, gated_mlp() if ffn == "dense" else experts)

    layers = layered(
        config.count(L), block, attention=attention_kinds(config), ffn=dots3_ffn_kinds(config)
    )
    return decoder(config, layers, norm=rms_norm)


def attention_kinds(config: Config) -> Kinds:
    """As listed; else a sliding window but for two layers at the start and every fourth."""
    told = config[INDEXED_ATTENTION]
    indexed = FULL if told is False else INDEXED
    listed_full = told is None and config[PER_LAYER_CONFIG] is not None
    if types := config.names(LAYER_TYPES):
        full = FULL if listed_full else indexed
        names = {"sliding_attention": SLIDING, "full_attention": full}
        return listed([names.get(kind, indexed) for kind in types])
    if not config.flag(USES_WINDOW):
        return same(indexed)
    return Kinds(((indexed, range(2)), (indexed, range(5, FAR, 4))), SLIDING)


def dots3_ffn_kinds(config: Config) -> Kinds:
    """As listed; else experts in every layer, or every so many, after the first ones."""
    start, steps = config.count(FIRST_DENSE_LAYERS), config.counts(EXPERT_LAYER_FLAGS)
    if isinstance(config[EXPERT_LAYER_FLAGS], tuple):
        sparse = [layer for layer, step in enumerate(steps) if step and layer >= start]
        otherwise = among(sparse, "MoE", others="dense")
    else:
        otherwise = every(steps[0], "MoE", others="dense", start=-(-start // steps[0]) * steps[0])
    return ffn_kinds(config, otherwise)


def _check(settings: Settings, given: Given) -> None:
    """Experts must be told for every layer."""
    flags, layers = settings[EXPERT_LAYER_FLAGS], whole(settings, NUM_LAYERS) or 0
    if flags == 0 or (isinstance(flags, tuple) and len(flags) < layers):
        raise ConfigError(
            _(
                "{key} must be at least 1, or a list of {layers}",
                key=given.name(EXPERT_LAYER_FLAGS),
                layers=f"{layers:,}",
            ),
            Problem.SHAPE,
            line=given.line(EXPERT_LAYER_FLAGS),
        )


def _usual_window(settings: Settings) -> Settings:
    return {SLIDING_WINDOW: 512}


DOTS3_NOTE_TEXT = Family(
    model_type="dots3_note_text",
    title="dots3-note",
    source="https://huggingface.co/docs/transformers/model_doc/dots3_note",
    architectures=("Dots3NoteForCausalLM",),
    defaults={
        HIDDEN_DIM: 5120,
        NUM_LAYERS: 46,
        NUM_HEADS: 128,
        Q_LORA_RANK: 1024,
        KV_LORA_RANK: 512,
        NOPE_HEAD_DIM: 128,
        ROPE_HEAD_DIM: 64,
        V_HEAD_DIM: 128,
        INDEX_HEADS: 64,
        INDEX_HEAD_DIM: 128,
        SLIDING_HEAD_DIM: 256,
        **dict.fromkeys(EVERYWHERE),
        PER_LAYER_CONFIG: None,
        FFN_DIM: 13_824,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 1536,
        NUM_SHARED_EXPERTS: 1,
        SHARED_EXPERT_DIM: 1536,
        FIRST_DENSE_LAYERS: 1,
        EXPERT_LAYER_FLAGS: 1,
        FFN_LAYER_TYPES: None,
        LAYER_TYPES: None,
        INDEXED_ATTENTION: None,
        USES_WINDOW: True,
        SLIDING_WINDOW: None,
        VOCAB_SIZE: 152_064,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    rules=(
        QUERY_LATENT,
        FFN_TYPES,
        only_these(LAYER_TYPES, ("sliding_attention", "indexed_attention", "full_attention")),
        one_for_each_layer(LAYER_TYPES, FFN_LAYER_TYPES),
        SLIDING_LATENTS,
        Rule(_usual_window, _check),
    ),
    names={
        "sliding_window_size": SLIDING_WINDOW,
        "shared_experts_intermediate_size": SHARED_EXPERT_DIM,
        "moe_shared_expert_intermediate_size": SHARED_EXPERT_DIM,
    },
    compose=dots3_note,
    notes=(
        CORRECTION_BIAS_NOTE,
        Note("Vision and audio encoders, where a model has them, are not counted here."),
    ),
    spans=with_windows(where(SLIDING, attention_kinds)),
)

FAMILIES = (DOTS3_NOTE_TEXT,)
