"""HRM-Text: two stacks of layers, applied in nested cycles."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.stacks import LayerKind, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, L, T
from sphinx_llmsize.translation import N_

L_S = Symbol("L_s", N_("layers in each of the two stacks"))
C_H = Symbol("C_h", N_("high-level cycles"))
C_L = Symbol("C_l", N_("low-level cycles per high-level cycle"))
LAYERS_PER_STACK = k.size_key(L_S, "num_layers_per_stack", optional=True)
HIGH_CYCLES = k.size_key(C_H, "num_high_cycles H_cycles")
LOW_CYCLES = k.size_key(C_L, "num_low_cycles L_cycles")
LOW = LayerKind("low_level", N_("low-level"), "low")
HIGH = LayerKind("high_level", N_("high-level"), "high")


def hrm_text(config: Config) -> Items:
    """Two stacks of layers with gated attention, a gated MLP and norms without weights."""
    bias = config.flag(k.ATTENTION_BIAS)
    attention = parts.multi_head_attention(bias=bias, width=parts.QUERY_WIDTH)
    gated_attention = parts.with_gate(attention, (parts.output_gate(bias=bias),))
    block = parts.pre_norm(parts.plain_norm, gated_attention, parts.gated_mlp_of(config))
    # if L_s is set, L counts the layers of all cycles, like num_hidden_layers in transformers;
    # otherwise it is the number of layers in one stack
    layers: Size = L_S if config.has(L_S) else L
    stacks = (
        Stack("low", layers, block, (LOW,), passes=C_H * C_L),
        Stack("high", layers, block, (HIGH,), passes=C_H),
    )
    return parts.decoder(
        config, stacks, norm=parts.plain_norm, embeddings=(parts.token_embedding(), initial_state())
    )


def initial_state() -> Stage:
    """Initial state of the low-level stack, a fixed vector of D numbers (not trained)."""
    state = parts.vector("initial_state", D, "initial_state", Role.BIAS)
    return Stage("initial_state", N_("Initial state"), Group.RESIDUAL, (T, D), (state,))


HRM_TEXT = Family(
    model_type="hrm_text",
    title="HRM-Text",
    source="https://huggingface.co/docs/transformers/model_doc/hrm_text",
    architectures=("HrmTextForCausalLM",),
    defaults={
        **sizes(D=1536, L=16, H=12, d_h=128, V=151_808),
        LAYERS_PER_STACK: None,
        HIGH_CYCLES: 2,
        LOW_CYCLES: 3,
        k.FFN_DIM: 4096,
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
    },
    compose=hrm_text,
    has_special_mask=True,  # a prefix LM
    positions=parts.Positions.ROTARY,
)
