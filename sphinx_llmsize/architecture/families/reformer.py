"""Reformer: local attention and hashed (LSH) attention in reversible layers."""

from __future__ import annotations

from sphinx_llmsize.algebra import Quantity
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import UNTIED_NOTE
from sphinx_llmsize.architecture.family import Family, Items, sizes
from sphinx_llmsize.architecture.layers import Kinds, from_list, layer_stacks, same
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.task_heads import CLASSIFIER, classifier, dense_layer
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D, L, T, V
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_, _

LOCAL = LayerKind("local_attention", N_("local-attention"), "local")
HASHED = LayerKind("hashed_attention", N_("hashed-attention"), "hashed")
KIND_BY_NAME = {"local": LOCAL, "lsh": HASHED}
"""Kinds of attention by their names in ``layer_types``."""
DEFAULT_LAYER_TYPES = ("local", "lsh") * 3
"""Entries of ``layer_types`` if it is null."""
LOCAL_CHUNK = k.make_key(
    "local_chunk local_attn_chunk_length", N_("tokens in a chunk of local attention")
)
CHUNKS_BEFORE = k.make_key(
    "local_chunks_before local_num_chunks_before",
    N_("earlier chunks attended to"),
    k.ValueKind.WHOLE,
)
IS_AXIAL = k.flag("axial_positions axial_pos_embds", N_("axial position embeddings"))
AXIAL_POSITIONS = k.make_key(
    "num_axial_positions axial_pos_shape",
    N_("positions along each axis"),
    k.ValueKind.WHOLE_OR_LIST,
)
AXIAL_DIMS = k.make_key(
    "axial_position_dims axial_pos_embds_dim",
    N_("dimensions of the position embedding of each axis; their sum is D"),
    k.ValueKind.WHOLE_OR_LIST,
)


def reformer(config: Config) -> Items:
    """Pre-norm layers on two streams of width D, concatenated before the final norm.

    The cache holds the layers' inputs, from which keys and values are recomputed.
    """

    def block(mixer: LayerKind) -> Block:
        attention = hashed_attention() if mixer == HASHED else local_attention()
        return parts.pre_norm(parts.layer_norm, attention, parts.mlp(bias=True))

    return (
        parts.token_embedding(),
        axial_position_embedding(config) if config.flag(IS_AXIAL) else parts.position_embedding(),
        *layer_stacks(config.count(L), block, mixer=mixers(config)),
        parts.layer_norm_of(2 * D)("final_norm", N_("Final norm")),
        *_lm_head(),
    )


def _lm_head() -> Block:
    """LM head with two biases, of which only the first is added to the scores."""
    unused = parts.vector(
        "lm_head.unused_bias", V, "lm_head_bias", Role.BIAS, label=N_("unused bias")
    )
    head = parts.lm_head(tied=False, bias=True, width=2 * D)
    return parts.add_tensors((head,), unused, to="lm_head")


def mixers(config: Config) -> Kinds:
    """Kinds in ``layer_types``; if all entries are equal, the list may be shorter than L."""
    kinds = [KIND_BY_NAME[name] for name in config.names(k.LAYER_TYPES)]
    return same(kinds[0]) if len(set(kinds)) == 1 else from_list(kinds[: config.count(L)])


def window_tokens(config: Config) -> int:
    """Number of tokens in a chunk and in the earlier chunks that its queries attend to."""
    return config.count(LOCAL_CHUNK) * (1 + config.count(CHUNKS_BEFORE))


def local_attention() -> Block:
    """Multi-head attention to nearby tokens."""
    return parts.multi_head_attention(width=parts.QUERY_WIDTH, cache_width=D)


def hashed_attention() -> Block:
    """Attention with one projection for queries and keys.

    Kitaev et al. 2020, https://arxiv.org/abs/2001.04451, section 2
    """
    projections = (
        *parts.linear("qk_proj", D, parts.QUERY_WIDTH, "attn_qk", label="qk"),
        *parts.linear("v_proj", D, parts.QUERY_WIDTH, "attn_v", label="v"),
    )
    output = parts.linear("o_proj", parts.QUERY_WIDTH, D, "attn_o")
    return parts.attention(projections, output, qkv_width=2 * parts.QUERY_WIDTH, cache_width=D)


