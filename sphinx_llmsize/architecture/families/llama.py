"""LLaMA, Llama 2, Llama 3 and everything released under ``model_type: llama``."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import lm_head, token_embedding
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import rms_norm
from sphinx_llmsize.architecture.pieces import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.resolve import Settings
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    FFN_DIM_MULTIPLIER,
    HEAD_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    MLP_BIAS,
    MULTIPLE_OF,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)

DEFAULT_FFN_DIM = 11_008


def compose(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of grouped-query attention and a gated MLP."""
    return decoder(
        embeddings=(token_embedding(),),
        block=(
            rms_norm("attention_norm", "Attention norm"),
            *grouped_query_attention(bias=config.flag(ATTENTION_BIAS)),
            rms_norm("ffn_norm", "FFN norm"),
            *gated_mlp(bias=config.flag(MLP_BIAS)),
        ),
        head=(rms_norm("final_norm", "Final norm"), lm_head(tied=config.flag(TIE_EMBEDDINGS))),
    )


def ffn_dim(settings: Settings) -> Settings:
    """The feed-forward width as LLaMA's own code has it (``llama/model.py``, FeedForward).

    ``int(2 · 4·D / 3)``, times ``ffn_dim_multiplier`` where there is one, rounded up to a
    multiple of ``multiple_of``: 11,008 for D = 4,096 and 256.
    """
    hidden, multiple = settings[HIDDEN_DIM], settings[MULTIPLE_OF]
    if not isinstance(multiple, int):
        return {FFN_DIM: DEFAULT_FFN_DIM}
    assert isinstance(hidden, int)
    width = 2 * 4 * hidden // 3
    factor = settings[FFN_DIM_MULTIPLIER]
    if isinstance(factor, (int, float)):
        width = int(factor * width)
    return {FFN_DIM: -(-width // multiple) * multiple}


LLAMA = Family(
    model_type="llama",
    title="Llama",
    source="https://arxiv.org/abs/2302.13971",
    architectures=("LlamaForCausalLM", "LLaMAForCausalLM"),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: None,
        HEAD_DIM: None,
        FFN_DIM: None,
        VOCAB_SIZE: 32_000,
        MAX_POSITIONS: 2048,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        MULTIPLE_OF: None,
        FFN_DIM_MULTIPLIER: None,
    },
    compose=compose,
    derive=ffn_dim,
)
