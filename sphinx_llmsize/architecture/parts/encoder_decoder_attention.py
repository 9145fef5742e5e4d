"""Cross-attention: queries from a decoder, keys and values from an encoder.

Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.3.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import Size
from sphinx_llmsize.architecture.parts.scores import score_products
from sphinx_llmsize.architecture.parts.weights import linear
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Source, Stage
from sphinx_llmsize.config.symbols import D_H, T_SOURCE, D, H, T
from sphinx_llmsize.translation import N_


def cross_attention(
    *,
    bias: bool = False,
    output_bias: bool | None = None,
    width: Size = D,
    kv_width: Size | None = None,
    source_width: Size = D,
    fused: bool = False,
) -> Block:
    """Cross-attention with separate projections: Q is D × width, K and V source_width × kv_width.

    Args:
        bias: biases on Q, K and V.
        output_bias: a bias on the output projection; defaults to ``bias``.
        width: dimensions of all query heads together.
        kv_width: dimensions of all key heads together, and of all value heads; defaults to
            ``width``.
        source_width: dimensions of the encoder's output.
        fused: one matrix for K and V (GPT-2 as a decoder).
    """
    group = Group.ATTENTION
    key_width = kv_width or width
    query = linear("cross_q_proj", D, width, "attn_q", bias=bias, label="q")
    with_bias = bias if output_bias is None else output_bias
    output = linear("cross_o_proj", width, D, "attn_o", bias=with_bias)
    queries = Stage("cross_q", N_("Cross-attention: Q"), group, (T, width), query)
    scores = Stage(
        "cross_scores",
        N_("Cross-attention: scores"),
        group,
        (T, width),
        intermediate=(H, T, T_SOURCE),
        computes=score_products(D_H, D_H, seen=T_SOURCE),
        caches=((T_SOURCE, 2 * key_width),),
    )
    keys_and_values = _keys_and_values(source_width, key_width, bias=bias, fused=fused)
    return (
        Parallel(((queries,), (keys_and_values,))),
        scores,
        Stage("cross_output", N_("Cross-attention: output"), group, (T, D), output),
    )


def _keys_and_values(source_width: Size, width: Size, *, bias: bool, fused: bool) -> Stage:
    """Keys and values of ``width`` dimensions each, from the encoder's output."""
    if fused:
        tensors = linear("cross_kv_proj", source_width, 2 * width, "attn_kv", bias=bias, label="kv")
    else:
        tensors = (
            *linear("cross_k_proj", source_width, width, "attn_k", bias=bias, label="k"),
            *linear("cross_v_proj", source_width, width, "attn_v", bias=bias, label="v"),
        )
    label = N_("Cross-attention: KV")
    output = (T_SOURCE, 2 * width)
    return Stage("cross_kv", label, Group.ATTENTION, output, tensors, source=Source.ENCODER)
