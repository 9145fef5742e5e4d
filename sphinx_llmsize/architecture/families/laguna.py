"""Laguna: gated attention, whose number of heads may differ between layers, and experts."""

from __future__ import annotations

from sphinx_llmsize.algebra import LayerSize, Size
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import first, from_list, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_H, H
from sphinx_llmsize.translation import N_

GATE_WIDTH = k.make_key(
    "output_gate gating", N_("output gate: per-head (or true) or per-element"), k.ValueKind.CHOICE
)
HEADS_BY_LAYER = k.make_key(
    "num_heads_of_layers num_attention_heads_per_layer",
    N_("attention heads of each layer, if not num_heads in all"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)


def laguna(config: Config) -> Items:
    """Gated GQA with QK norms; a gated MLP in the first layer, then experts.

    The router's correction bias is a parameter; in most families, it is a buffer.
    """
    gate = parts.output_gate(width=gate_width(config))
    attention = parts.with_gate(parts.gqa_with_qk_norm(config), (gate,))
    experts = parts.mixture_of_experts(
        parts.gated_experts(), router=parts.corrected_router(), shared=parts.shared_expert()
    )
    counts = config.counts(HEADS_BY_LAYER)
    # layers with different numbers of heads are of different kinds, so that readers see "48-heads"
    attention_of = {
        kind_with_heads(count): attention_with_heads(attention, count) for count in counts
    }
    # layers with the configured number of heads keep the symbol H
    usual_kind = kind_with_heads(config.count(H))
    attention_of[usual_kind] = attention
    kinds = from_list([kind_with_heads(count) for count in counts])
    return parts.decoder_with_experts(
        config,
        attention_of,
        experts,
        parts.ffn_kinds(config, otherwise=first(1, parts.DENSE, then=parts.MOE)),
        mixers=kinds if counts else same(usual_kind),
    )


def gate_width(config: Config) -> Size:
    """Width of the output gate: H for one number per head, or H·d_h for one per dimension.

    As in transformers, ``false`` doesn't remove the gate: it means one number per dimension.
    """
    return H if config[GATE_WIDTH] in (True, "per-head") else H * D_H


def kind_with_heads(count: int) -> LayerKind:
    """Kind of layers with ``count`` heads."""
    return LayerKind(f"heads_{count}", N_("{number}-heads", number=count), str(count))


def attention_with_heads(attention: Block, count: int) -> Block:
    """Attention with ``count`` heads in place of H."""
    heads = LayerSize(
        f"H_{count}", N_("attention heads in layers with {number}", number=count), count
    )
    return parts.with_sizes(attention, {H: heads})


def _check_gate(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the output gate is ``per-head``, ``per-element``, true or false."""
    if isinstance(settings[GATE_WIDTH], str):
        k.one_of(GATE_WIDTH, "per-head", "per-element").check(settings, parsed)


GATE_RULE = k.Rule(check=_check_gate)
"""The output gate is one of transformers' kinds."""

LAGUNA = Family(
    model_type="laguna",
    title="Laguna",
    source="https://huggingface.co/docs/transformers/model_doc/laguna",
    architectures=("LagunaForCausalLM",),
    defaults={
        **sizes(D=2048, L=40, H=48, H_kv=8, d_h=128, V=100_352),
        **unset(HEADS_BY_LAYER, k.FFN_LAYER_TYPES, k.LAYER_TYPES),
        GATE_WIDTH: True,
        **sizes(F=8192, E=256, k=8, F_e=512, F_s=512, w=512),
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.one_for_each_layer(k.FFN_LAYER_TYPES, HEADS_BY_LAYER),
        k.LISTED_WINDOWS_RULE,
        GATE_RULE,
    ),
    compose=laguna,
    windows=parts.windows_by_layer_types(otherwise=parts.no_layer),
    positions=parts.Positions.ROTARY,
)
