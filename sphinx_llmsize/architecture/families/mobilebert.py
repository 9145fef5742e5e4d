"""MobileBERT: layers narrower than the vectors between them, with several feed-forward networks."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import BERT, BERT_TASKS
from sphinx_llmsize.architecture.family import Items, off, sizes, without
from sphinx_llmsize.architecture.stages import Block, Group, Stage, side_by_side
from sphinx_llmsize.architecture.task_heads import CHOICE, CLASSIFIER, TOKEN_HEADS
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings, int_of, int_or_none
from sphinx_llmsize.config.symbols import D_E, D_H, D, H, T, V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

D_B = Symbol("D_b", N_("dimension of the bottleneck"))
N_F = Symbol("n_F", N_("feed-forward networks of a layer"))
BOTTLENECK_DIM = size_key(D_B, "bottleneck_dim intra_bottleneck_size")
NUM_FFNS = size_key(N_F, "num_ffns num_feedforward_networks")
TRIGRAMS = flag("trigram_input", N_("the embeddings of a token and both neighbours are joined"))
BOTTLENECK = flag("has_bottleneck use_bottleneck", N_("layers are narrower than hidden_dim"))
NARROW_VALUES = flag(
    "narrow_attention use_bottleneck_attention", N_("queries, keys and values read the bottleneck")
)
SHARED_BOTTLENECK = flag(
    "key_query_shared_bottleneck", N_("queries and keys have a bottleneck of their own")
)
POOLER = flag("has_pooler classifier_activation", N_("a matrix before the classifier"))


def mobilebert(config: Config) -> Items:
    """Bottleneck, attention, n_F feed-forward networks with norms, and the way back to D.

    Sun et al. 2020, https://arxiv.org/abs/2004.02984
    """
    grams = 3 if config.flag(TRIGRAMS) else 1
    transform = parts.embedding_projection(grams * D_E, bias=True)
    if grams == 1 and config[D_E] == config[D]:
        weight, bias = transform.tensors
        transform = replace(transform, tensors=(replace(weight, applications=ZERO), bias))
    return (
        parts.token_embedding(D_E),
        transform,
        parts.position_embedding(),
        parts.token_type_embedding(),
        parts.embedding_norm(),
        *parts.equal_layers(layer(config)),
        *head(config),
    )


def layer(config: Config) -> Block:
    """Attention and feed-forward networks of the bottleneck's width, or of D without one."""
    has_bottleneck = config.flag(BOTTLENECK)
    width, heads = D_B if has_bottleneck else D, H * D_H
    value_inputs = width if config.flag(NARROW_VALUES) else D
    attention = parts.attention(
        (
            *parts.linear("q_proj", width, heads, "attn_q", bias=True, label="q"),
            *parts.linear("k_proj", width, heads, "attn_k", bias=True, label="k"),
            *parts.linear("v_proj", value_inputs, heads, "attn_v", bias=True, label="v"),
        ),
        parts.linear("o_proj", width, width, "attn_o", bias=True),
        qkv_width=3 * heads,
        width=heads,
        kv_width=heads,
    )
    *scores, output = parts.without_cache(attention)
    norm = parts.layer_norm_of(width)("attention_norm", N_("Attention norm"))
    inner = (
        *scores,
        *parts.with_sizes((output,), {D: width}),
        norm,
        *feed_forward(width),
    )
    if not has_bottleneck:
        return inner
    output_projection = _projection("bottleneck_output", N_("Bottleneck: output"), D_B, D)
    return (*bottleneck(config), *inner, output_projection)


def bottleneck(config: Config) -> Block:
    """Projections D × D_b with norms: for the layer, and for its queries and keys."""
    of_layer = _projection("bottleneck", N_("Bottleneck"), D, D_B)
    of_attention = _projection("attention_bottleneck", N_("Bottleneck of Q and K"), D, D_B)
    if config.flag(NARROW_VALUES):
        weight, *others = of_attention.tensors
        unused = (replace(weight, applications=ZERO), *others)
        of_attention = replace(of_attention, tensors=unused)
    own = (of_attention,) if config.flag(SHARED_BOTTLENECK) else ()
    return side_by_side((of_layer,), own)


def _projection(id: str, label: str, rows: Size, columns: Size) -> Stage:
    """A matrix rows × columns with a norm."""
    tensors = (
        *parts.linear(id, rows, columns, "bottleneck", bias=True),
        *parts.norm_tensors(f"{id}_norm", columns, "norms"),
    )
    return Stage(id, label, Group.FEED_FORWARD, (T, columns), tensors)


