"""Nemotron-H and Nemotron 3: each layer is either Mamba-2, attention, experts or an MLP."""

from __future__ import annotations

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import MTP_NOTE, UNTIED_NOTE
from sphinx_llmsize.architecture.families.mamba import mamba2_mixer
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import from_list
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_M, H_M
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_, _

R_E = Symbol("R_e", N_("latent dimension of the experts"))
EXPERT_LATENT_DIM = k.size_key(R_E, "expert_latent_dim moe_latent_size", optional=True)
PATTERN = k.make_key(
    "layer_pattern hybrid_override_pattern",
    N_("a letter for each layer: M Mamba-2, * attention, E experts, - FFN"),
    k.ValueKind.LETTERS,
    optional=True,
)
FFN = LayerKind("ffn", N_("FFN"), "FFN")
KIND_BY_LETTER = {"M": parts.MAMBA2, "*": parts.ATTENTION, "E": parts.MOE, "-": FFN}
"""Kinds of layers by their letters in the pattern."""
KIND_BY_NAME = {
    "mamba": parts.MAMBA2,
    "linear_attention": parts.MAMBA2,
    "attention": parts.ATTENTION,
    "full_attention": parts.ATTENTION,
    "moe": parts.MOE,
    "mlp": FFN,
}
"""Kinds of layers by their names in ``layer_types``."""
DEFAULT_PATTERN = "ME*-"
"""Pattern if neither a pattern nor ``layer_types`` is set."""
LAYER_KEYS = (k.LAYER_TYPES, PATTERN, k.NUM_LAYERS)
"""Keys that set the layers; errors refer to the first one in the configuration."""


def nemotron_h(config: Config) -> Items:
    """Layers of a norm and one sublayer, in the configured order; an untied LM head."""

    def block(kind: LayerKind) -> Block:
        if kind == parts.ATTENTION:
            return (parts.attention_residual(parts.rms_norm, parts.grouped_query_attention()),)
        if kind == parts.MAMBA2:
            mixer = mamba2_mixer(config, width=H_M * D_M)  # independent of D
            return parts.mixer_pre_norm(parts.rms_norm, mixer)
        if kind == parts.MOE:
            return (parts.ffn_residual(parts.rms_norm, experts(config)),)
        mlp = parts.mlp(bias=config.flag(k.MLP_BIAS))
        return (parts.ffn_residual(parts.rms_norm, mlp),)

    kinds = from_list([KIND_BY_NAME[name] for name in config.names(k.LAYER_TYPES)])
    return parts.layered_decoder(config, block, tied=False, kind=kinds)


def experts(config: Config) -> Block:
    """Ungated experts and a shared expert; with R_e, routed experts work in a latent space."""
    bias = config.flag(k.MLP_BIAS)
    if config.has(R_E):
        routed = parts.through_latent(parts.plain_experts(inputs=R_E), R_E, bias=bias)
    else:
        routed = parts.plain_experts()
    return parts.mixture_of_experts(routed, shared=parts.plain_shared_expert(bias=bias))


def _derive_layers(settings: k.Settings) -> k.Settings:
    """Kinds of the layers, from ``layer_types`` or the pattern, and the number of layers."""
    names = k.names_of(settings, k.LAYER_TYPES)
    if settings[k.LAYER_TYPES] is None:
        # some kinds have two names: either will do
        name_by_kind = {kind: name for name, kind in KIND_BY_NAME.items()}
        names = tuple(name_by_kind[KIND_BY_LETTER[letter]] for letter in _pattern(settings))
    return {k.LAYER_TYPES: names, k.NUM_LAYERS: len(names)}


def _pattern(settings: k.Settings) -> str:
    """Configured pattern, or the default pattern of four layers."""
    pattern = settings[PATTERN]
    return DEFAULT_PATTERN if pattern is None else str(pattern)


def _replace_shared_expert_width(settings: k.Settings) -> k.Settings:
    """Width of the shared expert; if it is 0 or null, that of the MLPs."""
    return {k.SHARED_EXPERT_DIM: settings[k.SHARED_EXPERT_DIM] or settings[k.FFN_DIM]}


def _check_pattern(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the pattern has one or more letters, all of them known."""
    pattern = _pattern(settings)
    unknown = sorted(set(pattern) - set(KIND_BY_LETTER))
    if not pattern:
        message, wrong = N_("no layers"), ""
    elif unknown:
        message, wrong = N_("{key} has the unknown letter {letter}"), repr(unknown[0])
    else:
        return
    known = ", ".join(f"{letter} ({_(kind.label)})" for letter, kind in KIND_BY_LETTER.items())
    raise parsed.error(
        message,
        *LAYER_KEYS,
        key=PATTERN,
        letter=wrong,
        names=known,
        hint=N_("its letters are {names}"),
        problem=Problem.VALUE,
    )


def _check_layer_count(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that ``layer_types``, or else the pattern, has an entry for each layer."""
    if settings[k.LAYER_TYPES] is not None:
        source, count = k.LAYER_TYPES, len(k.names_of(settings, k.LAYER_TYPES))
    else:
        source, count = PATTERN, len(_pattern(settings))
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    if layers not in (None, count):
        raise parsed.error(
            N_("{key} is {layers}, but {source} has {count} layers"),
            *LAYER_KEYS,
            key=k.NUM_LAYERS,
            layers=layers,
            count=count,
            source=source,
            hint=N_("give {source} with an entry for each layer"),
        )


NEMOTRON_H = Family(
    model_type="nemotron_h",
    title="Nemotron-H",
    source="https://arxiv.org/abs/2504.03624",
    architectures=("NemotronHForCausalLM",),
    defaults={
        **sizes(D=4096, L=None, H=32, H_kv=8, d_h=128, V=131_072),
        **unset(PATTERN, k.LAYER_TYPES),
        **sizes(H_m=128, d_m=64, G_m=8, S=128, W=4, F=21_504, E=8, k=2, F_e=7688, F_s=7688),
        EXPERT_LATENT_DIM: None,
        **off(k.MIXER_BIAS, k.MLP_BIAS, k.TIE_EMBEDDINGS),
        k.MIXER_CONV_BIAS: True,
        k.MTP_LAYERS: 0,
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.only_these(k.LAYER_TYPES, KIND_BY_NAME),
        k.Rule(derive=_derive_layers, check=_check_pattern),
        k.Rule(check=_check_layer_count),
        k.Rule(replace=_replace_shared_expert_width),
    ),
    compose=nemotron_h,
    notes=(MTP_NOTE, UNTIED_NOTE),
    positions=parts.Positions.NONE,
)
