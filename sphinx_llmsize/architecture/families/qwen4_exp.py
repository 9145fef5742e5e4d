"""Qwen4-Exp: delta nets and indexed attention between residual streams, n-gram embeddings."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import Kinds, every, layered
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.parts.attention import gated_attention
from sphinx_llmsize.architecture.parts.blocks import beside
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.hyper_connections import low_rank_connection
from sphinx_llmsize.architecture.parts.indexers import block_indexer
from sphinx_llmsize.architecture.parts.layer_kinds import mixer_kinds
from sphinx_llmsize.architecture.parts.linear_attention import gated_delta_net
from sphinx_llmsize.architecture.parts.ngram_embeddings import (
    ngram_embeddings,
    ngram_rows,
    table_rows,
)
from sphinx_llmsize.architecture.parts.norms import head_norms
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    NUM_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.indexer import INDEX_HEAD_DIM, INDEX_HEADS
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.layer_types import FULL_ATTENTION_INTERVAL, LAYER_TYPES
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    LINEAR_KEY_DIM,
    LINEAR_KEY_HEADS,
    LINEAR_VALUE_DIM,
    LINEAR_VALUE_HEADS,
)
from sphinx_llmsize.config.ngrams import (
    NGRAM_CONV_WIDTH,
    NGRAM_DIM,
    NGRAM_HEADS,
    NGRAM_LAYERS,
    NGRAM_SIZE,
    NGRAM_TABLES,
    NGRAM_VOCAB_MULTIPLE,
    NGRAM_VOCAB_SIZE,
    W_N,
)
from sphinx_llmsize.config.rules import (
    ATTENTION_HEADS,
    Rule,
    Settings,
    one_for_each_layer,
    only_these,
    same_as,
    whole,
)
from sphinx_llmsize.config.streams import RESIDUAL_STREAMS, STREAM_RANK
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    L,
    Length,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import N_, _

INDEXED, LINEAR, PLAIN = "indexed attention", "linear attention", "without n-grams"
NAMES = {
    "linear_attention": LINEAR,
    "indexed_attention": INDEXED,
    "full_attention": INDEXED,
}

INDEX_BLOCK = Key(
    "index_block",
    "tokens that share one key of the indexer",
    ("indexer_compress_ratio",),
    optional=True,
)


def qwen4_exp(config: Config) -> tuple[Item, ...]:
    """Streams that mixers and experts read from and write to."""
    experts = mixture_of_experts(gated_experts(), shared=shared_expert(gate=True))
    attention = gated_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    rate = config.count(INDEX_BLOCK) if config.has(INDEX_BLOCK) else 1
    blocks = Length("T_b", N_("blocks of {number} tokens", number=f"{rate:,}"), rate)
    indexed = beside(attention, block_indexer(fused=True, keys=blocks), before="scores")
    embeddings = ngrams(config)

    def block(mixer: str, ngram: str) -> Block:
        return (
            *embeddings.get(ngram, ()),
            *low_rank_connection("mixer_streams", "Streams to mixer"),
            *(indexed if mixer == INDEXED else gated_delta_net()),
            *low_rank_connection("ffn_streams", "Streams to experts"),
            *experts,
        )

    step = config.count(FULL_ATTENTION_INTERVAL)
    by_step = every(step, INDEXED, others=LINEAR, start=step - 1)
    kinds = mixer_kinds(config, NAMES, otherwise=by_step)
    ngram = Kinds(tuple((kind, frozenset((_number(kind) - 1,))) for kind in embeddings), PLAIN)
    return (
        token_embedding(),
        *layered(config.count(L), block, mixer=kinds, ngram=ngram),
        *low_rank_connection("stream_collapse", "Streams to one", inject=False),
        lm_head(tied=config.flag(TIE_EMBEDDINGS)),
    )


def ngrams(config: Config) -> dict[str, Block]:
    """The n-gram embeddings of each layer that has them; the tables of no two are alike."""
    tables = (config.count(NGRAM_SIZE) - 1) * config.count(NGRAM_HEADS)
    layers = sorted({*config.counts(NGRAM_LAYERS)})
    rows = table_rows(config.count(NGRAM_VOCAB_SIZE), tables, config.count(NGRAM_VOCAB_MULTIPLE))
    if not layers:
        return {}
    width = Quantity("d_t", "dimension of one n-gram table", config.count(NGRAM_DIM) // tables)
    before = Quantity(
        "W_b",
        "tokens before it that the convolution on n-grams reaches back",
        (config.count(W_N) - 1) * config.count(NGRAM_SIZE),
    )
    return {
        f"n-grams {layer}": ngram_embeddings(ngram_rows(layer, size), width, before)
        for layer, size in zip(layers, rows, strict=False)
    }


def _number(kind: str) -> int:
    return int(kind.rpartition(" ")[2])


def _check_indexer(settings: Settings, given: Given) -> None:
    """Attention needs to be told of its indexer."""
    missing = [key.name for key in (INDEX_HEADS, INDEX_HEAD_DIM) if settings[key] is None]
    types, layers = settings[LAYER_TYPES], whole(settings, NUM_LAYERS) or 0
    step = whole(settings, FULL_ATTENTION_INTERVAL) or 1
    linear_only = {*types} == {"linear_attention"} if isinstance(types, tuple) else layers < step
    if missing and not linear_only:
        raise ConfigError(
            _("missing {names}", names=" and ".join(missing)),
            Problem.MISSING,
            hint=_("the attention of this family chooses keys by an indexer"),
            line=given.first_line,
        )


QWEN4_EXP_TEXT = Family(
    model_type="qwen4_exp_text",
    title="Qwen4-Exp",
    source="https://huggingface.co/docs/transformers/model_doc/qwen4_exp",
    architectures=("Qwen4ExpForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 40,
        LAYER_TYPES: None,
        FULL_ATTENTION_INTERVAL: 4,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 2,
        HEAD_DIM: 256,
        INDEX_HEADS: None,
        INDEX_HEAD_DIM: None,
        INDEX_BLOCK: None,
        LINEAR_KEY_HEADS: 16,
        LINEAR_VALUE_HEADS: 32,
        LINEAR_KEY_DIM: 128,
        LINEAR_VALUE_DIM: 128,
        CONV_WIDTH: 4,
        NUM_EXPERTS: 512,
        EXPERTS_PER_TOKEN: 10,
        EXPERT_DIM: 512,
        SHARED_EXPERT_DIM: 512,
        RESIDUAL_STREAMS: 4,
        STREAM_RANK: 320,
        NGRAM_LAYERS: None,
        NGRAM_DIM: None,
        NGRAM_CONV_WIDTH: 4,
        NGRAM_SIZE: 3,
        NGRAM_HEADS: 8,
        NGRAM_VOCAB_SIZE: 20_000_000,
        NGRAM_VOCAB_MULTIPLE: 128,
        VOCAB_SIZE: 248_320,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
    },
    names={"indexer_n_heads": INDEX_HEADS, "indexer_head_dim": INDEX_HEAD_DIM},
    rules=(
        ATTENTION_HEADS,
        one_for_each_layer(LAYER_TYPES),
        only_these(LAYER_TYPES, NAMES),
        Rule(check=_check_indexer),
        same_as(HIDDEN_DIM, NGRAM_DIM),
        NGRAM_TABLES,
    ),
    compose=qwen4_exp,
    notes=(Note("A vision encoder, where a model has one, is not counted here."),),
)

FAMILIES = (QWEN4_EXP_TEXT,)
