"""OLMo 1 to 3, OLMoE and FlexOlmo (experts), and OLMo Hybrid (gated delta nets)."""

from __future__ import annotations

from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.llama import LIKE_LLAMA
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.layers import among, every
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import F, L
from sphinx_llmsize.translation import N_


def olmo(config: Config) -> Items:
    """Llama's layers, except that norms have no weights and the MLP no biases."""
    return parts.uniform_decoder(
        config, parts.gqa(config), parts.gated_mlp(), norm=parts.plain_norm
    )


def olmo2(config: Config) -> Items:
    """GQA with one norm over all queries and one over all keys; norms on the sublayers' outputs."""
    attention = jointly_normed_attention(config)
    return parts.uniform_decoder(config, attention, parts.gated_mlp(), frame=parts.output_norm)


def olmoe(config: Config) -> Items:
    """OLMo 2's attention and experts in pre-norm layers."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    return parts.uniform_decoder(config, jointly_normed_attention(config), experts)


def flex_olmo(config: Config) -> Items:
    """OLMo 2 with experts in place of the MLP."""
    experts = parts.mixture_of_experts(parts.gated_experts(width=F))
    attention = jointly_normed_attention(config)
    return parts.uniform_decoder(config, attention, experts, frame=parts.output_norm)


def jointly_normed_attention(config: Config) -> Block:
    """GQA with one norm over the queries of all heads and one over the keys of all heads."""
    return parts.gqa(config, norms=parts.qk_norms(query=parts.QUERY_WIDTH, key=parts.KEY_WIDTH))


DEFAULT_ATTENTION_STEP = 4
"""Interval of the layers with full attention, unless ``layer_types`` lists them."""
KIND_BY_NAME = parts.mixer_names(parts.LINEAR_ATTENTION)
"""Mixers by their names in ``layer_types``."""


def olmo_hybrid(config: Config) -> Items:
    """Pre-norm layers of a gated delta net, and attention layers with norms on sublayers' outputs.

    By default, attention is in every fourth layer; of fewer than four layers, in the last.
    """
    attention = jointly_normed_attention(config)

    def block(mixer: LayerKind) -> Block:
        if mixer == parts.FULL_ATTENTION:
            return parts.output_norm(parts.rms_norm, attention, parts.gated_mlp())
        return parts.mixer_pre_norm(parts.rms_norm, parts.gated_delta_net(), parts.gated_mlp())

    layers = config.count(L)
    every_fourth = every(
        DEFAULT_ATTENTION_STEP,
        parts.FULL_ATTENTION,
        others=parts.LINEAR_ATTENTION,
        start=DEFAULT_ATTENTION_STEP - 1,
    )
    only_last = among([layers - 1], parts.FULL_ATTENTION, others=parts.LINEAR_ATTENTION)
    default = every_fourth if layers >= DEFAULT_ATTENTION_STEP else only_last
    mixer = parts.mixer_kinds(config, KIND_BY_NAME, otherwise=default)
    return parts.layered_decoder(config, block, mixer=mixer)


def _derive_linear_attention_sizes(settings: k.Settings) -> k.Settings:
    """Default sizes of linear attention: H heads; keys 3/4·D wide in total, values twice that."""
    hidden, heads = k.int_of(settings, k.HIDDEN_DIM), k.int_of(settings, k.NUM_HEADS)
    key_heads = k.int_or_none(settings, k.LINEAR_KEY_HEADS) or heads
    key_dim = k.int_or_none(settings, k.LINEAR_KEY_DIM) or 3 * hidden // (4 * key_heads)
    return {
        k.LINEAR_KEY_HEADS: heads,
        k.LINEAR_VALUE_HEADS: heads,
        k.LINEAR_KEY_DIM: key_dim,
        k.LINEAR_VALUE_DIM: 2 * key_dim,
    }


def _check_both_kinds(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that both linear and full attention occur among the layers."""
    if names := k.names_of(settings, k.LAYER_TYPES):
        has_one_kind = len({KIND_BY_NAME.get(name) for name in names}) == 1
    else:
        has_one_kind = settings[k.NUM_LAYERS] == 1
    if has_one_kind:
        message = N_("OLMo Hybrid has layers of linear and of full attention, not of one kind only")
        hint = N_("give at least one of each")
        raise parsed.error(message, k.LAYER_TYPES, k.NUM_LAYERS, hint=hint)


OLMO = variant(
    LIKE_LLAMA,
    "olmo",
    "OLMo",
    "OlmoForCausalLM",
    "https://arxiv.org/abs/2402.00838",
    defaults=sizes(F=11_008, V=50_304),
    removed=(k.MLP_BIAS,),
    compose=olmo,
)
OLMO2 = variant(
    OLMO, "olmo2", "OLMo 2", "Olmo2ForCausalLM", "https://arxiv.org/abs/2501.00656", compose=olmo2
)
OLMO3 = variant(
    OLMO2,
    "olmo3",
    "OLMo 3",
    "Olmo3ForCausalLM",
    defaults={k.SLIDING_WINDOW: 4096, k.LAYER_TYPES: None},
    rules=(*OLMO2.rules, k.LISTED_WINDOWS_RULE),
    windows=parts.windows_by_layer_types(otherwise=parts.full_every(4)),
)
OLMOE = variant(
    OLMO,
    "olmoe",
    "OLMoE",
    "OlmoeForCausalLM",
    "https://arxiv.org/abs/2409.02060",
    defaults=sizes(D=2048, L=16, H=16, F=2048, E=64, k=8),
    rules=(k.ATTENTION_HEADS_RULE, k.heads_fill_hidden()),  # its norms of Q have width D, not H·d_h
    compose=olmoe,
)
FLEX_OLMO = variant(
    OLMO,
    "flex_olmo",
    "FlexOlmo",
    "FlexOlmoForCausalLM",
    "https://arxiv.org/abs/2507.07024",
    defaults={k.VOCAB_SIZE: 100_352, k.NUM_EXPERTS: 7, k.EXPERTS_PER_TOKEN: 5},
    compose=flex_olmo,
)
OLMO_HYBRID = Family(
    model_type="olmo_hybrid",
    title="OLMo Hybrid",
    source="https://huggingface.co/docs/transformers/model_doc/olmo_hybrid",
    architectures=("OlmoHybridForCausalLM",),
    defaults={
        **sizes(D=3840, L=32, H=30, H_kv=None, d_h=None, V=100_352),
        **sizes(H_lk=None, H_lv=None, d_lk=None, d_lv=None, W=4, F=11_008),
        k.LAYER_TYPES: None,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.Rule(derive=_derive_linear_attention_sizes),
        k.layer_types_of(*KIND_BY_NAME),
        k.Rule(check=_check_both_kinds),
    ),
    compose=olmo_hybrid,
    positions=None,  # rotary or none, by rope_parameters, which isn't read
)