def feed_forward(width: Size) -> Block:
    """n_F MLPs in sequence, each followed by a norm."""
    block = (*parts.mlp(bias=True), parts.layer_norm("ffn_norm", N_("FFN norm")))
    return parts.map_stages(
        parts.with_sizes(block, {D: width}),
        lambda stage: replace(stage, tensors=tuple(map(_repeated, stage.tensors))),
    )


def _repeated(tensor: Tensor) -> Tensor:
    return replace(tensor, shape=(N_F, *tensor.shape))


def head(config: Config) -> Block:
    """Pooler and head; all classes that read the pooler have one only if it has a matrix."""
    pool = (parts.pooler(),) if config.flag(POOLER) else ()
    pair = parts.classifier("sentence_relation", N_("Sentence relation"), 2)
    heads: dict[Task, Block] = {
        **TOKEN_HEADS,
        Task.HIDDEN_STATES: pool,
        Task.MASKED_TOKENS: token_head(config),
        Task.PRETRAINING: side_by_side(pool, (*token_head(config), pair)),
        Task.NEXT_SENTENCE: (*pool, pair),
        Task.SEQUENCE_CLASS: (*pool, *CLASSIFIER),
        Task.CHOICE: (*pool, *CHOICE),
    }
    return heads[task_of(config)]


def token_head(config: Config) -> Block:
    """BERT's head of width D: the token embedding, and a matrix for the dimensions it lacks."""
    tied = config.flag(k.TIE_EMBEDDINGS)
    *transform, scores = parts.masked_token_head(tied=tied, shared_bias=True)
    lacking = Quantity(
        "D_rest", N_("dimensions that the embedding lacks"), config.count(D) - config.count(D_E)
    )
    weight, bias = parts.lm_head(tied=tied, bias=True, width=D_E).tensors
    more = Tensor("lm_head_rest.weight", (lacking, V), "lm_head", N_("rest"))
    assert isinstance(scores, Stage)
    second = () if tied else (parts.second_bias(),)
    return (*transform, replace(scores, tensors=(weight, more, bias)), *second)


def _width(settings: Settings) -> int | None:
    return int_or_none(settings, BOTTLENECK_DIM if settings.get(BOTTLENECK) else k.HIDDEN_DIM)


def _check(settings: Settings, parsed: ParsedConfig) -> None:
    width, heads = _width(settings), int_or_none(settings, k.NUM_HEADS)
    key = BOTTLENECK_DIM if settings.get(BOTTLENECK) else k.HIDDEN_DIM
    if width and heads and width % heads:
        message = N_("{heads} heads do not divide {key} {hidden}")
        raise parsed.error(message, key, k.NUM_HEADS, heads=heads, hidden=width)
    hidden, embedding = (int_or_none(settings, key) for key in (k.HIDDEN_DIM, k.EMBEDDING_DIM))
    if hidden and embedding and embedding > hidden:
        message = N_("{key} {number} is larger than {other} {hidden}")
        keys = (k.EMBEDDING_DIM, k.HIDDEN_DIM)
        raise parsed.error(message, *keys, number=embedding, hidden=hidden)


def _derive_head_dim(settings: Settings) -> Settings:
    return {k.HEAD_DIM: (_width(settings) or 0) // int_of(settings, k.NUM_HEADS)}


MOBILEBERT = replace(
    BERT,
    model_type="mobilebert",
    title="MobileBERT",
    source="https://arxiv.org/abs/2004.02984",
    architectures=("MobileBertModel",),
    defaults={
        **without(BERT.defaults, k.IS_DECODER, k.ADD_CROSS_ATTENTION),
        **sizes(D=512, L=24, H=4, F=512, D_e=128),
        BOTTLENECK_DIM: 128,
        NUM_FFNS: 4,
        **dict.fromkeys((TRIGRAMS, BOTTLENECK, SHARED_BOTTLENECK, POOLER), True),
        **off(NARROW_VALUES),
    },
    compose=mobilebert,
    rules=(Rule(_derive_head_dim, _check),),
    tasks=(
        *BERT_TASKS[:2],
        Task.PRETRAINING,
        Task.NEXT_SENTENCE,
        Task.SEQUENCE_CLASS,
        Task.CHOICE,
        *TOKEN_HEADS,
    ),
    heads={},
)
