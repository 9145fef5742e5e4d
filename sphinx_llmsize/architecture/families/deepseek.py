"""DeepSeek: experts, with latent attention in V2 to V3.2 and compressed attention in V4."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CORRECTION_BIAS_NOTE, MTP_NOTE, CountNote
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import Kinds, every, from_list, layer_stacks
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_H, F_E, H, L, Length
from sphinx_llmsize.translation import N_


def deepseek_v2(config: Config) -> Items:
    """DeepSeek-V3's layers; MLPs and shared experts may have biases."""
    return deepseek(config, mlp_bias=config.flag(k.MLP_BIAS))


def deepseek(config: Config, *, mlp_bias: bool = False) -> Items:
    """Latent attention in every layer; a gated MLP in the first layers, then experts.

    Args:
        config: the configuration.
        mlp_bias: biases on the gated MLPs and on the shared experts.
    """
    return parts.decoder_with_experts(
        config,
        parts.mla(config),
        parts.experts_and_shared(config, shared_bias=mlp_bias),
        parts.first_dense(config),
        dense=parts.gated_mlp(bias=mlp_bias),
    )


def deepseek_v32(config: Config) -> Items:
    """DeepSeek-V3 with an indexer that selects the keys each query attends to."""
    attention = parts.mla(config, index=parts.lightning_indexer())
    kinds = parts.ffn_kinds(config, otherwise=parts.first_dense(config))
    return parts.decoder_with_experts(config, attention, parts.experts_and_shared(config), kinds)


DEEPSEEK_V3 = Family(
    model_type="deepseek_v3",
    title="DeepSeek-V3",
    source="https://arxiv.org/abs/2412.19437",
    architectures=("DeepseekV3ForCausalLM",),
    defaults={
        **sizes(D=7168, L=61, H=128, V=129_280),
        **sizes(R_q=1536, R_kv=512, d_nope=128, d_rope=64, d_v=128, F=18_432),
        **sizes(E=256, k=8, F_e=2048, E_s=1),
        k.FIRST_DENSE_LAYERS: 3,
        **off(k.ATTENTION_BIAS, k.TIE_EMBEDDINGS),
        k.MTP_LAYERS: None,
    },
    rules=(),  # not the usual one of heads: D / H is no size of latent attention
    compose=deepseek,
    notes=(MTP_NOTE, CORRECTION_BIAS_NOTE),
    positions=parts.Positions.ROTARY,
)
KIMI_K2 = variant(
    DEEPSEEK_V3, "kimi_k2", "Kimi K2", "DeepseekV3ForCausalLM", "https://arxiv.org/abs/2507.20534"
)
DEEPSEEK_V2 = variant(
    DEEPSEEK_V3,
    "deepseek_v2",
    "DeepSeek-V2",
    "DeepseekV2ForCausalLM",
    "https://arxiv.org/abs/2405.04434",
    defaults={
        **sizes(D=4096, L=32, H=32, F=11_008, V=102_400, E=64, k=None, F_e=1407, E_s=2),
        k.FIRST_DENSE_LAYERS: 0,
        k.MLP_BIAS: False,
    },
    rules=(k.ALL_EXPERTS_RULE,),
    compose=deepseek_v2,
    notes=(),
)
DEEPSEEK_V32 = variant(
    DEEPSEEK_V3,
    "deepseek_v32",
    "DeepSeek-V3.2",
    "DeepseekV32ForCausalLM",
    "https://arxiv.org/abs/2512.02556",
    defaults={**sizes(H_i=64, d_i=128), k.FFN_LAYER_TYPES: None},
    rules=(k.QUERY_LATENT_RULE, k.one_for_each_layer(k.FFN_LAYER_TYPES)),
    compose=deepseek_v32,
)


G = Symbol("G", N_("groups of heads in the output projection"))
R_O = Symbol("R_o", N_("latent dimension of the output of a group"))
M_C = Symbol("m_c", N_("tokens per entry in compressed sparse attention"))
M_H = Symbol("m_h", N_("tokens per entry in heavily compressed attention"))

