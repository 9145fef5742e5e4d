"""Byte Latent Transformer (BLT): four transformers that turn bytes into patches and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sphinx_llmsize.algebra import ONE, Quantity, Size, Symbol, product
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.count_notes import CountNote
from sphinx_llmsize.architecture.family import Family, Items, off
from sphinx_llmsize.architecture.stacks import Item, LayerKind, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Residual, Source, Stage
from sphinx_llmsize.architecture.tensors import Shape, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_H, H_KV, T_SEEN, T_SOURCE, D, F, H, L, Length, T, V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

# Parts are written with the generic symbols D, L, H …, which ``specialize_block`` and
# ``specialize_stage`` replace by a submodel's own, such as D_e. ``sizes[D]`` is its symbol for D.
ENCODER = parts.submodel(parts.ENCODER, "e")
"""The transformer that encodes bytes."""
DECODER = parts.submodel(parts.DECODER, "d")
"""The transformer that predicts bytes."""
PATCHER = parts.submodel(LayerKind("patcher", N_("patcher")), "p")
"""The transformer over bytes that decides where patches begin."""
GLOBAL_KEYS = {
    D: k.HIDDEN_DIM,
    L: k.NUM_LAYERS,
    H: k.NUM_HEADS,
    H_KV: k.NUM_KV_HEADS,
    D_H: k.HEAD_DIM,
    F: k.FFN_DIM,
}
GLOBAL = parts.Submodel(LayerKind("global", N_("global")), GLOBAL_KEYS)
"""The transformer over patches; its sizes have the usual keys and symbols."""
T_P = Length("T_p", N_("patches in the sequence"), depends_on_text=True)
# one number with two keys: encoder_config.cross_attn_k (k_e) is how many vectors the encoder makes
# for a patch, cross_attn_k (k_x) the input width of the projection to the transformer over patches
K_X = Symbol("k_x", N_("encoder vectors in a patch"))
K_E = Symbol("k_e", N_("vectors per patch from the encoder"))
K_D = Symbol("k_d", N_("vectors per patch in the decoder"))
D_G = Symbol("D_g", N_("patch width in the decoder"))
V_H = Symbol("V_h", N_("table rows per byte-group size"))
HASHES = Symbol("n_h", N_("hash functions"))
PATCH_VECTORS = k.size_key(K_X, "patch_vectors cross_attn_k")
ENCODER_VECTORS = k.size_key(K_E, "encoder_patch_vectors encoder_config.cross_attn_k")
DECODER_VECTORS = k.size_key(K_D, "decoder_patch_vectors decoder_config.cross_attn_k")
DECODER_PATCH_DIM = k.size_key(D_G, "decoder_patch_dim decoder_config.hidden_size_global")
HASH_VOCAB = k.size_key(V_H, "hash_vocab_size encoder_hash_byte_group_vocab")
HASH_FUNCTIONS = k.size_key(HASHES, "num_hash_functions encoder_hash_byte_group_nb_functions")
HASH_GROUPS = k.make_key(
    "hash_group_sizes encoder_hash_byte_group_size",
    N_("bytes in a group, for each hash embedding"),
    k.ValueKind.WHOLE_OR_LIST,
    optional=True,
)
DEFAULT_HASH_GROUPS = (3, 4, 5, 6, 7, 8)
ENCODER_CROSS_EVERYWHERE = k.flag(
    "encoder_cross_attention_everywhere encoder_config.cross_attn_all_layers",
    N_("cross-attention in every layer of the encoder, not only the last"),
)
DECODER_CROSS_EVERYWHERE = k.flag(
    "decoder_cross_attention_everywhere decoder_config.cross_attn_all_layers",
    N_("cross-attention in every layer of the decoder, not only the first"),
)
HAS_PATCHER = k.flag("has_patcher patch_in_forward", N_("a patcher that is part of the model"))


def blt(config: Config) -> Items:
    """Patcher, byte encoder, transformer over patches, byte decoder."""
    first = patcher() if config.flag(HAS_PATCHER) else ()
    return (*first, *encoder(config), *patch_transformer(config), *decoder(config))


def patcher() -> Iterator[Item]:
    """Byte-level language model; a new patch starts at each byte that is hard to predict."""
    table = parts.table("patcher_embedding.weight", (V, D), "token_embedding")
    head = Tensor("patcher_head.weight", (D, V), "lm_head")
    label = N_("Byte embedding (patcher)")
    yield PATCHER.specialize_stage(
        Stage("patcher_embedding", label, Group.EMBEDDING, (T, D), (table,))
    )
    yield transformer(PATCHER)
    yield PATCHER.specialize_stage(parts.rms_norm("patcher_norm", N_("Final norm (patcher)")))
    yield PATCHER.specialize_stage(
        Stage("patcher_head", N_("LM head (patcher)"), Group.HEAD, (T, V), (head,))
    )


def encoder(config: Config) -> Iterator[Item]:
    """Embeddings of bytes and of hashed byte groups; cross-attention of patches to bytes."""
    yield _encoder_embeddings(config)
    cross = _cross_attention({T: product(T_P, K_E), T_SOURCE: T})
    if config.flag(ENCODER_CROSS_EVERYWHERE):
        yield _patch_queries(applications=ENCODER.sizes[L])
        yield transformer(ENCODER, after=cross)
    else:
        yield transformer(ENCODER)
        yield _patch_queries(applications=ONE)
        yield _cross_attention_layer(ENCODER, cross)


def _encoder_embeddings(config: Config) -> Parallel:
    """Sum of the embeddings of bytes and of hashed byte groups."""
    group_sizes = config.counts(HASH_GROUPS) or DEFAULT_HASH_GROUPS
    groups = Quantity("n_g", N_("sizes of byte groups"), len(group_sizes))
    width = ENCODER.sizes[D]
    shape: Shape = (ENCODER.sizes[V], width)
    if config.flag(k.TIE_EMBEDDINGS) and task_of(config) is Task.CONTINUATION:
        shape = (V, DECODER.sizes[D])  # in transformers, the tied table has the LM head's shape
    byte_table = parts.table("token_embedding.weight", shape, "token_embedding")
    hash_table = parts.table(
        "hash_embedding.weight", (HASHES * groups * V_H, width), "hash_embedding"
    )
    label, group = N_("Byte embedding"), Group.EMBEDDING
    of_bytes = Stage("embedding", label, group, (T, width), (byte_table,), source=Source.TOKENS)
    of_groups = Stage("hash_embedding", N_("Hash embeddings"), group, (T, width), (hash_table,))
    return Parallel(((of_bytes,), (of_groups,)), is_sum=True)


def _patch_queries(applications: Size) -> Stage:
    """Projection of each patch to k_e queries; all ``applications`` cross-attentions share it."""
    width = ENCODER.sizes[D]
    weights = parts.linear("patch_projection", width, K_E * width, "patch_projection")
    tensors = tuple(replace(tensor, applications=applications) for tensor in weights)
    label = N_("Bytes to patches")
    return Stage("encoder_patches", label, Group.ATTENTION, (T_P, K_E * width), tensors)


def patch_transformer(config: Config) -> Iterator[Item]:
    """Transformer over patches, after a projection if the width of a patch is not D."""
    if config.count(K_X) * config.count(ENCODER.keys[D]) != config.count(D):
        width = K_X * ENCODER.sizes[D]
        projection = parts.linear("patch_embedding_projection", width, D, "patch_projection")
        yield Stage("patch_input", N_("Patch projection"), Group.EMBEDDING, (T_P, D), projection)
    stack = transformer(GLOBAL)
    yield replace(stack, block=parts.with_sizes(stack.block, {T: T_P, T_SEEN: T_P}))


def decoder(config: Config) -> Iterator[Item]:
    """Byte decoder with cross-attention of bytes to patches, then a norm and the LM head."""
    width = DECODER.sizes[D]
    projection = parts.linear("patch_projection", D_G, K_D * width, "patch_projection")
    tied_to = N_("the byte embedding") if config.flag(k.TIE_EMBEDDINGS) else ""
    head = Tensor("lm_head.weight", (width, V), "lm_head", tied_to=tied_to)
    yield Stage(
        "decoder_patches", N_("Patches to bytes"), Group.ATTENTION, (T_P, K_D * width), projection
    )
    cross = _cross_attention({T_SOURCE: product(T_P, K_D)})
    if config.flag(DECODER_CROSS_EVERYWHERE):
        yield transformer(DECODER, before=cross)
    else:
        yield _cross_attention_layer(DECODER, cross)
        yield transformer(DECODER)
    yield DECODER.specialize_stage(parts.rms_norm("final_norm", N_("Final norm")))
    yield Stage("lm_head", N_("LM head"), Group.HEAD, (T, V), (head,))


def transformer(submodel: parts.Submodel, *, before: Block = (), after: Block = ()) -> Stack:
    """Stack of Llama's layers with a submodel's sizes, and other steps before and after each."""
    block = (
        *before,
        *parts.pre_norm(parts.rms_norm, parts.grouped_query_attention(), parts.gated_mlp()),
        *after,
    )
    kind = submodel.kind
    return Stack(kind.id, submodel.sizes[L], submodel.specialize_block(block), (kind,))


def _cross_attention(lengths: parts.Sizes) -> Block:
    """Cross-attention between bytes and patches, after norms.

    Args:
        lengths: replacements, made at the same time, for T (queries) and T_SOURCE (keys).
    """
    norms = parts.map_stages(
        parts.qk_norms(query=D, key=D),
        lambda stage: replace(stage, label=N_("Norms before Q and K"), output=(T, D)),
    )
    # keys and values come from the stages before, not from the final output of an encoder
    cross = parts.map_stages(
        parts.cross_attention(width=H * D_H, kv_width=H_KV * D_H),
        lambda stage: replace(stage, source=Source.BEFORE),
    )
    attention = (*norms, *parts.with_sizes(cross, lengths))
    # the published code adds the input twice: within the attention, and again to its result
    return (Residual((Residual(attention),)),)


def _cross_attention_layer(submodel: parts.Submodel, cross: Block) -> Stack:
    """Stack of one layer with cross-attention only, with the sizes of a submodel."""
    kinds = (submodel.kind, parts.CROSS_ATTENTION)
    return Stack(f"{submodel.kind.id}_cross", ONE, submodel.specialize_block(cross), kinds)


def _replace_head_dim(settings: k.Settings) -> k.Settings:
    """d_h of the transformer over patches: always D / H; a written value has no effect."""
    return {k.HEAD_DIM: GLOBAL.derive(settings)[k.HEAD_DIM]}


BLT = Family(
    model_type="blt",
    title="BLT",
    source="https://arxiv.org/abs/2412.09871",
    architectures=("BltForCausalLM",),
    defaults={
        # D, L, H, H_kv, F of each transformer, and V if it embeds bytes; None: H_kv = H, F = 8/3 D
        **GLOBAL.defaults(2048, 25, 16, None, 5632),
        k.VOCAB_SIZE: 260,
        **ENCODER.defaults(1024, 1, 16, None, None, 260),
        **DECODER.defaults(1024, 9, 16, None, 2816),
        **PATCHER.defaults(768, 14, 12, None, 2048, 260),
        PATCH_VECTORS: 2,
        ENCODER_VECTORS: 2,
        DECODER_VECTORS: 2,
        DECODER_PATCH_DIM: 2048,
        HASH_GROUPS: None,
        HASH_VOCAB: 500_002,
        HASH_FUNCTIONS: 1,
        **off(ENCODER_CROSS_EVERYWHERE, k.TIE_EMBEDDINGS),
        DECODER_CROSS_EVERYWHERE: True,
        HAS_PATCHER: True,
    },
    # the usual keys may also be written with their section, such as global_config.hidden_size
    names={
        f"global_config.{in_section}": GLOBAL_KEYS[symbol]
        for symbol, (_plain, in_section) in parts.SIZES.items()
        if symbol in GLOBAL_KEYS
    },
    rules=(
        k.Rule(derive=GLOBAL.derive, replace=_replace_head_dim),
        k.Rule(derive=ENCODER.derive),
        k.Rule(derive=DECODER.derive),
        k.Rule(derive=PATCHER.derive),
    ),
    compose=blt,
    notes=(
        CountNote(
            N_(
                "The patcher is a separate model, trained beforehand and then frozen; its "
                "parameters are counted here."
            ),
            HAS_PATCHER,
        ),
    ),
    positions=parts.Positions.ROTARY,
)
