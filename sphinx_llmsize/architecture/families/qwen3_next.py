"""Qwen3-Next and Qwen3.5: gated delta nets, and gated attention in one layer of four."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.qwen import sparse_layers
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, without
from sphinx_llmsize.architecture.layers import Kinds, every, same
from sphinx_llmsize.architecture.notes import NEXT_TOKEN_NOTE
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.common_rules import ATTENTION_HEADS
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.rule import only_these

NAMES = parts.mixer_names(parts.LINEAR_ATTENTION)


def qwen3_next(config: Config) -> Items:
    """Experts beside a gated shared expert, or a gated MLP in the dense layers."""
    return delta_net_decoder(config, sparse_layers(config))


def qwen3_5(config: Config) -> Items:
    """Gated MLP in every layer."""
    return delta_net_decoder(config, same(parts.DENSE))


def qwen3_5_moe(config: Config) -> Items:
    """Experts beside a gated shared expert in every layer."""
    return delta_net_decoder(config, same(parts.MOE))


def delta_net_decoder(config: Config, ffn: Kinds) -> Items:
    """Three layers with a gated delta net, then one with gated attention, repeated."""
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
    return parts.layered_decoder(config, block, mixer=mixer, ffn=ffn)


QWEN3_5 = Family(
    model_type="qwen3_5_text",
    title="Qwen3.5",
    source="https://huggingface.co/docs/transformers/model_doc/qwen3_5",
    architectures=("Qwen3_5ForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=16, H_kv=4, d_h=256, V=248_320),
        **sizes(H_lk=16, H_lv=32, d_lk=128, d_lv=128, W=4, F=12_288),
        **unset(k.LAYER_TYPES, k.NEXT_TOKEN_LAYERS),
        k.FULL_ATTENTION_INTERVAL: 4,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
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
        **sizes(D=2048, L=40, H_kv=2, E=256, k=8, F_e=512, F_s=512),
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
        **sizes(L=48, F=5632, V=151_936, E=512, k=10),
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: (),
    },
    compose=qwen3_next,
)
