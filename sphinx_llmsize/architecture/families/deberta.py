"""DeBERTa, DeBERTa V2 and V3: attention with separate scores for content and for positions."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.albert import embedding_width
from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS
from sphinx_llmsize.architecture.families.disentangled_attention import (
    BUCKETS,
    KNOWN_NAMES,
    RELATIVE_ATTENTION,
    RELATIVE_NORM,
    RELATIVE_RANGE,
    SCORE_NAMES,
    SHARED_PROJECTIONS,
    add_position_scores,
    relative_position_table,
    relative_range,
)
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, unset, variant
from sphinx_llmsize.architecture.layers import first, layer_stacks
from sphinx_llmsize.architecture.stacks import LayerKind
from sphinx_llmsize.architecture.stages import Block, Group, Parallel, Stage
from sphinx_llmsize.architecture.task_heads import CHOICE, CLASSIFIER, TOKEN_HEADS
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import T_SEEN, V_T, D, H, L, Length, T, W
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

D_POOL = Symbol("D_pool", N_("dimension of the pooler"))
G_W = Symbol("G_w", N_("groups of the convolution"))
POOLER_DIM = k.size_key(D_POOL, "pooler_dim pooler_hidden_size", optional=True)
CONV_GROUPS = k.size_key(G_W, "conv_groups")
CONV_WIDTH = k.size_key(W, "first_conv_width conv_kernel_size", kind=k.ValueKind.WHOLE)
ABSOLUTE_POSITIONS = k.flag("absolute_positions position_biased_input", N_("a table of positions"))
TALKING_HEADS = k.flag("talking_heads talking_head", N_("matrices H × H on the scores"))
LEGACY_HEAD = k.flag("legacy", N_("a head for masked tokens that can be untied"))


def deberta(config: Config) -> Items:
    """BERT's layers with one matrix for Q, K and V, and biases on Q and V only.

    He et al. 2020, https://arxiv.org/abs/2006.03654
    """
    positions = relative_range(config, RELATIVE_RANGE)
    label = N_("relative positions in use in each direction")
    positions_in_use = Length("T_rel", label, limit=positions.value)
    qkv = (
        *parts.linear("qkv_proj", D, 3 * D, "attn_qkv"),
        parts.vector("q_bias", D, "attn_qkv", Role.BIAS, "q"),
        parts.vector("v_bias", D, "attn_qkv", Role.BIAS, "v"),
    )
    output = parts.linear("o_proj", D, D, "attn_o", bias=True)
    content_attention = parts.attention(qkv, output, qkv_width=3 * D, width=D)
    attention = add_position_scores(config, content_attention, positions_in_use, key_bias=False)
    if config.flag(TALKING_HEADS):
        mixing = (
            Tensor(f"{name}_mixing.weight", (H, H), "attn_o", applications=T_SEEN)
            for name in ("logits", "weights")
        )
        attention = parts.add_tensors(attention, *mixing, to="scores")
    return encoder(config, attention, positions)


def deberta_v2(config: Config) -> Items:
    """BERT's layers with buckets of relative positions and, in V2, a convolution beside the first.

    He et al. 2021, https://arxiv.org/abs/2111.09543
    """
    positions = relative_range(config, BUCKETS, RELATIVE_RANGE)
    attention = add_position_scores(
        config,
        parts.multi_head_attention(bias=True),
        positions,
        shared=config.flag(SHARED_PROJECTIONS),
    )
    return encoder(config, attention, positions, beside_first=convolution(config))


def encoder(config: Config, attention: Block, positions: Size, beside_first: Block = ()) -> Items:
    """Embeddings, post-norm layers and, if the task is masked tokens, the head.

    Args:
        config: the configuration.
        attention: attention of every layer.
        positions: number of relative positions in each direction.
        beside_first: stages added to the output of the first layer; a norm follows the sum.
    """
    width = embedding_width(config)
    layer = parts.post_norm(parts.layer_norm, parts.without_cache(attention), parts.mlp(bias=True))

    def block(kind: LayerKind) -> Block:
        if beside_first and kind == parts.FIRST:
            norm = parts.layer_norm("first_norm", N_("Norm after convolution"))
            return (Parallel((layer, beside_first), is_sum=True), norm)
        return layer

    if config.flag(LEGACY_HEAD):
        tied = config.flag(k.TIE_EMBEDDINGS)
        token_head = parts.masked_token_head(tied=tied, width=width, shared_bias=tied)
    else:  # always tied; of width D in transformers, even if the token embedding is narrower
        token_head = parts.masked_token_head(tied=True)
    return (
        *_embeddings(config, width),
        parts.embedding_norm(),
        *relative_position_table(config, positions),
        *layer_stacks(config.count(L), block, kind=first(1, parts.FIRST, then=parts.LATER)),
        *parts.encoder_head(config, token_head=token_head, pooled=()),
    )


def _embeddings(config: Config, width: Size) -> Block:
    """The configured embeddings, ``width`` wide, and a projection to D unless they are D wide."""
    embeddings: Block = (parts.token_embedding(width),)
    if config.flag(ABSOLUTE_POSITIONS):
        embeddings += (parts.position_embedding(width=width),)
    if config.has(V_T):
        embeddings += (parts.token_type_embedding(width=width),)
    if width == D:
        return embeddings
    return (*embeddings, parts.embedding_projection(width))


def convolution(config: Config) -> Block:
    """A convolution on the embeddings, added to the first layer's output; empty if W is 0."""
    if not config.has(CONV_WIDTH):
        return ()
    groups = config.count(CONV_GROUPS)
    label = N_("channels of a group of the convolution")
    channels = D if groups == 1 else Quantity("D_conv", label, config.count(D) // groups)
    weight = Tensor("conv.weight", (D, channels, W), "ssm", role=Role.FILTER)
    bias = parts.vector("conv.bias", D, "ssm", Role.BIAS)
    return (Stage("convolution", N_("Convolution"), Group.MIXER, (T, D), (weight, bias)),)


def _with_pooler(head: Block) -> Block:
    """Head after a pooler, which is a matrix D_pool × D_pool and a bias."""
    tensors = parts.linear("pooler", D_POOL, D_POOL, "pooler", bias=True)
    return (Stage("pooler", N_("Pooler"), Group.HEAD, (ONE, D_POOL), tensors), *head)


DEBERTA = Family(
    model_type="deberta",
    title="DeBERTa",
    source="https://arxiv.org/abs/2006.03654",
    architectures=("DebertaModel",),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=50_265, P=512, V_t=0),
        **unset(k.EMBEDDING_DIM, POOLER_DIM, SCORE_NAMES),
        RELATIVE_RANGE: -1,
        RELATIVE_NORM: "none",
        **off(RELATIVE_ATTENTION, TALKING_HEADS),
        **dict.fromkeys((ABSOLUTE_POSITIONS, LEGACY_HEAD, k.TIE_EMBEDDINGS), True),
    },
    compose=deberta,
    positions=lambda config: parts.Positions.RELATIVE if config.flag(RELATIVE_ATTENTION) else None,
    rules=(
        k.ATTENTION_HEADS_RULE,
        k.heads_fill_hidden(),
        k.same_as(k.HIDDEN_DIM, k.EMBEDDING_DIM, POOLER_DIM),
        *KNOWN_NAMES,
    ),
    tasks=ENCODER_TASKS,
    heads={
        **TOKEN_HEADS,
        Task.SEQUENCE_CLASS: _with_pooler(CLASSIFIER),
        Task.CHOICE: _with_pooler(CHOICE),
    },
)
DEBERTA_V2 = variant(
    DEBERTA,
    "deberta-v2",
    "DeBERTa V2",
    "DebertaV2Model",
    "https://arxiv.org/abs/2111.09543",
    defaults={
        **sizes(D=1536, L=24, H=24, d_h=None, F=6144, V=128_100),
        BUCKETS: -1,
        SHARED_PROJECTIONS: False,
        CONV_WIDTH: 0,
        CONV_GROUPS: 1,
    },
    compose=deberta_v2,
    names={"attention_head_size": k.HEAD_DIM},
)
