"""StableLM 3B and StableLM 2: gated MLPs after layer norms, each head with norms of its own."""

from __future__ import annotations

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import parallel, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.vocabulary import (
    FFN_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    PARALLEL_RESIDUAL,
    QK_NORM,
    QKV_BIAS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)


def stablelm(config: Config) -> tuple[Item, ...]:
    """Attention and MLP one after the other or, after one norm, side by side."""
    attention = grouped_query_attention(
        bias=config.flag(QKV_BIAS),
        output_bias=False,
        norms=head_norms(each=True) if config.flag(QK_NORM) else (),
    )
    layout = parallel if config.flag(PARALLEL_RESIDUAL) else pre_norm
    return decoder(config, layout(layer_norm, attention, gated_mlp()), norm=layer_norm)


STABLELM = Family(
    model_type="stablelm",
    title="StableLM",
    source="https://arxiv.org/abs/2402.17834",
    architectures=("StableLmForCausalLM",),
    defaults={
        HIDDEN_DIM: 2560,
        NUM_LAYERS: 32,
        NUM_HEADS: 32,
        NUM_KV_HEADS: 32,
        FFN_DIM: 6912,
        VOCAB_SIZE: 50_304,
        QKV_BIAS: False,
        QK_NORM: False,
        PARALLEL_RESIDUAL: False,
        TIE_EMBEDDINGS: False,
    },
    compose=stablelm,
)

FAMILIES = (STABLELM,)
