"""Decoders trained with fairseq: OPT, XGLM and BioGPT."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import post_norm, pre_norm, pre_norm_decoder
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_projection,
    head_projection,
    lm_head,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm, plain_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import D_E, EMBEDDING_DIM
from sphinx_llmsize.config.key import flag
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NORM_FIRST,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    P,
)

NORM_WEIGHTS = flag("norm_weights", "norms with weights", "layer_norm_elementwise_affine")
NO_FINAL_NORM = flag("no_final_norm", "no norm after the layers", "_remove_final_layer_norm")
POSITIONS = position_embedding(P + 2)
"""Fairseq counts positions from 2, after the padding token."""


def opt(config: Config) -> tuple[Item, ...]:
    """GPT-3's layers; the smallest released models differ in norms and in embedding width."""
    norm = layer_norm if config.flag(NORM_WEIGHTS) else plain_norm
    bias, norm_first = config.flag(BIAS), config.flag(NORM_FIRST)
    arranged = pre_norm if norm_first else post_norm
    block = arranged(norm, multi_head_attention(bias=bias), mlp(bias=bias))
    last = norm if norm_first and not config.flag(NO_FINAL_NORM) else None
    if config[D_E] in (None, config[D]):
        return decoder(config, block, norm=last, embeddings=(token_embedding(), POSITIONS))
    embeddings = (token_embedding(D_E), embedding_projection(D_E), POSITIONS)
    *body, _ = decoder(config, block, norm=last, embeddings=embeddings)
    head = lm_head(tied=config.flag(TIE_EMBEDDINGS), width=D_E)
    return (*body, head_projection(D_E), head)


def biased_block(cross: Block = ()) -> Block:
    """A pre-norm layer of multi-head attention and a plain MLP, with biases everywhere."""
    attention = multi_head_attention(bias=True)
    return pre_norm_decoder(layer_norm, attention, cross, mlp(bias=True))


def biogpt(config: Config) -> tuple[Item, ...]:
    """Learned positions, counted from 2."""
    embeddings = (token_embedding(), POSITIONS)
    return decoder(config, biased_block(), norm=layer_norm, embeddings=embeddings)


def xglm(config: Config) -> tuple[Item, ...]:
    """Positions without weights."""
    cross = cross_attention(bias=True) if config.flag(ADD_CROSS_ATTENTION) else ()
    return decoder(config, biased_block(cross), norm=layer_norm)


OPT = Family(
    model_type="opt",
    title="OPT",
    source="https://arxiv.org/abs/2205.01068",
    architectures=("OPTForCausalLM",),
    defaults={
        HIDDEN_DIM: 768,
        NUM_LAYERS: 12,
        NUM_HEADS: 12,
        FFN_DIM: 3072,
        VOCAB_SIZE: 50_272,
        EMBEDDING_DIM: None,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: True,
        BIAS: True,
        NORM_FIRST: True,
        NORM_WEIGHTS: True,
        NO_FINAL_NORM: False,
    },
    compose=opt,
)
BIOGPT = Family(
    model_type="biogpt",
    title="BioGPT",
    source="https://arxiv.org/abs/2210.10341",
    architectures=("BioGptForCausalLM",),
    defaults={
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        FFN_DIM: 4096,
        VOCAB_SIZE: 42_384,
        MAX_POSITIONS: 1024,
        TIE_EMBEDDINGS: True,
    },
    compose=biogpt,
)
XGLM = replace(
    BIOGPT,
    model_type="xglm",
    title="XGLM",
    source="https://arxiv.org/abs/2112.10668",
    architectures=("XGLMForCausalLM",),
    defaults={
        **BIOGPT.defaults,
        VOCAB_SIZE: 256_008,
        MAX_POSITIONS: 2048,
        ADD_CROSS_ATTENTION: False,
    },
    compose=xglm,
)

FAMILIES = (OPT, BIOGPT, XGLM)
