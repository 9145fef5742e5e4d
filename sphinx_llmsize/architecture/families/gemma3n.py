"""Gemma 3n: AltUp and Laurel around the layers, per-layer embeddings, keys used again."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Size
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, first, layered, listed, same
from sphinx_llmsize.architecture.parts.altup import (
    COMPONENT,
    altup_correct,
    altup_predict,
    altup_projections,
    laurel,
)
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.per_layer_embeddings import (
    per_layer_embeddings,
    per_layer_input,
)
from sphinx_llmsize.architecture.parts.reused_projections import queries_only
from sphinx_llmsize.architecture.parts.windows import by_layer_types, full_every
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block, Parallel
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import PER_LAYER_DIM, PER_LAYER_VOCAB_SIZE
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import Kind, size_key
from sphinx_llmsize.config.layer_types import LAYER_TYPES, SHARED_KV_LAYERS
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings, one_for_each_layer, whole
from sphinx_llmsize.config.streams import ALTUP_STREAMS, LAUREL_RANK
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    F,
    L,
)
from sphinx_llmsize.config.windows import LISTED_WINDOWS, SLIDING_WINDOW
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

FFN_DIMS = size_key(F, "ffn_dims", "ffn_dim", "intermediate_size", kind=Kind.COUNTS)


def gemma3n(config: Config) -> tuple[Item, ...]:
    """AltUp around layers of attention with Laurel beside it, an MLP and the layer's input."""
    widths = ffn_widths(config)

    def block(keys: str, width: int) -> Block:
        attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
        mixer = queries_only(attention) if keys == "shared KV" else attention
        after_attention = rms_norm("post_attention_norm", "Norm after attention")
        return (
            altup_predict(),
            rms_norm("attention_norm", "Attention norm"),
            Parallel(((*mixer, after_attention), laurel())),
            rms_norm("ffn_norm", "FFN norm"),
            *gated_mlp(width=widths[width]),
            rms_norm("post_ffn_norm", "Norm after FFN"),
            altup_correct(),
            *per_layer_input(COMPONENT),
        )

    streams = config.count(ALTUP_STREAMS)
    return (
        token_embedding(),
        *per_layer_embeddings(),
        *altup_projections("altup_embedding", "AltUp: streams", streams),
        *layered(config.count(L), block, keys=own_keys(config), width=ffn_kinds(config)),
        *altup_projections("altup_merge", "AltUp: merge", streams, merge=True),
        rms_norm("final_norm", "Final norm"),
        lm_head(tied=config.flag(TIE_EMBEDDINGS)),
    )


def own_keys(config: Config) -> Kinds:
    """The last layers use the keys and values of an earlier one."""
    own = config.count(L) - config.count(SHARED_KV_LAYERS)
    return first(own, "own KV", then="shared KV")


def ffn_kinds(config: Config) -> Kinds:
    """Each layer's feed-forward width; 0 where all have that of one number."""
    width = config[FFN_DIMS]
    return listed(config.counts(FFN_DIMS)) if isinstance(width, tuple) else same(0)


def ffn_widths(config: Config) -> dict[int, Size]:
    """The symbol of each width: F, or F_1, F_2 … where layers differ."""
    different = tuple(dict.fromkeys(config.counts(FFN_DIMS)))
    names = ["F"] if len(different) == 1 else [f"F_{n + 1}" for n in range(len(different))]
    return {
        0: F,
        **{
            width: Quantity(name, F.meaning, width)
            for name, width in zip(names, different, strict=True)
        },
    }


def check_shared_keys(settings: Settings, given: Given) -> None:
    """Layers that share keys need one before them that has some.

    Raises:
        ConfigError: there is none.
    """
    shared, layers = whole(settings, SHARED_KV_LAYERS), whole(settings, NUM_LAYERS)
    if shared and layers and shared >= layers:
        raise ConfigError(
            _(
                "{key} is {shared} of {layers} layers",
                key=given.name(SHARED_KV_LAYERS),
                shared=f"{shared:,}",
                layers=f"{layers:,}",
            ),
            Problem.SHAPE,
            hint=_("at least one layer must have keys and values of its own"),
            line=given.line(SHARED_KV_LAYERS, NUM_LAYERS),
        )


SHARED_KEYS = Rule(check=check_shared_keys)

GEMMA3N = Family(
    model_type="gemma3n_text",
    title="Gemma 3n",
    source="https://huggingface.co/docs/transformers/model_doc/gemma3n",
    architectures=("Gemma3nForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 35,
        NUM_HEADS: 8,
        NUM_KV_HEADS: 2,
        HEAD_DIM: 256,
        FFN_DIMS: 16_384,
        SHARED_KV_LAYERS: 15,
        ALTUP_STREAMS: 4,
        LAUREL_RANK: 64,
        PER_LAYER_DIM: 256,
        PER_LAYER_VOCAB_SIZE: 262_144,
        SLIDING_WINDOW: 512,
        LAYER_TYPES: None,
        VOCAB_SIZE: 262_400,
        TIE_EMBEDDINGS: True,
        ATTENTION_BIAS: False,
    },
    compose=gemma3n,
    rules=(ATTENTION_HEADS, one_for_each_layer(FFN_DIMS), SHARED_KEYS, LISTED_WINDOWS),
    spans=by_layer_types(full_every(5)),
)

FAMILIES = (GEMMA3N,)
