"""Hunyuan: QK norms, with or without experts."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.defaults import off, sizes
from sphinx_llmsize.architecture.families.common_layers import gqa_with_qk_norm
from sphinx_llmsize.architecture.families.qwen import qwen3
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.layers import layered, listed, same
from sphinx_llmsize.architecture.stacks import Item, LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import E, F, K, L
from sphinx_llmsize.translation import N_

USED_IN_LAYERS = size_key(
    K,
    "experts_per_token_of_layers",
    "num_experts_per_token",
    "num_experts_per_tok",
    "moe_topk",
    kind=Kind.COUNTS,
)
"""Experts per token, in this family one number or a list with one for each layer."""


def hunyuan_moe(config: Config) -> tuple[Item, ...]:
    """GQA with QK norms; experts and a shared expert, all of width F."""
    attention, counts = gqa_with_qk_norm(config), config.counts(USED_IN_LAYERS)
    alike = len(set(counts)) == 1
    count_of = {top_k(count): count for count in counts}

    def block(used: LayerKind) -> Block:
        count = count_of[used]
        several = Quantity(
            f"k_{count}", N_("experts per token in layers with {number}", number=count), count
        )
        expert_count = ExpertCount(E, Quantity(K.name, K.meaning, count) if alike else several)
        experts = parts.gated_experts(width=F, expert_count=expert_count)
        feed_forward = parts.mixture_of_experts(experts, shared=parts.shared_expert(width=F))
        return parts.pre_norm(parts.rms_norm, attention, feed_forward)

    kinds = same(top_k(counts[0])) if alike else listed([top_k(count) for count in counts])
    return parts.decoder(config, layered(config.count(L), block, used=kinds), norm=parts.rms_norm)


def top_k(count: int) -> LayerKind:
    """Layers with ``count`` experts per token."""
    return LayerKind(f"top_{count}", N_("top-{number}", number=count), "top")


HUNYUAN_DENSE = Family(
    model_type="hunyuan_v1_dense",
    title="Hunyuan (dense)",
    source="https://huggingface.co/tencent/Hunyuan-7B-Instruct",
    architectures=("HunYuanDenseV1ForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=11_008, V=290_943),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=qwen3,
)

HUNYUAN_MOE = Family(
    model_type="hunyuan_v1_moe",
    title="Hunyuan (MoE)",
    source="https://huggingface.co/tencent/Hunyuan-A13B-Instruct",
    architectures=("HunYuanMoEV1ForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=11_008, V=290_943, E=1),
        USED_IN_LAYERS: 1,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(ATTENTION_HEADS, k.one_for_each_layer(USED_IN_LAYERS)),
    compose=hunyuan_moe,
)
