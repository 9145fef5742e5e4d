"""Qwen3-Next and Qwen3.5: gated delta nets, gated attention in one layer of four."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture.families.qwen import sparse_layers
from sphinx_llmsize.architecture.family import Family, without
from sphinx_llmsize.architecture.layers import Kinds, every, layered, same
from sphinx_llmsize.architecture.notes import NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.parts.attention import gated_attention
from sphinx_llmsize.architecture.parts.blocks import mixer_pre_norm, pre_norm
from sphinx_llmsize.architecture.parts.decoder import decoder
from sphinx_llmsize.architecture.parts.experts import (
    gated_experts,
    mixture_of_experts,
    shared_expert,
)
from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.layer_kinds import mixer_kinds, mixer_names
from sphinx_llmsize.architecture.parts.linear_attention import gated_delta_net
from sphinx_llmsize.architecture.parts.norms import head_norms, rms_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.experts import (
    DENSE_LAYERS,
    EXPERT_DIM,
    EXPERT_LAYER_STEP,
    EXPERTS_PER_TOKEN,
    NEXT_TOKEN_LAYERS,
    NUM_EXPERTS,
    SHARED_EXPERT_DIM,
)
from sphinx_llmsize.config.layer_types import FULL_ATTENTION_INTERVAL, LAYER_TYPES
from sphinx_llmsize.config.mixers import (
    CONV_WIDTH,
    LINEAR_KEY_DIM,
    LINEAR_KEY_HEADS,
    LINEAR_VALUE_DIM,
    LINEAR_VALUE_HEADS,
)
from sphinx_llmsize.config.rules import ATTENTION_HEADS, one_for_each_layer, only_these
from sphinx_llmsize.config.vocabulary import (
    ATTENTION_BIAS,
    FFN_DIM,
    HEAD_DIM,
    HIDDEN_DIM,
    NUM_HEADS,
    NUM_KV_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    L,
)

NAMES = mixer_names("linear attention")


def qwen3_next(config: Config) -> tuple[Item, ...]:
    """Experts beside a gated shared one, in some layers an MLP in their place."""
    return delta_net_decoder(config, sparse_layers(config))


def qwen3_5(config: Config) -> tuple[Item, ...]:
    """An MLP in every layer."""
    return delta_net_decoder(config, same("dense"))


def qwen3_5_moe(config: Config) -> tuple[Item, ...]:
    """Experts in every layer."""
    return delta_net_decoder(config, same("MoE"))


def delta_net_decoder(config: Config, ffn: Kinds) -> tuple[Item, ...]:
    """Three layers with a gated delta net, one with attention, and so on."""
    experts = mixture_of_experts(gated_experts(), shared=shared_expert(gate=True))
    attention = gated_attention(bias=config.flag(ATTENTION_BIAS), norms=head_norms())

    def block(mixer: str, ffn: str) -> Block:
        feed_forward = gated_mlp() if ffn == "dense" else experts
        if mixer == "full attention":
            return pre_norm(rms_norm, attention, feed_forward)
        return mixer_pre_norm(rms_norm, gated_delta_net(), feed_forward)

    step = config.count(FULL_ATTENTION_INTERVAL)
    by_step = every(step, "full attention", others="linear attention", start=step - 1)
    mixer = mixer_kinds(config, NAMES, otherwise=by_step)
    return decoder(config, layered(config.count(L), block, mixer=mixer, ffn=ffn), norm=rms_norm)


QWEN3_5 = Family(
    model_type="qwen3_5_text",
    title="Qwen3.5",
    source="https://huggingface.co/docs/transformers/model_doc/qwen3_5",
    architectures=("Qwen3_5ForCausalLM",),
    defaults={
        HIDDEN_DIM: 4096,
        NUM_LAYERS: 32,
        LAYER_TYPES: None,
        FULL_ATTENTION_INTERVAL: 4,
        NUM_HEADS: 16,
        NUM_KV_HEADS: 4,
        HEAD_DIM: 256,
        LINEAR_KEY_HEADS: 16,
        LINEAR_VALUE_HEADS: 32,
        LINEAR_KEY_DIM: 128,
        LINEAR_VALUE_DIM: 128,
        CONV_WIDTH: 4,
        FFN_DIM: 12_288,
        VOCAB_SIZE: 248_320,
        ATTENTION_BIAS: False,
        TIE_EMBEDDINGS: False,
        NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, one_for_each_layer(LAYER_TYPES), only_these(LAYER_TYPES, NAMES)),
    compose=qwen3_5,
    notes=(NEXT_TOKEN_NOTE,),
)
QWEN3_5_MOE = replace(
    QWEN3_5,
    model_type="qwen3_5_moe_text",
    title="Qwen3.5 MoE",
    source="https://huggingface.co/docs/transformers/model_doc/qwen3_5_moe",
    architectures=("Qwen3_5MoeForCausalLM",),
    defaults={
        **without(QWEN3_5.defaults, FFN_DIM),
        HIDDEN_DIM: 2048,
        NUM_LAYERS: 40,
        NUM_KV_HEADS: 2,
        NUM_EXPERTS: 256,
        EXPERTS_PER_TOKEN: 8,
        EXPERT_DIM: 512,
        SHARED_EXPERT_DIM: 512,
    },
    compose=qwen3_5_moe,
)
QWEN3_NEXT = replace(
    QWEN3_5_MOE,
    model_type="qwen3_next",
    title="Qwen3-Next",
    source="https://huggingface.co/docs/transformers/model_doc/qwen3_next",
    architectures=("Qwen3NextForCausalLM",),
    defaults={
        **QWEN3_5_MOE.defaults,
        NUM_LAYERS: 48,
        FFN_DIM: 5632,
        NUM_EXPERTS: 512,
        EXPERTS_PER_TOKEN: 10,
        EXPERT_LAYER_STEP: 1,
        DENSE_LAYERS: (),
        VOCAB_SIZE: 151_936,
    },
    compose=qwen3_next,
)

FAMILIES = (QWEN3_NEXT, QWEN3_5, QWEN3_5_MOE)
