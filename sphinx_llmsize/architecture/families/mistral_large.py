"""Mistral Large 4: latent attention with indexers; some layers have no rotary positions."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, Size, ceil_div
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import MTP_NOTE
from sphinx_llmsize.architecture.families.glm import INDEXER_RULES, kinds_by_pattern_or_interval
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset
from sphinx_llmsize.architecture.layers import Kinds, from_list, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_NOPE, D_ROPE, H_I, D, H, T
from sphinx_llmsize.translation import N_

KV_SOURCES = k.make_key(
    "kv_source_layers",
    N_("for each layer, the layer whose keys and values it uses: its own number or a lower one"),
    k.ValueKind.LAYERS,
    optional=True,
)
WITHOUT_POSITIONS = {D_NOPE: D_NOPE + D_ROPE, D_ROPE: ZERO}
"""Sizes in layers without rotary positions: all dimensions of a head are without positions."""


def mistral_large4(config: Config) -> Items:
    """Latent attention; layers may have an indexer, share a KV latent, or have no positions."""

    def block(index: LayerKind, kv: LayerKind, positions: LayerKind, ffn: LayerKind) -> Block:
        attention = parts.attention_from_latents(_queries(), bias=config.flag(k.ATTENTION_BIAS))
        if positions == parts.NO_POSITIONS:
            attention = parts.with_sizes(attention, WITHOUT_POSITIONS)
        if kv == parts.SHARED_KV:
            attention = parts.without_cache(parts.remove(attention, "kv_down", "kv_norm"))
        if index == parts.OWN_INDEX:
            attention = parts.add_branch(attention, *_indexer(), before="scores")
        feed_forward = parts.gated_mlp() if ffn == parts.DENSE else parts.experts_and_shared(config)
        return parts.pre_norm(parts.rms_norm, attention, feed_forward)

    return parts.layered_decoder(
        config,
        block,
        embeddings=(parts.token_embedding(), _rotary_scale(config)),
        index=parts.indexer_kinds(config, otherwise=kinds_by_pattern_or_interval(config)),
        kv=kv_kinds(config),
        positions=parts.rotary_layers(config).map(
            lambda rotary: parts.ROTARY if rotary else parts.NO_POSITIONS
        ),
        ffn=parts.ffn_kinds(config, otherwise=parts.first_dense(config)),
    )


def _rotary_scale(config: Config) -> Stage:
    """Learned factors of the rotary frequencies, as logarithms; each rotates two dimensions."""
    number = ceil_div(config.count(D_ROPE), 2)
    frequencies = Quantity("n_f", N_("rotary frequencies"), number)
    weight = parts.vector("rotary.alpha", frequencies, "position_embedding")
    label, shape = N_("Scale of the rotary frequencies"), (T, D_ROPE)
    return Stage("rotary", label, Group.EMBEDDING, shape, (weight,), source=Source.POSITIONS)


def kv_kinds(config: Config) -> Kinds:
    """Layers with their own KV latent, and those that use an earlier layer's."""
    sources = config.counts(KV_SOURCES)
    kinds = [
        parts.OWN_KV if source == layer else parts.SHARED_KV for layer, source in enumerate(sources)
    ]
    return from_list(kinds) if kinds else same(parts.OWN_KV)


def _queries() -> Block:
    """Queries, multiplied by ``scale · log(position + 1) + bias`` of their head."""
    shape, group = (T, parts.MLA_QUERY_WIDTH), Group.ATTENTION
    projection = parts.linear("q_proj", D, parts.MLA_QUERY_WIDTH, "attn_q")
    scale = _scale_and_bias("query_scale", H, "attn_scale")
    return (
        Stage("q", N_("Q projection"), group, shape, projection),
        Stage("query_scale", N_("Query scale"), group, shape, scale),
    )


def _indexer() -> Block:
    """DeepSeek-V3.2's indexer with queries from normed hidden states, scaled by position."""
    return parts.add_tensors(
        parts.lightning_indexer(inputs=D),
        parts.vector("index_q_norm.weight", D, "indexer", label=N_("q norm")),
        parts.vector("index_q_norm.bias", D, "indexer", Role.BIAS, N_("q norm")),
        *_scale_and_bias("index_scale", H_I, "indexer"),
        to="indexer",
    )


def _scale_and_bias(name: str, heads: Size, component: str) -> tuple[Tensor, ...]:
    """Slope and offset of the linear function of the logarithm of the position, for each head."""
    return (
        parts.vector(f"{name}.scale", heads, component, label=N_("scale")),
        parts.vector(f"{name}.bias", heads, component, Role.BIAS, N_("bias")),
    )


def _check_sources(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that each layer's source is itself, or an earlier layer that is its own source."""
    sources, layers = k.ints_of(settings, KV_SOURCES), k.int_or_none(settings, k.NUM_LAYERS)
    if settings[KV_SOURCES] is None or not layers:
        return
    if len(sources) != layers:
        raise k.wrong_length(parsed, KV_SOURCES, len(sources), layers)
    for layer, source in enumerate(sources):
        if source > layer or sources[source] != source:
            message = N_("{key} has {source} for layer {layer}, counted from 0")
            hint = N_("give the layer itself, or an earlier layer that is its own source")
            raise parsed.error(message, KV_SOURCES, source=source, layer=layer, hint=hint)


MISTRAL_LARGE4 = Family(
    model_type="mistral_large4_text",
    title="Mistral Large 4",
    source="https://huggingface.co/docs/transformers/model_doc/mistral_large4",
    architectures=("MistralLarge4ForConditionalGeneration",),
    defaults={
        **sizes(D=6144, L=72, H=64, V=204_800),
        **sizes(R_kv=512, d_nope=64, d_rope=64, d_v=128, H_i=32, d_i=128),
        **sizes(F=24_576, E=128, k=4, F_e=6144, E_s=1),
        k.FIRST_DENSE_LAYERS: 1,
        **unset(k.FFN_LAYER_TYPES, k.INDEXER_TYPES, k.INDEXER_PATTERN),
        k.INDEXER_INTERVAL: 1,
        k.INDEXER_OFFSET: 2,
        **unset(k.ROTARY_LAYERS, KV_SOURCES),
        k.NO_ROPE_INTERVAL: 4,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(*INDEXER_RULES, k.Rule(check=_check_sources)),
    compose=mistral_large4,
    notes=(replace(MTP_NOTE, key=None),),  # in the released weights; no key counts them
    positions=parts.rotary_in(parts.rotary_layers),
)
