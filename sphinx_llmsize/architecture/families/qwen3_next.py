"""Qwen3-Next and Qwen3.5: gated delta nets, gated attention in one layer of four."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import sparse_layers
from sphinx_llmsize.architecture.family import Family, without
from sphinx_llmsize.architecture.layers import Kinds, every, layered, same
from sphinx_llmsize.architecture.notes import NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rule import only_these
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import L

NAMES = parts.mixer_names(parts.LINEAR_ATTENTION)


def qwen3_next(config: Config) -> tuple[Item, ...]:
    """Experts beside a gated shared one, in some layers an MLP in their place."""
    return delta_net_decoder(config, sparse_layers(config))


def qwen3_5(config: Config) -> tuple[Item, ...]:
    """An MLP in every layer."""
    return delta_net_decoder(config, same(parts.DENSE))


def qwen3_5_moe(config: Config) -> tuple[Item, ...]:
    """Experts in every layer."""
    return delta_net_decoder(config, same(parts.MOE))


def delta_net_decoder(config: Config, ffn: Kinds) -> tuple[Item, ...]:
    """Three layers with a gated delta net, one with attention, and so on."""
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(gate=True))
    attention = parts.gated_attention(bias=config.flag(k.ATTENTION_BIAS), norms=parts.head_norms())

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        feed_forward = parts.gated_mlp() if ffn == parts.DENSE else experts
        if mixer == parts.FULL_ATTENTION:
            return parts.pre_norm(parts.rms_norm, attention, feed_forward)
        return parts.mixer_pre_norm(parts.rms_norm, parts.gated_delta_net(), feed_forward)

    step = config.count(k.FULL_ATTENTION_INTERVAL)
    by_step = every(step, parts.FULL_ATTENTION, others=parts.LINEAR_ATTENTION, start=step - 1)
    mixer = parts.mixer_kinds(config, NAMES, otherwise=by_step)
    return parts.decoder(
        config, layered(config.count(L), block, mixer=mixer, ffn=ffn), norm=parts.rms_norm
    )


QWEN3_5 = Family(
    model_type="qwen3_5_text",
    title="Qwen3.5",
    source="https://huggingface.co/docs/transformers/model_doc/qwen3_5",
    architectures=("Qwen3_5ForCausalLM",),
    defaults={
        k.HIDDEN_DIM: 4096,
        k.NUM_LAYERS: 32,
        k.LAYER_TYPES: None,
        k.FULL_ATTENTION_INTERVAL: 4,
        k.NUM_HEADS: 16,
        k.NUM_KV_HEADS: 4,
        k.HEAD_DIM: 256,
        k.LINEAR_KEY_HEADS: 16,
        k.LINEAR_VALUE_HEADS: 32,
        k.LINEAR_KEY_DIM: 128,
        k.LINEAR_VALUE_DIM: 128,
        k.CONV_WIDTH: 4,
        k.FFN_DIM: 12_288,
        k.VOCAB_SIZE: 248_320,
        k.ATTENTION_BIAS: False,
        k.TIE_EMBEDDINGS: False,
        k.NEXT_TOKEN_LAYERS: None,
    },
    rules=(ATTENTION_HEADS, k.one_for_each_layer(k.LAYER_TYPES), only_these(k.LAYER_TYPES, NAMES)),
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
        **without(QWEN3_5.defaults, k.FFN_DIM),
        k.HIDDEN_DIM: 2048,
        k.NUM_LAYERS: 40,
        k.NUM_KV_HEADS: 2,
        k.NUM_EXPERTS: 256,
        k.EXPERTS_PER_TOKEN: 8,
        k.EXPERT_DIM: 512,
        k.SHARED_EXPERT_DIM: 512,
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
        k.NUM_LAYERS: 48,
        k.FFN_DIM: 5632,
        k.NUM_EXPERTS: 512,
        k.EXPERTS_PER_TOKEN: 10,
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: (),
        k.VOCAB_SIZE: 151_936,
    },
    compose=qwen3_next,
)

FAMILIES = (QWEN3_NEXT, QWEN3_5, QWEN3_5_MOE)
