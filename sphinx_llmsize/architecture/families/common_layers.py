"""Layers that many families share; in most, the configuration decides which biases they have."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Items
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
    return parts.grouped_query_attention(
        bias=bias, output_bias=output_bias, norms=norms, scores=scores
    )


def gqa_with_qk_norm(config: Config) -> Block:
    """Qwen3's attention: GQA with norms on the queries and keys of each head."""
    return gqa(config, norms=parts.qk_norms())


def mla(config: Config, *, index: Block = (), gate: Block = ()) -> Block:
    """Multi-head latent attention; queries also have a latent if ``q_lora_rank`` is set.

    Args:
        config: the configuration.
        index: an indexer that selects keys.
        gate: a gate on the heads' output.
    """
    bias, query_latent = config.flag(k.ATTENTION_BIAS), config.has(k.Q_LORA_RANK)
    return parts.latent_attention(query_latent=query_latent, bias=bias, index=index, gate=gate)


def gated_mlp_of(config: Config) -> Block:
    """Gated MLP with biases if ``mlp_bias`` is true."""
    return parts.gated_mlp(bias=config.flag(k.MLP_BIAS))


def uniform_decoder(
    config: Config,
    attention: Block,
    feed_forward: Block,
    *,
    frame: parts.Frame = parts.pre_norm,
    norm: parts.Norm = parts.rms_norm,
    embeddings: Block | None = None,
    head_bias: bool = False,
) -> Items:
    """Decoder of L equal layers, each with its own weights.

    Args:
        config: the configuration.
        attention: attention stages of each layer.
        feed_forward: feed-forward stages of each layer.
        frame: arrangement of norms, attention and feed-forward network.
        norm: kind of all norms, in the layers and before the LM head.
        embeddings: steps before the layers; by default the token embedding.
        head_bias: a bias on the LM head.
    """
    layer = frame(norm, attention, feed_forward)
    return parts.decoder(config, layer, norm=norm, embeddings=embeddings, head_bias=head_bias)


def llama_without_biases(config: Config) -> Items:
    """Llama's layers without biases: GQA and a gated MLP, each after an RMS norm."""
    return uniform_decoder(config, parts.grouped_query_attention(), parts.gated_mlp())
