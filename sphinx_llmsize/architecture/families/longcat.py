"""LongCat-Flash: layers of two attentions, two MLPs, and experts after the first attention."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, CountNote
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import F_E, D, E, T
from sphinx_llmsize.translation import N_

E_Z = Symbol("E_z", N_("zero-computation experts"))
ZERO_EXPERTS = k.size_key(
    E_Z, "num_zero_experts zero_expert_num", kind=k.ValueKind.WHOLE, optional=True
)
ROUTER_BIAS = k.flag("router_bias", N_("a bias on the router"))
ATTENTION_LAYERS = k.make_key(
    "num_attention_layers", N_("attention sublayers, two per layer"), optional=True
)
QUERY_HEAD_DIM = k.make_key(
    "query_head_dim qk_head_dim",
    N_("head dimension of queries and keys: nope_head_dim + rope_head_dim"),
    optional=True,
)
DEFAULT_LAYERS = 28
"""Number of layers if neither it nor the number of attention sublayers is set."""


def longcat_flash(config: Config) -> Items:
    """Attention, then experts in parallel with an MLP, a second attention and a second MLP.

    Router and experts read the output of the first MLP's norm.
    """
    half = parts.pre_norm(parts.rms_norm, parts.mla(config), parts.gated_mlp())
    attention, mlp = half  # each within its residual connection
    beside_experts = (mlp, *_second_copy(half))
    branches = Parallel((beside_experts, experts(config)), is_sum=config.has(E))
    return parts.decoder(config, (attention, branches))


def experts(config: Config) -> Block:
    """Router, E experts, and E_z zero-computation experts that return their input.

    If E is 0, there is only the router.
    """
    has_zero_experts = config.has(ZERO_EXPERTS)
    choices = E + E_Z if has_zero_experts else E
    weights = parts.linear("router", D, choices, "router", bias=config.flag(ROUTER_BIAS))
    label = N_("Router")
    router = Stage("router", label, Group.EXPERTS, (T, choices), weights, reads="ffn_norm")
    if not config.has(E):
        return (router,)
    routed = parts.with_router(router, parts.gated_experts())
    return side_by_side(routed, (_zero_experts(),)) if has_zero_experts else routed


def _zero_experts() -> Stage:
    """Matrices of zero-computation experts; transformers allocates them, but never uses them."""
    count = ExpertCount(E_Z, per_token=ZERO, is_zero_computation=True)
    tensors = (
        *parts.linear("zero_gate_proj", D, F_E, "experts", label=N_("gate"), expert_count=count),
        *parts.linear("zero_up_proj", D, F_E, "experts", label=N_("up"), expert_count=count),
    )
    label = N_("Zero experts: gate and up, unused")
    return Stage("zero_experts", label, Group.EXPERTS, (T, D), tensors)


def _second_copy(block: Block) -> Block:
    """Copy of stages with new ids and names, for the second half of a layer."""

    def rename(stage: Stage) -> Stage:
        return replace(
            stage,
            id=f"{stage.id}_2",
            label=N_("{stage} ({part})", stage=stage.label, part=2),
            tensors=tuple(
                replace(tensor, name=f"second.{tensor.name}") for tensor in stage.tensors
            ),
        )

    return parts.map_stages(block, rename)


def _derive_layers(settings: k.Settings) -> k.Settings:
    """Half as many layers as attention sublayers; 28 if their number isn't set either."""
    attentions = k.int_or_none(settings, ATTENTION_LAYERS)
    return {k.NUM_LAYERS: attentions // 2 if attentions else DEFAULT_LAYERS}


def _check_sizes(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that there are two attentions per layer, and that d_nope + d_rope is as configured."""
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    attentions = k.int_or_none(settings, ATTENTION_LAYERS)
    if layers and attentions and attentions // 2 != layers:
        raise parsed.error(
            N_("{layers} layers have {other} attentions, not {attentions}"),
            ATTENTION_LAYERS,
            layers=layers,
            other=2 * layers,
            attentions=attentions,
            hint=N_("keep num_layers; num_hidden_layers is twice as much in this family"),
        )
    nope, rope = (k.int_or_none(settings, key) or 0 for key in (k.NOPE_HEAD_DIM, k.ROPE_HEAD_DIM))
    if settings[QUERY_HEAD_DIM] not in (None, nope + rope):
        message, hint = N_("{key} is not {parts} + {other}"), N_("leave it out")
        raise parsed.error(message, QUERY_HEAD_DIM, parts=nope, other=rope, hint=hint)


LONGCAT_FLASH = Family(
    model_type="longcat_flash",
    title="LongCat-Flash",
    source="https://arxiv.org/abs/2509.01322",
    architectures=("LongcatFlashForCausalLM",),
    defaults={
        **sizes(D=6144, L=None, H=64, V=131_072),
        **unset(ATTENTION_LAYERS, QUERY_HEAD_DIM),
        **sizes(R_q=1536, R_kv=512, d_nope=128, d_rope=64),
        **sizes(d_v=128, F=12_288, E=512),
        ZERO_EXPERTS: 256,
        **sizes(k=12, F_e=2048),
        **off(ROUTER_BIAS, k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    names={"num_hidden_layers": ATTENTION_LAYERS},
    rules=(k.QUERY_LATENT_RULE, k.Rule(derive=_derive_layers, check=_check_sizes)),
    compose=longcat_flash,
    notes=(
        CORRECTION_BIAS_NOTE,
        CountNote(N_("Router and experts read the output of the first FFN's norm.")),
        CountNote(
            N_(
                "Zero-computation experts return their input. Transformers allocates gate and up "
                "matrices for them, which are never used; they are counted here."
            ),
            ZERO_EXPERTS,
        ),
        CountNote(
            N_("Active parameters: those of a token that is sent to no zero-computation expert."),
            ZERO_EXPERTS,
        ),
    ),
    positions=parts.Positions.ROTARY,
)
