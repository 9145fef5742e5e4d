"""RWKV-4."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.families.gpt2 import ffn_width
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import embedding_norm, token_embedding
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.parts.rwkv import channel_mix, time_mix
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import size_key
from sphinx_llmsize.config.rules import FFN_FOUR_TIMES_HIDDEN
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
)

D_A = Symbol("D_a", "width of the time mixing")
TIME_MIX_DIM = size_key(D_A, "time_mix_dim", "attention_hidden_size", optional=True)


def rwkv(config: Config) -> tuple[Item, ...]:
    """Time mixing and channel mixing, each after a norm; the first layer's input has one too."""
    width = D_A if config.was_given(D_A) else D
    block = mixer_pre_norm(layer_norm, time_mix(width), channel_mix(ffn_width(config)))
    embeddings = (token_embedding(), embedding_norm())
    return decoder(config, block, norm=layer_norm, embeddings=embeddings)


RWKV = Family(
    model_type="rwkv",
    title="RWKV-4",
    source="https://arxiv.org/abs/2305.13048",
    architectures=("RwkvForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        TIME_MIX_DIM: None,
        FFN_DIM: None,
        VOCAB_SIZE: 50_277,
        MAX_POSITIONS: 1024,
        TIE_EMBEDDINGS: False,
    },
    compose=rwkv,
    rules=(FFN_FOUR_TIMES_HIDDEN,),
    names={"context_length": MAX_POSITIONS},
)

FAMILIES = (RWKV,)
