"""Qwen3-Next, Qwen3.5 and Qwen4-Exp: gated delta nets in most layers, attention in the others."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import MTP_NOTE, CountNote
from sphinx_llmsize.architecture.families.qwen import expert_kinds
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, PerLayer, every, layer_stacks, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Residual
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import W_N, L, Length
from sphinx_llmsize.translation import N_

KIND_BY_NAME = parts.mixer_names(parts.LINEAR_ATTENTION)
"""Mixers by their names in ``layer_types``."""


def qwen3_next(config: Config) -> Items:
    """Decoder with experts and a gated shared expert, or a gated MLP in the dense layers."""
    return gated_delta_net_decoder(config, expert_kinds(config))


def qwen3_5(config: Config) -> Items:
    """Decoder with a gated MLP in every layer."""
    return gated_delta_net_decoder(config, same(parts.DENSE))


def qwen3_5_moe(config: Config) -> Items:
    """Decoder with experts and a gated shared expert in every layer."""
    return gated_delta_net_decoder(config, same(parts.MOE))


def gated_delta_net_decoder(config: Config, ffn_kinds: Kinds) -> Items:
    """Decoder of gated delta nets and, in listed layers or every n-th, gated attention.

    Args:
        config: the configuration.
        ffn_kinds: layers with a gated MLP (dense), and layers with experts and a shared expert.
    """
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(gate=True))
    attention = parts.gated_attention(bias=config.flag(k.ATTENTION_BIAS), norms=parts.qk_norms())

    def block(mixer: LayerKind, ffn: LayerKind) -> Block:
        feed_forward = parts.gated_mlp() if ffn == parts.DENSE else experts
        if mixer == parts.FULL_ATTENTION:
            return parts.pre_norm(parts.rms_norm, attention, feed_forward)
        return parts.mixer_pre_norm(parts.rms_norm, parts.gated_delta_net(), feed_forward)

    step = config.count(k.FULL_ATTENTION_INTERVAL)
    by_step = every(step, parts.FULL_ATTENTION, others=parts.LINEAR_ATTENTION, start=step - 1)
    mixer = parts.mixer_kinds(config, KIND_BY_NAME, otherwise=by_step)
    return parts.layered_decoder(config, block, mixer=mixer, ffn=ffn_kinds)


QWEN3_5 = Family(
    model_type="qwen3_5_text",
    title="Qwen3.5",
    source="https://huggingface.co/docs/transformers/model_doc/qwen3_5",
    architectures=("Qwen3_5ForCausalLM",),
    defaults={
        **sizes(D=4096, L=32, H=16, H_kv=4, d_h=256, V=248_320),
        **sizes(H_lk=16, H_lv=32, d_lk=128, d_lv=128, W=4, F=12_288),
        **unset(k.LAYER_TYPES, k.MTP_LAYERS),
        k.FULL_ATTENTION_INTERVAL: 4,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    rules=(k.ATTENTION_HEADS_RULE, k.layer_types_of(*KIND_BY_NAME)),
    compose=qwen3_5,
    notes=(MTP_NOTE,),
    positions=parts.Positions.ROTARY,
)
QWEN3_5_MOE = variant(
    QWEN3_5,
    "qwen3_5_moe_text",
    "Qwen3.5 MoE",
    "Qwen3_5MoeForCausalLM",
    defaults=sizes(D=2048, L=40, H_kv=2, E=256, k=8, F_e=512, F_s=512),
    removed=(k.FFN_DIM,),
    compose=qwen3_5_moe,
)
QWEN3_NEXT = variant(
    QWEN3_5_MOE,
    "qwen3_next",
    "Qwen3-Next",
    "Qwen3NextForCausalLM",
    defaults={
        **sizes(L=48, F=5632, V=151_936, E=512, k=10),
        k.EXPERT_LAYER_STEP: 1,
        k.DENSE_LAYERS: (),
    },
    compose=qwen3_next,
)


INDEXED, LINEAR = parts.INDEXED_ATTENTION, parts.LINEAR_ATTENTION
NO_NGRAMS = LayerKind("without_ngrams", "", "without")
KIND_BY_NAME_IN_QWEN4 = {
    "linear_attention": LINEAR,
    "indexed_attention": INDEXED,
    "full_attention": INDEXED,
}
"""Qwen4-Exp's mixers by their names in ``layer_types``."""

TOKENS_PER_INDEX_KEY = k.make_key(
    "index_block indexer_compress_ratio", N_("tokens per indexer key"), optional=True
)


