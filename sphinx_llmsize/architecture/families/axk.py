"""A.X K1 and A.X K2: DeepSeek-V3's layers with additional norms and, in K2, gates."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.deepseek import DEEPSEEK_V3
from sphinx_llmsize.architecture.family import Items, sizes, variant
from sphinx_llmsize.architecture.layers import Kinds
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import R_Q, D
from sphinx_llmsize.translation import N_

R_N = Symbol("R_n", N_("rank of the norm gates"))
NORM_GATE_RANK = k.size_key(R_N, "norm_gate_rank gated_norm_rank")


def axk1(config: Config) -> Items:
    """DeepSeek-V3's layers with an RMS norm after the experts."""
    experts = (
        *parts.experts_and_shared(config),
        parts.rms_norm("post_ffn_norm", N_("Norm after experts")),
    )
    return parts.decoder_with_experts(config, parts.mla(config), experts, axk_ffn_kinds(config))


def axk2(config: Config) -> Items:
    """Indexed latent attention with an output gate; gated norms before attention and experts."""
    bias = config.flag(k.ATTENTION_BIAS)
    # one matrix makes the queries and the gate; it reads the latent before its norm and after it
    queries_and_gate = parts.latent_queries(
        bias=bias,
        inputs=2 * R_Q,
        width=parts.MLA_QUERY_WIDTH + parts.MLA_VALUE_WIDTH,
        index=parts.lightning_indexer(),
    )
    attention = parts.attention_from_latents(queries_and_gate, bias=bias)

    def block(ffn: LayerKind) -> Block:
        if ffn == parts.DENSE:
            feed_forward = parts.ffn_residual(parts.rms_norm, parts.gated_mlp())
        else:
            feed_forward = parts.ffn_residual(norm_with_gate, parts.experts_and_shared(config))
        return (parts.attention_residual(norm_with_gate, attention), feed_forward)

    return parts.layered_decoder(config, block, ffn=axk_ffn_kinds(config))


def norm_with_gate(id: str, label: str) -> Stage:
    """RMS norm whose output is scaled by a gate of rank R_n: D → R_n → D."""
    norm = parts.rms_norm(id, label)
    down = parts.linear(f"{id}_gate_down", D, R_N, "norms", label=N_("gate down"))
    up = parts.linear(f"{id}_gate_up", R_N, D, "norms", label=N_("gate up"))
    return replace(norm, tensors=(*norm.tensors, *down, *up))


def axk_ffn_kinds(config: Config) -> Kinds:
    """Kinds in ``ffn_layer_types``.

    By default, the layers numbered 0, n, 2n … have experts, except the dense ones at the start.
    """
    step, first_dense = config.count(k.EXPERT_LAYER_STEP), config.count(k.FIRST_DENSE_LAYERS)
    return parts.ffn_kinds(config, otherwise=parts.moe_every(step, first_dense=first_dense))


AXK1 = variant(
    DEEPSEEK_V3,
    "axk1",
    "A.X K1",
    "AXK1ForCausalLM",
    "https://huggingface.co/skt/A.X-K1",
    defaults={
        **sizes(H=64, V=163_840, E=192),
        k.FIRST_DENSE_LAYERS: 1,
        k.EXPERT_LAYER_STEP: 1,
        k.FFN_LAYER_TYPES: None,
    },
    rules=(k.QUERY_LATENT_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    compose=axk1,
)
AXK2 = variant(
    AXK1,
    "axk2",
    "A.X K2",
    "AXK2ForCausalLM",
    defaults={
        **sizes(D=2048, L=48, H=32),
        **sizes(R_q=384, R_kv=128, d_nope=64, d_rope=32, d_v=64, H_i=16, d_i=128, F=5120),
        **sizes(E=128, F_e=512),
        NORM_GATE_RANK: 16,
    },
    compose=axk2,
)
