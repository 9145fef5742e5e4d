"""CTRL, XLM and XLNet: the generation of language models beside GPT and BERT."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol, size
from sphinx_llmsize.architecture.families.opt import biased_block
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import (
    QUERY_WIDTH,
    attention,
    grouped_query_attention,
)
from sphinx_llmsize.architecture.parts.blocks import post_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.encoder import further_embedding
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.linear import linear
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.pieces import Block, Group, Item, Role, Stage, Tensor
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS, Rule, Settings, heads_fill_hidden
from sphinx_llmsize.config.vocabulary import (
    D_H,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    H,
    T,
)
from sphinx_llmsize.errors import ConfigError, Problem

G = Symbol("G", "languages")
NUM_LANGUAGES = size_key(G, "num_languages", "n_langs")
LANGUAGE_EMBEDDING = flag("language_embedding", "a vector for each language", "use_lang_emb")
ADAPTIVE_SOFTMAX = flag("adaptive_softmax", "an adaptive softmax in place of the LM head", "asm")


def ctrl(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers with biases everywhere, the LM head's too; positions without weights."""
    return decoder(config, biased_block(), norm=layer_norm, head_bias=True)


def xlm(config: Config) -> tuple[Item, ...]:
    """Post-norm layers after a norm on the embeddings; a vector for each language."""
    attention_ = grouped_query_attention(bias=True, width=D, kv_width=D)
    block = post_norm(layer_norm, attention_, mlp(bias=True, width=4 * D))
    languages = config.flag(LANGUAGE_EMBEDDING) and config.count(G) > 1
    embeddings = (
        token_embedding(),
        position_embedding(),
        *((further_embedding("language", "Language embedding", G),) if languages else ()),
        embedding_norm(),
    )
    return decoder(config, block, norm=None, embeddings=embeddings, head_bias=True)


def xlnet(config: Config) -> tuple[Item, ...]:
    """Post-norm layers of Transformer-XL's attention; a vector for masked tokens."""
    block = post_norm(layer_norm, relative_attention(), mlp(bias=True))
    mask = Tensor("mask_embedding.weight", (D,), "mask_embedding")
    embeddings = (
        token_embedding(),
        Stage("mask", "Mask embedding", Group.EMBEDDING, (T, D), (mask,)),
    )
    return decoder(config, block, norm=None, embeddings=embeddings, head_bias=True)


def relative_attention() -> Block:
    """Attention to contents, to relative positions and to segments, each with a bias on queries.

    Dai et al. 2019, https://arxiv.org/abs/1901.02860, section 3.3; Yang et al. 2019, section 2.5.
    """
    names = {"q": "attn_q", "k": "attn_k", "v": "attn_v", "r": "attn_r"}
    projections = tuple(
        tensor
        for name, component in names.items()
        for tensor in linear(f"{name}_proj", D, QUERY_WIDTH, component, label=name)
    )
    biases = (
        Tensor(f"{name}_bias", (H, D_H), "attn_position_bias", f"{name} bias", Role.BIAS)
        for name in ("content", "position", "segment")
    )
    segments = Tensor("segment_embedding", (size(2), H, D_H), "attn_segment", "segments")
    output = linear("o_proj", QUERY_WIDTH, D, "attn_o")
    width = 4 * QUERY_WIDTH
    return attention(projections, output, qkv_width=width, scores=(*biases, segments))


def refuse_adaptive_softmax(settings: Settings, given: Given) -> None:
    """An adaptive softmax has clusters of its own sizes.

    Raises:
        ConfigError: the configuration has it.
    """
    if settings[ADAPTIVE_SOFTMAX]:
        raise ConfigError(
            "XLM with an adaptive softmax is not supported",
            Problem.VALUE,
            hint=f"set {given.name(ADAPTIVE_SOFTMAX)} to false",
            line=given.line(ADAPTIVE_SOFTMAX),
        )


CTRL = Family(
    model_type="ctrl",
    title="CTRL",
    source="https://arxiv.org/abs/1909.05858",
    architectures=("CTRLLMHeadModel",),
    defaults={
        HIDDEN_DIM: 1280,
        NUM_LAYERS: 48,
        NUM_HEADS: 16,
        FFN_DIM: 8192,
        VOCAB_SIZE: 246_534,
        MAX_POSITIONS: 256,
        TIE_EMBEDDINGS: True,
    },
    compose=ctrl,
)
XLM = Family(
    model_type="xlm",
    title="XLM",
    source="https://arxiv.org/abs/1901.07291",
    architectures=("XLMWithLMHeadModel",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 12,
        NUM_HEADS: 16,
        VOCAB_SIZE: 30_145,
        MAX_POSITIONS: 512,
        NUM_LANGUAGES: 1,
        LANGUAGE_EMBEDDING: True,
        ADAPTIVE_SOFTMAX: False,
        TIE_EMBEDDINGS: True,
    },
    compose=xlm,
    rules=(ATTENTION_HEADS, Rule(check=refuse_adaptive_softmax)),
    names={"emb_dim": HIDDEN_DIM, "n_words": VOCAB_SIZE},
)
XLNET = Family(
    model_type="xlnet",
    title="XLNet",
    source="https://arxiv.org/abs/1906.08237",
    architectures=("XLNetLMHeadModel",),
    defaults={
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        HEAD_DIM: None,
        FFN_DIM: 4096,
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: True,
    },
    compose=xlnet,
    rules=(heads_fill_hidden(), ATTENTION_HEADS),
    names={"d_inner": FFN_DIM, "n_token": VOCAB_SIZE},
)

FAMILIES = (CTRL, XLM, XLNET)
