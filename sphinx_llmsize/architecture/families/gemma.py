"""Gemma, Gemma 2, Gemma 3 and VaultGemma: tied LM heads; sandwich norms in Gemma 2 and 3."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Items, sizes, variant
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.translation import N_

IS_BIDIRECTIONAL = k.flag(
    "bidirectional_attention use_bidirectional_attention", N_("bidirectional attention")
)


def gemma(config: Config) -> Items:
    """Llama's layers; the MLP never has biases."""
    return parts.uniform_decoder(config, parts.gqa(config), parts.gated_mlp())


def gemma2(config: Config) -> Items:
    """Gemma's layers with sandwich norms."""
    return parts.uniform_decoder(
        config, parts.gqa(config), parts.gated_mlp(), frame=parts.sandwich_norm
    )


def gemma3(config: Config) -> Items:
    """Gemma 2's layers with QK norms; bidirectional attention (EmbeddingGemma) has no KV cache."""
    attention = parts.gqa_with_qk_norm(config)
    if config.flag(IS_BIDIRECTIONAL):
        attention = parts.without_cache(attention)
    return parts.uniform_decoder(config, attention, parts.gated_mlp(), frame=parts.sandwich_norm)


GEMMA = variant(
    LIKE_LLAMA,
    "gemma",
    "Gemma",
    "GemmaForCausalLM",
    "https://arxiv.org/abs/2403.08295",
    defaults={
        **sizes(D=3072, L=28, H=16, H_kv=16, d_h=256, F=24_576, V=256_000),
        k.TIE_EMBEDDINGS: True,
    },
    removed=(k.MLP_BIAS,),
    compose=gemma,
)
GEMMA2 = variant(
    GEMMA,
    "gemma2",
    "Gemma 2",
    "Gemma2ForCausalLM",
    "https://arxiv.org/abs/2408.00118",
    defaults={**sizes(D=2304, L=26, H=8, H_kv=4, F=9216, w=4096), k.LAYER_TYPES: None},
    compose=gemma2,
    rules=(k.ATTENTION_HEADS_RULE, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(2)),
)
GEMMA3 = variant(
    GEMMA2,
    "gemma3_text",
    "Gemma 3",
    "Gemma3ForCausalLM",
    "https://arxiv.org/abs/2503.19786",
    defaults={k.VOCAB_SIZE: 262_208, k.WINDOW_PATTERN: 6, IS_BIDIRECTIONAL: False},
    compose=gemma3,
    windows=parts.windows_by_layer_types(otherwise=parts.pattern_layers()),
)
VAULTGEMMA = variant(GEMMA2, "vaultgemma", "VaultGemma", "VaultGemmaForCausalLM", compose=gemma)
