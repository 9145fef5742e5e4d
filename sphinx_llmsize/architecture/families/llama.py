"""LLaMA, Llama 2, 3 and 4, and the text decoder of Llama 3.2 Vision."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, round_up
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, without
from sphinx_llmsize.architecture.layers import Kinds, among, every
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Stage
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import F_E, D, T, V
from sphinx_llmsize.translation import N_

DEFAULT_FFN_DIM = 11_008
"""Default feed-forward width in transformers."""
DEFAULT_MULTIPLE_OF = 256
"""Default of ``multiple_of`` in LLaMA's own code."""


def llama(config: Config) -> Items:
    """Pre-norm layers of GQA and a gated MLP, each with optional biases."""
    return parts.uniform_decoder(config, parts.gqa(config), parts.gated_mlp_of(config))


def _derive_ffn_dim(settings: k.Settings) -> k.Settings:
    """Feed-forward width in LLaMA's own code (``llama/model.py``, FeedForward).

    ``int(2 · 4·D / 3)``, times ``ffn_dim_multiplier`` if it is set, rounded up to a multiple of
    ``multiple_of``: 11,008 for D = 4,096 and multiple_of = 256.
    If neither key is set, the width is transformers' default, 11,008.
    """
    factor, multiple = settings[k.FFN_DIM_MULTIPLIER], k.int_or_none(settings, k.MULTIPLE_OF)
    if multiple is None and factor is None:
        return {k.FFN_DIM: DEFAULT_FFN_DIM}
    multiple = multiple or DEFAULT_MULTIPLE_OF
    width = 2 * 4 * k.int_of(settings, k.HIDDEN_DIM) // 3
    if isinstance(factor, (int, float)):
        width = int(factor * width)
    # a tiny factor could make it 0
    return {k.FFN_DIM: max(multiple, round_up(width, multiple))}


def _check_ffn_dim(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that a configured width equals the derived one.

    In a ``config.json``, the width may be null only if another key derives it: transformers'
    default would be a guess.
    """
    width = k.int_or_none(settings, k.FFN_DIM)
    sources = (k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER)
    if all(settings[key] is None for key in sources):
        is_null = k.FFN_DIM in parsed.settings and width is None
        if is_null and parsed.is_config_json:
            hint = N_("give its value, or {other} to derive it")
            raise parsed.error(N_("{key} is null"), k.FFN_DIM, k.MULTIPLE_OF, hint=hint)
        return
    if not width:
        return
    derived = _derive_ffn_dim(settings)[k.FFN_DIM]
    if derived != width:
        message = N_("{key} is {width}, but multiple_of and ffn_dim_multiplier make it {derived}")
        hint = N_("write '{key}: null' to derive it, or remove the others")
        raise parsed.error(
            message, *sources, k.FFN_DIM, key=k.FFN_DIM, width=width, derived=derived, hint=hint
        )


LLAMA_FFN_DIM_RULE = k.Rule(derive=_derive_ffn_dim, check=_check_ffn_dim)
"""Default of the feed-forward width, and its check against LLaMA's own formula."""
LLAMA = Family(
    model_type="llama",
    title="Llama",
    source="https://arxiv.org/abs/2302.13971",
    architectures=("LlamaForCausalLM", "LLaMAForCausalLM"),
    defaults={
        **sizes(D=4096, L=32, H=32, H_kv=None, d_h=None, F=None, V=32_000, P=2048),
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS, k.MLP_BIAS),
        **unset(k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER),
    },
    compose=llama,
    rules=(k.ATTENTION_HEADS_RULE, LLAMA_FFN_DIM_RULE),
    positions=parts.Positions.ROTARY,
)
LIKE_LLAMA = replace(
    LLAMA,
    defaults=without(LLAMA.defaults, k.MAX_POSITIONS, k.MULTIPLE_OF, k.FFN_DIM_MULTIPLIER),
    rules=(k.ATTENTION_HEADS_RULE,),
)
"""Base of similar families, whose feed-forward width has a default."""


EXPERT_LAYER_NUMBERS = k.make_key(
    "expert_layer_numbers moe_layers",
    N_("layers with experts, counted from 0"),
    k.ValueKind.LAYERS,
    optional=True,
)


