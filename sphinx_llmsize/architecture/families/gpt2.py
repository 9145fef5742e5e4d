"""GPT-2: learned positions, fused QKV, biases everywhere, a tied head."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import fused_attention
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.embeddings import (
    lm_head,
    position_embedding,
    token_embedding,
)
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.pieces import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.rules import ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN, Rule, Settings
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    FFN_DIM,
    HIDDEN_DIM,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
    F,
)
from sphinx_llmsize.errors import ConfigError, Problem


def compose(config: Config) -> tuple[Item, ...]:
    """Pre-norm layers of multi-head attention and a plain MLP, D → 4·D → D unless told."""
    return decoder(
        embeddings=(token_embedding(), position_embedding()),
        block=(
            layer_norm("attention_norm", "Attention norm"),
            *fused_attention(bias=True),
            layer_norm("ffn_norm", "FFN norm"),
            *mlp(bias=True, width=F if config.was_given(F) else 4 * D),
        ),
        head=(layer_norm("final_norm", "Final norm"), lm_head(tied=config.flag(TIE_EMBEDDINGS))),
    )


def check_cross_attention(settings: Settings, given: Given) -> None:
    """Cross-attention has weights of its own, which are not counted here.

    Raises:
        ConfigError: the configuration has it.
    """
    if settings[ADD_CROSS_ATTENTION]:
        raise ConfigError(
            "GPT-2 with cross-attention is not supported",
            Problem.VALUE,
            hint="set add_cross_attention to false for the decoder on its own",
            line=given.line(ADD_CROSS_ATTENTION),
        )


GPT2 = Family(
    model_type="gpt2",
    title="GPT-2",
    source="https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf",
    architectures=("GPT2LMHeadModel",),
    defaults={
        HIDDEN_DIM: 768,
        NUM_LAYERS: 12,
        NUM_HEADS: 12,
        FFN_DIM: None,
        VOCAB_SIZE: 50_257,
        MAX_POSITIONS: 1024,
        TIE_EMBEDDINGS: True,
        ADD_CROSS_ATTENTION: False,
    },
    compose=compose,
    rules=(ATTENTION_HEADS, FFN_FOUR_TIMES_HIDDEN, Rule(check=check_cross_attention)),
)