OUTPUT_GROUPS = k.size_key(G, "num_output_groups o_groups")
OUTPUT_LORA_RANK = k.size_key(R_O, "output_latent_dim o_lora_rank")
SPARSE_RATE = k.size_key(
    M_C, "sparse_compress_rate compress_rates.compressed_sparse_attention compress_rate_csa"
)
HEAVY_RATE = k.size_key(
    M_H, "heavy_compress_rate compress_rates.heavily_compressed_attention compress_rate_hca"
)
COMPRESS_RATIOS = k.make_key(
    "compress_ratios",
    N_("compression of each layer: 0 (none), 4 (sparse) or 128 (heavy)"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)
SLIDING = LayerKind("sliding_window", N_("sliding-window"), "sliding")
SPARSE = LayerKind("compressed_sparse_attention", N_("CSA"), "CSA")
HEAVY = LayerKind("heavily_compressed_attention", N_("HCA"), "HCA")
KIND_BY_ENTRY: dict[str | int, LayerKind] = {
    "sliding_attention": SLIDING,
    "compressed_sparse_attention": SPARSE,
    "heavily_compressed_attention": HEAVY,
    0: SLIDING,
    4: SPARSE,
    128: HEAVY,
}
"""Attention kinds by their entries in ``layer_types`` (strings) and ``compress_ratios`` (ints)."""


def deepseek_v4(config: Config) -> Items:
    """Compressed attention, then experts; both read from and write to several residual streams."""
    output = parts.grouped_output(G, _group_width(config), R_O)
    experts = parts.mixture_of_experts(
        parts.gated_experts(), shared=parts.shared_expert(width=F_E, bias=config.flag(k.MLP_BIAS))
    )
    sparse_entries = _compressed_length("T_c", config.count(M_C))
    sparse_compressor: Block = (parts.compressor(M_C, overlap=True),)
    indexer = parts.entry_indexer(M_C, sparse_entries)
    heavy_entries = _compressed_length("T_h", config.count(M_H))
    heavy_compressor: Block = (parts.compressor(M_H),)
    attention_of_kind = {
        SLIDING: parts.compressed_attention(output),
        SPARSE: parts.compressed_attention(
            output, (sparse_compressor, indexer), entries=sparse_entries
        ),
        HEAVY: parts.compressed_attention(output, (heavy_compressor,), entries=heavy_entries),
    }

    def block(kind: LayerKind) -> Block:
        return parts.pre_norm_on_streams(
            parts.hyper_connection,
            attention_of_kind[kind],
            experts,
            ffn_label=N_("Streams to experts"),
        )

    layers = layer_stacks(config.count(L), block, kind=attention_kinds(config))
    return parts.decoder(config, (*layers, *parts.stream_collapse()))


def _group_width(config: Config) -> Size:
    """Input dimension of one group of the output projection: H·d_h / G."""
    width = config.count(H) * config.count(D_H) // config.count(G)
    return Quantity("d_g", N_("width of a group of heads"), width)


def _compressed_length(name: str, rate: int) -> Size:
    """Number of compressed entries: one for every ``rate`` tokens."""
    return Length(name, N_("compressed entries, one for every {number} tokens", number=rate), rate)


def attention_kinds(config: Config) -> Kinds:
    """Kinds in ``layer_types`` or ``compress_ratios``.

    If both are null, layers 3, 5, 7 … (counted from 0) have CSA, the others HCA.
    """
    entries = config.names(k.LAYER_TYPES) or config.counts(COMPRESS_RATIOS)
    if entries:
        layers = config.count(L)
        return from_list([KIND_BY_ENTRY[entry] for entry in entries[:layers]])
    return every(2, SPARSE, others=HEAVY, start=3)


def _check_kinds(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that lists have a known kind for each layer; extra entries are for MTP layers."""
    layers = k.int_or_none(settings, k.NUM_LAYERS) or 0
    for key in (k.LAYER_TYPES, COMPRESS_RATIOS):
        value = settings[key]
        if value is None:
            continue
        entries = value if isinstance(value, tuple) else ()
        if len(entries) < layers or any(entry not in KIND_BY_ENTRY for entry in entries):
            message = N_("{key} needs a known kind for each layer")
            raise parsed.error(message, key, hint=", ".join(map(str, KIND_BY_ENTRY)))


DEEPSEEK_V4 = Family(
    model_type="deepseek_v4",
    title="DeepSeek-V4",
    source="https://huggingface.co/deepseek-ai/DeepSeek-V4-Flash",
    architectures=("DeepseekV4ForCausalLM",),
    defaults={
        **sizes(D=4096, L=43, H=64, d_h=512, V=129_280, R_q=1024),
        OUTPUT_GROUPS: 8,
        OUTPUT_LORA_RANK: 1024,
        **sizes(H_i=64, d_i=128),
        SPARSE_RATE: 4,
        HEAVY_RATE: 128,
        **sizes(n_hc=4, E=256, k=6, F_e=2048, w=128),
        **off(k.MLP_BIAS, k.TIE_EMBEDDINGS),
        **unset(k.LAYER_TYPES, COMPRESS_RATIOS, k.MTP_LAYERS),
    },
    rules=(k.Rule(check=_check_kinds),),
    compose=deepseek_v4,
    names={"intermediate_size": k.EXPERT_DIM},
    notes=(
        MTP_NOTE,
        CORRECTION_BIAS_NOTE,
        CountNote(
            N_("the first layers' tables from tokens to experts (fixed, not learned)"),
            is_uncounted=True,
        ),
        CountNote(
            N_(
                "HCA is heavily compressed attention, CSA compressed sparse attention: each entry "
                "that a query attends to summarises several tokens; CSA selects the best entries."
            )
        ),
    ),
    windows=parts.windows_in_all_layers,
    positions=parts.Positions.ROTARY,
)
