"""GLM 4.5 to 5: experts after a few dense layers, with latent attention from 4.7 Flash on."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V32
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import FAR, Kinds, first, layered, listed, same
from sphinx_llmsize.architecture.notes import CORRECTION_BIAS_NOTE, NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import grouped_query_attention
from sphinx_llmsize.architecture.parts.blocks import pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.indexers import lightning_indexer
from sphinx_llmsize.architecture.parts.latent_attention import latent_attention
from sphinx_llmsize.architecture.parts.layer_kinds import (
    OWN,
    SHARED,
    ffn_kinds,
    first_dense,
    indexer_kinds,
)
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.parts.sparse_layers import decoder_with_experts, experts_and_shared
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    EXPERT_DIM,
    EXPERTS_PER_TOKEN,
    FIRST_DENSE_LAYERS,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    NUM_SHARED_EXPERTS,
)
from sphinx_llmsize.config.given import Given
from sphinx_llmsize.config.indexer import (
    INDEX_HEADS,
    INDEXER_INTERVAL,
    INDEXER_OFFSET,
    INDEXER_PATTERN,
    INDEXER_TYPES,
)
from sphinx_llmsize.config.latent_attention import (
    KV_LORA_RANK,
    NOPE_HEAD_DIM,
    Q_LORA_RANK,
    QUERY_LATENT,
    ROPE_HEAD_DIM,
    V_HEAD_DIM,
)
from sphinx_llmsize.config.layer_types import FFN_LAYER_TYPES, FFN_TYPES
from sphinx_llmsize.config.rules import (
    HEADS_ROUNDED_DOWN,
    Rule,
    Settings,
    one_for_each_layer,
    only_these,
    whole,
)
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    QK_NORM,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    L,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _


def glm4_moe(config: Config) -> tuple[Item, ...]:
    """Grouped-query attention; a gated MLP in the first layers, experts in the others."""
    attention = grouped_query_attention(
        bias=config.flag(ATTENTION_BIAS),
        output_bias=False,
        norms=head_norms() if config.flag(QK_NORM) else (),
    )
    experts = experts_and_shared(config)
    return decoder_with_experts(config, attention, experts, first_dense(config))


def glm4_moe_lite(config: Config) -> tuple[Item, ...]:
    """Latent attention; the first layer dense, unless all are listed."""
    attention = latent_attention(
        query_latent=config.has(Q_LORA_RANK), bias=config.flag(ATTENTION_BIAS)
    )
    kinds = ffn_kinds(config, first(1, "dense", then="MoE"))
    return decoder_with_experts(config, attention, experts_and_shared(config), kinds)


def glm_moe_dsa(config: Config) -> tuple[Item, ...]:
    """DeepSeek-V3.2, but for layers that choose the same keys as the layer before."""

    def block(index: str, ffn: str) -> Block:
        attention = latent_attention(
            query_latent=True,
            bias=config.flag(ATTENTION_BIAS),
            index=lightning_indexer() if index == OWN else (),
        )
        feed_forward = gated_mlp() if ffn == "dense" else experts_and_shared(config)
        return pre_norm(rms_norm, attention, feed_forward)

    layers = layered(
        config.count(L),
        block,
        index=indexer_kinds(config, index_kinds(config)),
        ffn=ffn_kinds(config, first_dense(config)),
    )
    return decoder(config, layers, norm=rms_norm)


def index_kinds(config: Config) -> Kinds:
    """Which layers have an indexer, unless they are listed: as a pattern says, or every so many."""
    if pattern := config[INDEXER_PATTERN]:
        return listed([SHARED if letter == "S" else OWN for letter in str(pattern)])
    step, offset = config.count(INDEXER_INTERVAL), config.count(INDEXER_OFFSET)
    if step <= 1:
        return same(OWN)
    regular = range((offset - 1) % step if offset == 0 else offset - 1, FAR, step)
    return Kinds(((OWN, range(offset - 1)), (OWN, regular)), SHARED)


def _check_pattern(settings: Settings, given: Given) -> None:
    """A letter for each layer."""
    pattern, layers = settings[INDEXER_PATTERN], whole(settings, NUM_LAYERS)
    if isinstance(pattern, str) and (len(pattern) != layers or {*pattern} - {"F", "S"}):
        raise ConfigError(
            _(
                "{key} must have an F or S for each of {value} layers",
                key=given.name(INDEXER_PATTERN),
                value=f"{layers or 0:,}",
            ),
            Problem.SHAPE,
            line=given.line(INDEXER_PATTERN),
        )


GLM4_MOE = Family(
    model_type="glm4_moe",
    title="GLM-4.5",
    source="https://arxiv.org/abs/2508.06471",
    architectures=("Glm4MoeForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 46,
        NUM_HEADS: 96,
        NUM_KV_HEADS: 8,
        HEAD_DIM: None,
        FFN_DIM: 10_944,
        NUM_EXPERTS: 128,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 1408,
        NUM_SHARED_EXPERTS: 1,
        FIRST_DENSE_LAYERS: 1,
        VOCAB_SIZE: 151_552,
        ATTENTION_BIAS: False,
        QK_NORM: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(HEADS_ROUNDED_DOWN,),
    compose=glm4_moe,
    notes=(NEXT_TOKEN_NOTE, CORRECTION_BIAS_NOTE),
)
GLM4_MOE_LITE = Family(
    model_type="glm4_moe_lite",
    title="GLM-4.7-Flash",
    source="https://huggingface.co/zai-org/GLM-4.7-Flash",
    architectures=("Glm4MoeLiteForCausalLM",),
    defaults={
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 47,
        NUM_HEADS: 20,
        Q_LORA_RANK: 768,
        KV_LORA_RANK: 512,
        NOPE_HEAD_DIM: 192,
        ROPE_HEAD_DIM: 64,
        V_HEAD_DIM: 256,
        FFN_DIM: 10_240,
        NUM_EXPERTS: 64,
        EXPERTS_PER_TOKEN: 4,
        EXPERT_DIM: 1536,
        NUM_SHARED_EXPERTS: 1,
        FFN_LAYER_TYPES: None,
        VOCAB_SIZE: 154_880,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(FFN_TYPES, one_for_each_layer(FFN_LAYER_TYPES)),
    names={"head_dim": ROPE_HEAD_DIM},
    compose=glm4_moe_lite,
    notes=(NEXT_TOKEN_NOTE, CORRECTION_BIAS_NOTE),
)
GLM_MOE_DSA = replace(
    DEEPSEEK_V32,
    model_type="glm_moe_dsa",
    title="GLM-5",
    source="https://huggingface.co/zai-org/GLM-5",
    architectures=("GlmMoeDsaForCausalLM",),
    defaults={
        **DEEPSEEK_V32.defaults,
        HIDDEN_DIM: 6144,
        NUM_LAYERS: 78,
        NUM_HEADS: 64,
        Q_LORA_RANK: 2048,
        NOPE_HEAD_DIM: 192,
        V_HEAD_DIM: 256,
        FFN_DIM: 12_288,
        INDEX_HEADS: 32,
        VOCAB_SIZE: 154_880,
        INDEXER_TYPES: None,
        INDEXER_PATTERN: None,
        INDEXER_INTERVAL: 1,
        INDEXER_OFFSET: 2,
    },
    rules=(
        QUERY_LATENT,
        FFN_TYPES,
        only_these(INDEXER_TYPES, ("full", "shared")),
        one_for_each_layer(FFN_LAYER_TYPES, INDEXER_TYPES),
        Rule(check=_check_pattern),
    ),
    compose=glm_moe_dsa,
)

FAMILIES = (GLM4_MOE, GLM4_MOE_LITE, GLM_MOE_DSA)