def llama4(config: Config) -> Items:
    """GQA, then either a gated MLP, or experts with a shared expert as wide as one of them."""
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(width=F_E))
    return parts.decoder_with_experts(config, parts.gqa(config), experts, _expert_kinds(config))


def _expert_kinds(config: Config) -> Kinds:
    """Experts in the layers that ``moe_layers`` lists, or if it is null, in every n-th layer."""
    if config[EXPERT_LAYER_NUMBERS] is not None:
        return among(config.counts(EXPERT_LAYER_NUMBERS), parts.MOE, others=parts.DENSE)
    step = config.count(k.EXPERT_LAYER_STEP)
    return every(step, parts.MOE, others=parts.DENSE, start=step - 1)


LLAMA4 = Family(
    model_type="llama4_text",
    title="Llama 4",
    source="https://huggingface.co/docs/transformers/model_doc/llama4",
    architectures=("Llama4ForCausalLM",),
    defaults={
        **sizes(D=5120, L=48, H=40, H_kv=8, d_h=128, F=16_384, V=202_048, E=16, k=1, F_e=8192),
        k.EXPERT_LAYER_STEP: 1,
        **unset(EXPERT_LAYER_NUMBERS, k.ROTARY_LAYERS, k.LAYER_TYPES),
        k.ATTENTION_CHUNK: 8192,
        k.NO_ROPE_INTERVAL: 4,
        **off(k.TIE_EMBEDDINGS, k.ATTENTION_BIAS),
    },
    compose=llama4,
    names={"intermediate_size": k.EXPERT_DIM, "intermediate_size_mlp": k.FFN_DIM},
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of("chunked_attention", *k.FULL_ATTENTION_NAMES)),
    windows=parts.windows_by_layer_types(
        otherwise=parts.rotary_layers, size=parts.window_from(k.ATTENTION_CHUNK)
    ),
    positions=parts.rotary_in(parts.rotary_layers),
)


IMAGE_TOKENS = 8
"""Rows of the token embedding without a counterpart in the LM head."""
CROSS_ATTENTION_LAYERS = k.make_key(
    "cross_attention_layers",
    N_("layers with image cross-attention, counted from 0"),
    k.ValueKind.LAYERS,
)
SELF_ATTENTION = LayerKind("self_attention", N_("self-attention"), "self")


def mllama(config: Config) -> Items:
    """Llama's layers, some with gated cross-attention in place of self-attention; untied head."""

    def block(kind: LayerKind) -> Block:
        if kind == SELF_ATTENTION:
            attention = parts.grouped_query_attention()
            return parts.pre_norm(parts.rms_norm, attention, parts.gated_mlp())
        gate = _residual_gate("ffn_residual", N_("Gate after FFN"))
        feed_forward = (*parts.gated_mlp(), gate)
        return parts.pre_norm(parts.rms_norm, _gated_cross_attention(), feed_forward)

    cross_layers = config.counts(CROSS_ATTENTION_LAYERS)
    kinds = among(cross_layers, parts.CROSS_ATTENTION, others=SELF_ATTENTION)
    embedding = parts.token_embedding(rows=V + IMAGE_TOKENS)
    return parts.layered_decoder(config, block, embeddings=(embedding,), tied=False, kind=kinds)


def _gated_cross_attention() -> Block:
    """Cross-attention with grouped heads and QK norms; a learned number scales its output."""
    attention = parts.cross_attention(width=parts.QUERY_WIDTH, kv_width=parts.KEY_WIDTH)
    gate = _residual_gate("attention_residual", N_("Gate after attention"))
    # show the shape of the queries: there is a key for each image vector, not for each token
    norms = parts.map_stages(
        parts.qk_norms(), lambda stage: replace(stage, output=(T, parts.QUERY_WIDTH))
    )
    return (*parts.insert(attention, *norms, before="cross_scores"), gate)


def _residual_gate(id: str, label: str) -> Stage:
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
    rules=(k.ROUNDED_HEAD_DIM_RULE,),
    notes=(
        CountNote(N_("The cross-attention layers are part of the text decoder and counted here.")),
    ),
    positions=parts.Positions.ROTARY,
)
