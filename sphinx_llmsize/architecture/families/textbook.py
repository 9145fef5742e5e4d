"""Textbook decoder, for configurations of four sizes without a ``model_type``."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.stages import Residual
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, H_KV, D, F
from sphinx_llmsize.translation import N_


def textbook(config: Config) -> Items:
    """Four D × D attention matrices and an MLP D → 4·D → D by default.

    They have 4·D² + 8·D² = 12·D² parameters per layer.
    """
    sets_head_sizes = config.is_explicit(H_KV) or config.is_explicit(D_H)
    attention = parts.grouped_query_attention() if sets_head_sizes else parts.multi_head_attention()
    feed_forward = parts.mlp(width=F if config.is_explicit(F) else 4 * D)
    return parts.decoder(config, (Residual(attention), Residual(feed_forward)), norm=None)


TEXTBOOK = Family(
    model_type="",
    title="Textbook decoder",
    source="https://arxiv.org/abs/1706.03762",
    required=k.ESSENTIAL_SIZES,
    defaults={**sizes(H_kv=None, d_h=None, F=None, P=None), k.TIE_EMBEDDINGS: False},
    compose=textbook,
    rules=(k.ATTENTION_HEADS_RULE, k.FFN_FOUR_TIMES_HIDDEN_RULE),
    notes=(
        CountNote(N_("Only weight matrices are counted, no norms, biases or position embeddings.")),
        CountNote(N_("The FFN has two matrices, without a gate.")),
    ),
)
