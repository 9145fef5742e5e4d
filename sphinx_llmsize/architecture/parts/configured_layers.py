"""Attention and MLPs with biases if the configuration has them."""

from __future__ import annotations

from sphinx_llmsize.architecture.parts.feed_forward import gated_mlp
from sphinx_llmsize.architecture.parts.mla import latent_attention
from sphinx_llmsize.architecture.parts.norms import qk_norms
from sphinx_llmsize.architecture.parts.self_attention import grouped_query_attention
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config


def gqa(
    config: Config,
    *,
    output_bias: bool | None = None,
    norms: Block = (),
    scores: tuple[Tensor, ...] = (),
) -> Block:
    """Grouped-query attention (GQA) with biases if ``attention_bias`` is true.

    Args:
        config: the configuration.
        output_bias: a bias on the output projection; by default the same as for Q, K and V.
        norms: QK norms.
        scores: parameters added to the attention scores, such as sinks.
    """
    bias = config.flag(k.ATTENTION_BIAS)
    return grouped_query_attention(bias=bias, output_bias=output_bias, norms=norms, scores=scores)


def gqa_with_qk_norm(config: Config) -> Block:
    """Qwen3's attention: GQA with norms on the queries and keys of each head."""
    return gqa(config, norms=qk_norms())


def mla(config: Config, *, index: Block = (), gate: Block = ()) -> Block:
    """Multi-head latent attention; queries also have a latent if ``q_lora_rank`` is set.

    Args:
        config: the configuration.
        index: an indexer that selects keys.
        gate: a gate on the heads' output.
    """
    bias, query_latent = config.flag(k.ATTENTION_BIAS), config.has(k.Q_LORA_RANK)
    return latent_attention(query_latent=query_latent, bias=bias, index=index, gate=gate)


def gated_mlp_of(config: Config) -> Block:
    """Gated MLP with biases if ``mlp_bias`` is true."""
    return gated_mlp(bias=config.flag(k.MLP_BIAS))
