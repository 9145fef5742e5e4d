"""Llama's layers with more norms: HyperCLOVA X and Hunyuan."""

from __future__ import annotations

from sphinx_llmsize.architecture.families.llama_like import sizes
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm, sandwich_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.pieces import Item
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    MLP_BIAS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
)

POST_NORM = flag("has_post_norms", "norms after attention and feed-forward too", "use_post_norm")


def hyperclova(config: Config) -> tuple[Item, ...]:
    """Llama's block, with norms after attention and feed-forward too."""
    around = sandwich_norm if config.flag(POST_NORM) else pre_norm
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS))
    block = around(rms_norm, attention, gated_mlp(bias=config.flag(MLP_BIAS)))
    return decoder(config, block, norm=rms_norm)


def hunyuan(config: Config) -> tuple[Item, ...]:
    """Llama's block with norms on each head of queries and keys."""
    attention = grouped_query_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())
    return decoder(config, pre_norm(rms_norm, attention, gated_mlp()), norm=rms_norm)


HYPERCLOVA_X = Family(
    model_type="hyperclovax",
    title="HyperCLOVA X",
    source="https://huggingface.co/naver-hyperclovax/HyperCLOVAX-SEED-Think-14B",
    architectures=("HyperCLOVAXForCausalLM",),
    defaults={
        **sizes(hidden=4096, layers=32, heads=32, ffn=11_008),
        VOCAB_SIZE: 32_000,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
        MLP_BIAS: False,
        POST_NORM: True,
    },
    compose=hyperclova,
)
HUNYUAN_DENSE = Family(
    model_type="hunyuan_v1_dense",
    title="Hunyuan (dense)",
    source="https://huggingface.co/tencent/Hunyuan-7B-Instruct",
    architectures=("HunYuanDenseV1ForCausalLM",),
    defaults={
        **sizes(hidden=4096, layers=32, heads=32, ffn=11_008),
        VOCAB_SIZE: 290_943,
        TIE_EMBEDDINGS: False,
        ATTENTION_BIAS: False,
    },
    compose=hunyuan,
)

FAMILIES = (HYPERCLOVA_X, HUNYUAN_DENSE)