def qwen4_exp(config: Config) -> Items:
    """Gated delta nets or indexed attention, then experts; several residual streams.

    Some layers begin with n-gram embeddings.
    """
    experts = parts.mixture_of_experts(parts.gated_experts(), shared=parts.shared_expert(gate=True))
    attention = indexed_attention(config)
    ngrams_by_number = ngrams(config)
    ngrams_by_kind = {ngram_kind(number): stages for number, stages in ngrams_by_number.items()}
    # PerLayer counts layers from 0, ngram_layers from 1
    kind_by_layer = {number - 1: ngram_kind(number) for number in ngrams_by_number}

    def block(mixer: LayerKind, ngram: LayerKind) -> Block:
        mixing = attention if mixer == INDEXED else parts.gated_delta_net()
        to_mixer = parts.low_rank_connection("mixer_streams", N_("Streams to mixer"))
        to_experts = parts.low_rank_connection("ffn_streams", N_("Streams to experts"))
        layer = (Residual((*to_mixer, *mixing)), Residual((*to_experts, *experts)))
        if ngram == NO_NGRAMS:
            return layer
        return (Residual(ngrams_by_kind[ngram]), *layer)

    step = config.count(k.FULL_ATTENTION_INTERVAL)
    by_step = every(step, INDEXED, others=LINEAR, start=step - 1)
    mixer = parts.mixer_kinds(config, KIND_BY_NAME_IN_QWEN4, otherwise=by_step)
    ngram = PerLayer(lambda layer: kind_by_layer.get(layer, NO_NGRAMS), is_same=not kind_by_layer)
    layers = layer_stacks(config.count(L), block, mixer=mixer, ngram=ngram)
    collapse = parts.low_rank_connection("stream_collapse", N_("Streams to one"), inject=False)
    return parts.decoder(config, (*layers, *collapse), norm=None)


def indexed_attention(config: Config) -> Block:
    """Gated attention with an indexer that has one key for each block of tokens."""
    attention = parts.gated_attention(bias=config.flag(k.ATTENTION_BIAS), norms=parts.qk_norms())
    tokens_per_key = config.count(TOKENS_PER_INDEX_KEY) if config.has(TOKENS_PER_INDEX_KEY) else 1
    blocks = Length("T_b", N_("blocks of {number} tokens", number=tokens_per_key), tokens_per_key)
    indexer = parts.block_indexer(fused=True, keys=blocks)
    return parts.add_branch(attention, indexer, before="scores")


def ngrams(config: Config) -> dict[int, Block]:
    """N-gram embeddings by the number of their layer, counted from 1; each has its own tables."""
    numbers = sorted({*config.counts(k.NGRAM_LAYERS)})
    if not numbers:
        return {}
    # number of tables in a layer: NGRAM_HEADS for each length from 2 to NGRAM_SIZE tokens
    tables = (config.count(k.NGRAM_SIZE) - 1) * config.count(k.NGRAM_HEADS)
    rows_by_layer = parts.table_rows(
        start=config.count(k.NGRAM_VOCAB_SIZE),
        tables=tables,
        multiple=config.count(k.NGRAM_VOCAB_MULTIPLE),
    )
    width = Quantity(
        "d_t", N_("dimension of one n-gram table"), config.count(k.NGRAM_DIM) // tables
    )
    earlier_tokens = Quantity(
        "W_b",
        N_("earlier tokens that the convolution on n-grams covers"),
        # neighbouring weights of the filter are for tokens NGRAM_SIZE apart
        (config.count(W_N) - 1) * config.count(k.NGRAM_SIZE),
    )
    return {
        number: parts.ngram_embeddings(parts.ngram_rows(number, rows), width, earlier_tokens)
        for number, rows in zip(numbers, rows_by_layer, strict=False)  # rows_by_layer is endless
    }


def ngram_kind(number: int) -> LayerKind:
    """Kind of the layer with this number, counted from 1, with its own n-gram tables."""
    return LayerKind(f"ngrams_{number}", N_("n-gram"), "n")


def _check_indexer(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the indexer's sizes are set, unless all layers have linear attention."""
    missing_names = [key.name for key in (k.INDEX_HEADS, k.INDEX_HEAD_DIM) if settings[key] is None]
    if types := k.names_of(settings, k.LAYER_TYPES):
        is_linear_only = {*types} == {"linear_attention"}
    else:
        step = k.int_or_none(settings, k.FULL_ATTENTION_INTERVAL) or 1
        is_linear_only = (k.int_or_none(settings, k.NUM_LAYERS) or 0) < step
    if missing_names and not is_linear_only:
        raise parsed.missing(
            missing_names, N_("attention in this family selects keys with an indexer")
        )


QWEN4_EXP_TEXT = Family(
    model_type="qwen4_exp_text",
    title="Qwen4-Exp",
    source="https://huggingface.co/docs/transformers/model_doc/qwen4_exp",
    architectures=("Qwen4ExpForCausalLM",),
    defaults={
        **sizes(D=2048, L=40, H=16, H_kv=2, d_h=256, V=248_320, H_i=None, d_i=None),
        **unset(k.LAYER_TYPES, TOKENS_PER_INDEX_KEY, k.NGRAM_LAYERS),
        k.FULL_ATTENTION_INTERVAL: 4,
        **sizes(H_lk=16, H_lv=32, d_lk=128, d_lv=128, W=4, E=512, k=10, F_e=512, F_s=512),
        **sizes(n_hc=4, R_hc=320, d_n=None, W_n=4),
        k.NGRAM_SIZE: 3,
        k.NGRAM_HEADS: 8,
        k.NGRAM_VOCAB_SIZE: 20_000_000,
        k.NGRAM_VOCAB_MULTIPLE: 128,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
    },
    names={"indexer_n_heads": k.INDEX_HEADS, "indexer_head_dim": k.INDEX_HEAD_DIM},
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.layer_types_of(*KIND_BY_NAME_IN_QWEN4),
        k.Rule(check=_check_indexer),
        k.same_as(k.HIDDEN_DIM, k.NGRAM_DIM),
        k.NGRAM_TABLES_RULE,
    ),
    compose=qwen4_exp,
    positions=parts.Positions.ROTARY,
    notes=(CountNote(N_("A vision encoder, if a model has one, is not counted here.")),),
)
