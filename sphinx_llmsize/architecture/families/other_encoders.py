"""Encoders that leave something of BERT out, or that add modules to it."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    BERT_TASKS,
    bert_attention,
    bert_heads,
    encoder_layer,
    post_norm_encoder,
    summed_embeddings,
)
from sphinx_llmsize.architecture.families.roberta import ROBERTA, ROBERTA_TASKS
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.blocks import post_norm, post_norm_decoder
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    lm_head,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder import (
    after_layers,
    further_embedding,
    masked_token_head,
    second_bias,
)
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.pieces import Block, Group, Item, Role, Stage, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Key, Kind, flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    ARCHITECTURES,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    T,
)

V_SHAPE = Symbol("V_shape", "shapes of characters")
V_SOUND = Symbol("V_sound", "pronunciations")
D_SHAPE = Symbol("D_shape", "embedding dimension of shapes")
D_SOUND = Symbol("D_sound", "embedding dimension of pronunciations")

NUM_SHAPES = size_key(V_SHAPE, "num_shapes", "shape_vocab_size")
NUM_PRONUNCIATIONS = size_key(V_SOUND, "num_pronunciations", "pronunciation_vocab_size")
SHAPE_DIM = size_key(D_SHAPE, "shape_dim", "shape_embed_dim")
PRONUNCIATION_DIM = size_key(D_SOUND, "pronunciation_dim", "pronunciation_embed_dim")
USES_SHAPE = flag("uses_shapes", "embeddings of shapes are used", "enable_shape")
USES_PRONUNCIATION = flag(
    "uses_pronunciations", "embeddings of pronunciations are used", "enable_pronunciation"
)
CONCATENATES = flag("concatenates_embeddings", "embeddings stand side by side", "concat_input")

LANGUAGES = Key("languages", "languages that have an adapter", kind=Kind.NAMES)
ADAPTER_REDUCTION = Key(
    "adapter_reduction",
    "how many times narrower than the hidden dimension an adapter is",
    ("adapter_reduction_factor",),
    Kind.RATIO,
)
ADAPTER_NORM = flag("has_adapter_norm", "a norm before the adapters", "adapter_layer_norm")
PRE_NORM = flag("pre_norm", "norms before attention and feed-forward")


def distilbert(config: Config) -> tuple[Item, ...]:
    """BERT without token types and without a pooler."""
    tokens = masked_token_head(tied=config.flag(TIE_EMBEDDINGS))
    return (
        token_embedding(),
        position_embedding(),
        embedding_norm(),
        *equal_layers(encoder_layer()),
        *after_layers(config, token_head=tokens, pooled=()),
    )


def bert_generation(config: Config) -> tuple[Item, ...]:
    """BERT without token types and without a pooler; a plain LM head."""
    tied = config.flag(TIE_EMBEDDINGS)
    tokens = (lm_head(tied=tied, bias=True), *(() if tied else (second_bias(),)))
    return post_norm_encoder(
        config,
        embeddings=(token_embedding(), position_embedding()),
        heads=after_layers(config, token_head=tokens, pooled=()),
    )


def roc_bert(config: Config) -> tuple[Item, ...]:
    """BERT that also embeds how a Chinese character looks and sounds."""
    merge = (_merge(config),) if config.flag(CONCATENATES) else ()
    embeddings = (
        *summed_embeddings(),
        further_embedding("shape", "Shape embedding", V_SHAPE, D_SHAPE),
        further_embedding("pronunciation", "Pronunciation embedding", V_SOUND, D_SOUND),
        *merge,
    )
    return post_norm_encoder(
        config, embeddings=embeddings, heads=bert_heads(config, relation=False)
    )


def _merge(config: Config) -> Stage:
    """The matrix from all embeddings of a character to D."""
    width: Size = D
    width = width + D_SHAPE if config.flag(USES_SHAPE) else width
    width = width + D_SOUND if config.flag(USES_PRONUNCIATION) else width
    tensors = linear("embedding_projection", width, D, "embedding_projection", bias=True)
    return Stage("embedding_projection", "Embedding projection", Group.EMBEDDING, (T, D), tensors)


def xmod(config: Config) -> tuple[Item, ...]:
    """RoBERTa with a small MLP for each language in every layer."""
    attention, cross = bert_attention(config)
    feed_forward = (*mlp(bias=True), *adapters(config))
    block = (
        post_norm_decoder(layer_norm, attention, cross, feed_forward)
        if cross
        else post_norm(layer_norm, attention, feed_forward)
    )
    last = (layer_norm("final_norm", "Final norm"),) if config.flag(PRE_NORM) else ()
    return (
        *summed_embeddings(),
        embedding_norm(),
        *equal_layers(block),
        *last,
        *bert_heads(config),
    )


def adapters(config: Config) -> Block:
    """For each language a matrix to fewer dimensions and one back (X-MOD, section 3.1)."""
    languages = len(set(config.names(LANGUAGES)))
    reduction = config[ADAPTER_REDUCTION]
    assert isinstance(reduction, (int, float))
    width = Quantity("D_a", "adapter dimension", int(config.count(D) // reduction))
    each = Quantity("A", "languages that have an adapter", languages)
    norm = (layer_norm("adapter_norm", "Adapter norm"),) if config.flag(ADAPTER_NORM) else ()
    return (
        *norm,
        Stage(
            "adapter_down", "Adapter: down", Group.FEED_FORWARD, (T, width), _each(each, D, width)
        ),
        Stage("adapter_up", "Adapter: up", Group.FEED_FORWARD, (T, D), _each(each, width, D)),
    )


def _each(languages: Size, rows: Size, columns: Size) -> tuple[Tensor, ...]:
    return (
        Tensor("adapter.weight", (languages, rows, columns), "adapters"),
        Tensor("adapter.bias", (languages, columns), "adapters", role=Role.BIAS),
    )


_COMMON = {
    ARCHITECTURES: None,
    HIDDEN_DIM: 768,
    NUM_LAYERS: 6,
    NUM_HEADS: 12,
    FFN_DIM: 3072,
    VOCAB_SIZE: 30_522,
    MAX_POSITIONS: 512,
    TIE_EMBEDDINGS: True,
}
DISTILBERT = Family(
    model_type="distilbert",
    title="DistilBERT",
    source="https://arxiv.org/abs/1910.01108",
    architectures=("DistilBertModel", "DistilBertForMaskedLM"),
    defaults=_COMMON,
    compose=distilbert,
    rules=(ATTENTION_HEADS, counted_for(Task.HIDDEN_STATES, Task.MASKED_TOKENS)),
    names={"dim": HIDDEN_DIM, "hidden_dim": FFN_DIM},
)
BERT_GENERATION = Family(
    model_type="bert-generation",
    title="BertGeneration",
    source="https://arxiv.org/abs/1907.12461",
    architectures=("BertGenerationEncoder", "BertGenerationDecoder"),
    defaults={
        **_COMMON,
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        FFN_DIM: 4096,
        VOCAB_SIZE: 50_358,
        ADD_CROSS_ATTENTION: False,
    },
    compose=bert_generation,
    rules=(ATTENTION_HEADS, counted_for(Task.HIDDEN_STATES, Task.CONTINUATION)),
)
ROC_BERT = replace(
    BERT,
    model_type="roc_bert",
    title="RoCBert",
    source="https://aclanthology.org/2022.acl-long.65/",
    architectures=(
        "RoCBertModel",
        "RoCBertForMaskedLM",
        "RoCBertForCausalLM",
        "RoCBertForPreTraining",
    ),
    defaults={
        **BERT.defaults,
        NUM_SHAPES: 24_858,
        SHAPE_DIM: 512,
        USES_SHAPE: True,
        NUM_PRONUNCIATIONS: 910,
        PRONUNCIATION_DIM: 768,
        USES_PRONUNCIATION: True,
        CONCATENATES: True,
    },
    compose=roc_bert,
    rules=(ATTENTION_HEADS, BERT_TASKS),
)
XMOD = replace(
    ROBERTA,
    model_type="xmod",
    title="X-MOD",
    source="https://arxiv.org/abs/2205.06266",
    architectures=("XmodModel", "XmodForMaskedLM", "XmodForCausalLM"),
    defaults={
        **ROBERTA.defaults,
        VOCAB_SIZE: 30_522,
        LANGUAGES: ("en_XX",),
        ADAPTER_REDUCTION: 2,
        ADAPTER_NORM: False,
        PRE_NORM: False,
    },
    compose=xmod,
    rules=(ATTENTION_HEADS, ROBERTA_TASKS),
)

FAMILIES = (DISTILBERT, BERT_GENERATION, ROC_BERT, XMOD)
