"""Llama 3.2 Vision's text decoder: some layers have cross-attention to images."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.layers import among
from sphinx_llmsize.architecture.notes import Note
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config.common_rules import HEADS_ROUNDED_DOWN
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import Kind, make_key
from sphinx_llmsize.config.symbols import D, T, V
from sphinx_llmsize.translation import N_

IMAGE_TOKENS = 8
"""Rows of the token embedding without a counterpart in the LM head."""
CROSS_ATTENTION_LAYERS = make_key(
    "cross_attention_layers", N_("layers with image cross-attention, counted from 0"), Kind.LAYERS
)
SELF_ATTENTION = LayerKind("self_attention", N_("self-attention"), "self")


def mllama(config: Config) -> Items:
    """Llama's layers, some with gated cross-attention in place of self-attention; untied head."""

    def block(mixer: LayerKind) -> Block:
        crossed = mixer == parts.CROSS_ATTENTION
        layer = parts.pre_norm(
            parts.rms_norm,
            _cross() if crossed else parts.grouped_query_attention(),
            parts.gated_mlp(),
        )
        return (*layer, _gate("ffn_residual", N_("Residual gate of FFN"))) if crossed else layer

    crossed = config.counts(CROSS_ATTENTION_LAYERS)
    mixer = among(crossed, parts.CROSS_ATTENTION, others=SELF_ATTENTION)
    embedding = parts.token_embedding(rows=V + IMAGE_TOKENS)
    return parts.layered_decoder(config, block, embeddings=(embedding,), tied=False, mixer=mixer)


def _cross() -> Block:
    attention = parts.cross_attention(width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH)
    gate = _gate("attention_residual", N_("Residual gate of attention"))
    return (*parts.insert(attention, *parts.head_norms(), before="cross_scores"), gate)


def _gate(id: str, label: str) -> Stage:
    """Single number that scales a sublayer's output before it is added to the residual stream."""
    return Stage(
        id, label, Group.RESIDUAL, (T, D), (parts.vector(f"{id}_gate", ONE, "residual_gate"),)
    )


MLLAMA = Family(
    model_type="mllama_text_model",
    title="Llama 3.2 Vision",
    source="https://arxiv.org/abs/2407.21783",
    architectures=("MllamaForCausalLM",),
    defaults={
        **sizes(D=4096, L=40, H=32, H_kv=8, F=14_336, V=128_256),
        CROSS_ATTENTION_LAYERS: (3, 8, 13, 18, 23, 28, 33, 38),
    },
    compose=mllama,
    rules=(HEADS_ROUNDED_DOWN,),
    notes=(Note(N_("The cross-attention layers are part of the text decoder and counted here.")),),
)
