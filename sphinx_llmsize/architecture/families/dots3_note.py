"""dots3-note's text decoder: latent attention of two sizes, experts after a dense layer."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import FAR, Kinds, among, every, layered, listed, same
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, Note
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind
from sphinx_llmsize.config.parsed import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, only_these, whole
from sphinx_llmsize.config.symbols import D_ROPE, E_S, F_S, H, L
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import N_, _

INDEXED_ATTENTION = Key(
    "indexed_attention",
    N_("attention to all tokens has an indexer that chooses among them"),
    ("use_dsa",),
    Kind.FLAG,
    optional=True,
)
EXPERT_LAYER_FLAGS = Key(
    "expert_layers",
    N_("one layer in how many has experts, or for each layer 1 if it has and 0 if not"),
    ("moe_layer_freq",),
    Kind.COUNTS,
)
FULL, INDEXED, SLIDING = "full attention", "indexed attention", "sliding attention"


def dots3_note(config: Config) -> tuple[Item, ...]:
    """Latent attention, in most layers of other sizes and to a sliding window."""
    shared = parts.shared_expert(width=E_S * F_S) if config.has(E_S) else ()
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=shared)

    def block(attention: str, ffn: str) -> Block:
        heads = parts.latent_attention(
            query_latent=True,
            bias=config.flag(k.ATTENTION_BIAS),
            index=parts.lightning_indexer() if attention == INDEXED else (),
            key_norm=(parts.latent_norm("k_rope_norm", N_("Rotary key norm"), D_ROPE),),
            gate=(parts.output_gate(width=H, gated=parts.MLA_VALUE_WIDTH),),
        )
        heads = parts.with_sizes(heads, k.SLIDING_SIZES) if attention == SLIDING else heads
        return parts.pre_norm(
            parts.rms_norm, heads, parts.gated_mlp() if ffn == "dense" else experts
        )

    layers = layered(
        config.count(L), block, attention=attention_kinds(config), ffn=dots3_ffn_kinds(config)
    )
    return parts.decoder(config, layers, norm=parts.rms_norm)


def attention_kinds(config: Config) -> Kinds:
    """As listed; else a sliding window but for two layers at the start and every fourth."""
    told = config[INDEXED_ATTENTION]
    indexed = FULL if told is False else INDEXED
    listed_full = told is None and config[k.PER_LAYER_CONFIG] is not None
    if types := config.names(k.LAYER_TYPES):
        full = FULL if listed_full else indexed
        names = {"sliding_attention": SLIDING, "full_attention": full}
        return listed([names.get(kind, indexed) for kind in types])
    if not config.flag(k.USES_WINDOW):
        return same(indexed)
    return Kinds(((indexed, range(2)), (indexed, range(5, FAR, 4))), SLIDING)


def dots3_ffn_kinds(config: Config) -> Kinds:
    """As listed; else experts in every layer, or every so many, after the first ones."""
    start, steps = config.count(k.FIRST_DENSE_LAYERS), config.counts(EXPERT_LAYER_FLAGS)
    if isinstance(config[EXPERT_LAYER_FLAGS], tuple):
        sparse = [layer for layer, step in enumerate(steps) if step and layer >= start]
        otherwise = among(sparse, "MoE", others="dense")
    else:
        otherwise = every(steps[0], "MoE", others="dense", start=-(-start // steps[0]) * steps[0])
    return parts.ffn_kinds(config, otherwise)


def _check(settings: Settings, parsed: ParsedConfig) -> None:
    """Experts must be told for every layer."""
    flags, layers = settings[EXPERT_LAYER_FLAGS], whole(settings, k.NUM_LAYERS) or 0
    if flags == 0 or (isinstance(flags, tuple) and len(flags) < layers):
        raise ConfigError(
            _(
                "{key} must be at least 1, or a list of {layers}",
                key=parsed.name(EXPERT_LAYER_FLAGS),
                layers=layers,
            ),
            Problem.SHAPE,
            line=parsed.line(EXPERT_LAYER_FLAGS),
        )


def _usual_window(settings: Settings) -> Settings:
    return {k.SLIDING_WINDOW: 512}


DOTS3_NOTE_TEXT = Family(
    model_type="dots3_note_text",
    title="dots3-note",
    source="https://huggingface.co/docs/transformers/model_doc/dots3_note",
    architectures=("Dots3NoteForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 5120,
        k.NUM_LAYERS: 46,
        k.NUM_HEADS: 128,
        k.Q_LORA_RANK: 1024,
        k.KV_LORA_RANK: 512,
        k.NOPE_HEAD_DIM: 128,
        k.ROPE_HEAD_DIM: 64,
        k.V_HEAD_DIM: 128,
        k.INDEX_HEADS: 64,
        k.INDEX_HEAD_DIM: 128,
        k.SLIDING_HEAD_DIM: 256,
        **dict.fromkeys(k.SLIDING_KEYS),
        k.PER_LAYER_CONFIG: None,
        k.FFN_DIM: 13_824,
        k.NUM_EXPERTS: 256,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 1536,
        k.NUM_SHARED_EXPERTS: 1,
        k.SHARED_EXPERT_DIM: 1536,
        k.FIRST_DENSE_LAYERS: 1,
        EXPERT_LAYER_FLAGS: 1,
        k.FFN_LAYER_TYPES: None,
        k.LAYER_TYPES: None,
        INDEXED_ATTENTION: None,
        k.USES_WINDOW: True,
        k.SLIDING_WINDOW: None,
        k.VOCAB_SIZE: 152_064,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
    },
    rules=(
        k.QUERY_LATENT,
        k.FFN_TYPES,
        only_these(k.LAYER_TYPES, ("sliding_attention", "indexed_attention", "full_attention")),
        k.one_for_each_layer(k.LAYER_TYPES, k.FFN_LAYER_TYPES),
        k.SLIDING_LATENTS,
        Rule(_usual_window, _check),
    ),
    names={
        "sliding_window_size": k.SLIDING_WINDOW,
        "shared_experts_intermediate_size": k.SHARED_EXPERT_DIM,
        "moe_shared_expert_intermediate_size": k.SHARED_EXPERT_DIM,
    },
    compose=dots3_note,
    notes=(
        CORRECTION_BIAS_NOTE,
        Note(N_("Vision and audio encoders, where a model has them, are not counted here.")),
    ),
    windows=parts.with_windows(parts.where(SLIDING, attention_kinds)),
)

FAMILIES = (DOTS3_NOTE_TEXT,)