def axial_position_embedding(config: Config) -> Stage:
    """Position embedding that concatenates one vector per axis.

    There are as many axes as entries in ``axial_pos_embds_dim``; further numbers of positions have
    no effect.
    """
    axes = zip(config.counts(AXIAL_POSITIONS), config.counts(AXIAL_DIMS), strict=False)
    tables = tuple(
        _axis_table(axis, positions, dims) for axis, (positions, dims) in enumerate(axes, start=1)
    )
    label = N_("Axial position embedding")
    return Stage("position", label, Group.EMBEDDING, (T, D), tables, source=Source.INDICES)


def _axis_table(axis: int, positions: int, dims: int) -> Tensor:
    """Vectors of ``dims`` dimensions for the positions along an axis, by its number from 1."""
    rows = Quantity(f"P_{axis}", N_("positions along axis {number}", number=axis), positions)
    columns = Quantity(f"D_{axis}", N_("dimensions of axis {number}", number=axis), dims)
    label = N_("axis {number}", number=axis)
    name = f"position_embedding.{axis}.weight"
    return parts.table(name, (rows, columns), "position_embedding", label)


def _derive_layers(settings: k.Settings) -> k.Settings:
    """Kinds of the layers, by default six: local and hashed in turn; and the number of layers."""
    names = _layer_types(settings)
    return {k.LAYER_TYPES: names, k.NUM_LAYERS: len(names)}


def _layer_types(settings: k.Settings) -> tuple[str, ...]:
    """Entries of ``layer_types``, or the default."""
    is_null = settings[k.LAYER_TYPES] is None
    return DEFAULT_LAYER_TYPES if is_null else k.names_of(settings, k.LAYER_TYPES)


def _check_layers(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that a list of different kinds has an entry for each layer."""
    names = _layer_types(settings)
    layers = k.int_or_none(settings, k.NUM_LAYERS)
    if layers and layers > len(names) and len(set(names)) > 1:
        hint = _("give one for each layer, or leave out {key}", key=parsed.name(k.NUM_LAYERS))
        raise k.wrong_length(parsed, k.LAYER_TYPES, len(names), layers).with_hint(hint)


def _check_axes(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that the axes' dimensions add up to D, and that each axis has a number of positions.

    Messages name the keys {key}, {other} and {third}, as in the check of any :class:`k.Rule`.
    """
    dims, positions = k.ints_of(settings, AXIAL_DIMS), k.ints_of(settings, AXIAL_POSITIONS)
    hidden = k.int_or_none(settings, k.HIDDEN_DIM)
    if settings[IS_AXIAL] and hidden and (sum(dims) != hidden or len(positions) < len(dims)):
        raise parsed.error(
            N_("{key} {dims} and {other} {positions} do not fit {third} {hidden}"),
            AXIAL_DIMS,
            AXIAL_POSITIONS,
            k.HIDDEN_DIM,
            dims=str(dims)[:60],
            positions=str(positions)[:60],
            hidden=hidden,
            hint=N_("give as many of both, with dimensions that add up to {hidden}"),
        )


REFORMER = Family(
    model_type="reformer",
    title="Reformer",
    source="https://arxiv.org/abs/2001.04451",
    architectures=("ReformerModelWithLMHead",),
    defaults={
        **sizes(D=256, L=None, H=12, d_h=64, V=320, P=4096),
        k.LAYER_TYPES: None,
        LOCAL_CHUNK: 64,
        CHUNKS_BEFORE: 1,
        k.FFN_DIM: 512,
        IS_AXIAL: True,
        AXIAL_POSITIONS: (64, 64),
        AXIAL_DIMS: (64, 192),
        k.TIE_EMBEDDINGS: False,
    },
    compose=reformer,
    tasks=(Task.CONTINUATION, Task.MASKED_TOKENS),
    heads={
        Task.HIDDEN_STATES: (),
        Task.SEQUENCE_CLASS: (dense_layer(2 * D), *CLASSIFIER),
        Task.ANSWER_SPAN: (classifier(width=2 * D),),
    },
    rules=(
        k.only_these(k.LAYER_TYPES, KIND_BY_NAME),
        k.Rule(derive=_derive_layers, check=_check_layers),
        k.Rule(check=_check_axes),
        k.ATTENTION_HEADS_RULE,
    ),
    names={"attn_layers": k.LAYER_TYPES, "attention_head_size": k.HEAD_DIM},
    notes=(UNTIED_NOTE,),
    windows=parts.windows_in(parts.layers_of_kind(LOCAL, mixers), window_tokens),
    has_special_mask=True,  # hashes choose the tokens that attend to each other
    has_sparse_pattern=True,
)
