"""MobileBERT: layers narrower than the model (a bottleneck), with several FFNs each."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ZERO, Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import BERT, ENCODER_TASKS
from sphinx_llmsize.architecture.family import Items, off, sizes, variant
from sphinx_llmsize.architecture.stages import Block, Group, Residual, Stage, side_by_side
from sphinx_llmsize.architecture.task_heads import CHOICE, CLASSIFIER, NO_OTHER_HEADS, TOKEN_HEADS
from sphinx_llmsize.architecture.tensors import Tensor
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.symbols import D_E, D_H, D, H, T, V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

D_B = Symbol("D_b", N_("dimension of the bottleneck"))
N_F = Symbol("n_F", N_("FFNs of a layer"))
BOTTLENECK_DIM = k.size_key(D_B, "bottleneck_dim intra_bottleneck_size")
NUM_FFNS = k.size_key(N_F, "num_ffns num_feedforward_networks")
TRIGRAMS = k.flag("trigram_input", N_("joined embeddings of a token and both neighbours"))
BOTTLENECK = k.flag(
    "has_bottleneck use_bottleneck", N_("layers narrower than the hidden dimension")
)
NARROW_ATTENTION = k.flag(
    "narrow_attention use_bottleneck_attention", N_("queries, keys and values from the bottleneck")
)
QUERY_KEY_BOTTLENECK = k.flag(
    "key_query_shared_bottleneck", N_("a bottleneck for queries and keys")
)
POOLER = k.flag("has_pooler classifier_activation", N_("a matrix before the classifier"))
LAYER_DIM = k.make_key("layer_dim true_hidden_size", N_("width of the layers"), optional=True)


def mobilebert(config: Config) -> Items:
    """Token embeddings of D_e and layers of D_b dimensions, with projections to and from D.

    Sun et al. 2020, https://arxiv.org/abs/2004.02984
    """
    joined_tokens = 3 if config.flag(TRIGRAMS) else 1
    projection = parts.embedding_projection(joined_tokens * D_E, bias=True)
    if joined_tokens == 1 and config[D_E] == config[D]:
        projection = _without_flops(projection)
    return (
        parts.token_embedding(D_E),
        projection,
        parts.position_embedding(),
        parts.token_type_embedding(),
        parts.embedding_norm(),
        *parts.equal_layers(layer(config)),
        *head(config),
    )


def _without_flops(stage: Stage) -> Stage:
    """The stage with a first matrix that costs no FLOPs: transformers doesn't use it."""
    weight, *others = stage.tensors
    return replace(stage, tensors=(replace(weight, applications=ZERO), *others))


def layer(config: Config) -> Block:
    """Attention and n_F feed-forward networks, D wide or, between projections, D_b wide.

    In the model, the norm after the output projection to D follows the residual addition. Here it
    is in one stage with the projection, before the addition, which changes no number.
    """
    has_bottleneck = config.flag(BOTTLENECK)
    width = D_B if has_bottleneck else D
    all_heads = H * D_H
    value_inputs = width if config.flag(NARROW_ATTENTION) else D
    attention = parts.attention(
        (
            *parts.linear("q_proj", width, all_heads, "attn_q", bias=True, label="q"),
            *parts.linear("k_proj", width, all_heads, "attn_k", bias=True, label="k"),
            *parts.linear("v_proj", value_inputs, all_heads, "attn_v", bias=True, label="v"),
        ),
        parts.linear("o_proj", width, width, "attn_o", bias=True),
        qkv_width=3 * all_heads,
        width=all_heads,
        kv_width=all_heads,
    )
    *qkv_and_scores, output = parts.without_cache(attention)
    # the output stage returns D dimensions by default; in this layer, it returns ``width``
    steps = (
        Residual((*qkv_and_scores, *parts.with_sizes((output,), {D: width}))),
        parts.layer_norm_of(width)("attention_norm", N_("Attention norm")),
        *feed_forward(width),
    )
    if not has_bottleneck:
        return steps
    output_projection = _projection("bottleneck_output", N_("Bottleneck: output"), D_B, D)
    return (Residual((*bottleneck(config), *steps, output_projection)),)


def bottleneck(config: Config) -> Block:
    """Projections D × D_b with norms: for the layer and, optionally, for its queries and keys."""
    of_layer = _projection("bottleneck", N_("Bottleneck"), D, D_B)
    if not config.flag(QUERY_KEY_BOTTLENECK):
        return (of_layer,)
    of_qk = _projection("attention_bottleneck", N_("Bottleneck of Q and K"), D, D_B)
    if config.flag(NARROW_ATTENTION):  # queries and keys read the layer's bottleneck
        of_qk = _without_flops(of_qk)
    return side_by_side((of_layer,), (of_qk,))


def _projection(id: str, label: str, rows: Size, columns: Size) -> Stage:
    """A matrix rows × columns with a bias, and a norm."""
    tensors = (
        *parts.linear(id, rows, columns, "bottleneck", bias=True),
        *parts.norm_tensors(f"{id}_norm", columns, "norms"),
    )
    return Stage(id, label, Group.FEED_FORWARD, (T, columns), tensors)


def feed_forward(width: Size) -> Block:
    """n_F MLPs in sequence, each followed by a norm.

    They are one MLP and one norm here, whose tensors have a first dimension n_F.
    """
    block = (Residual(parts.mlp(bias=True)), parts.layer_norm("ffn_norm", N_("FFN norm")))
    return parts.map_tensors(
        parts.with_sizes(block, {D: width}),
        lambda tensor: replace(tensor, shape=(N_F, *tensor.shape)),
    )


def head(config: Config) -> Block:
    """Pooler and head for the task; without ``has_pooler``, the pooler has no weights."""
    pool = (parts.pooler(),) if config.flag(POOLER) else ()
    relation = parts.sequence_classifier("sentence_relation", N_("Sentence relation"), 2)
    heads: dict[Task, Block] = {
        **TOKEN_HEADS,
        Task.HIDDEN_STATES: pool,
        Task.MASKED_TOKENS: token_head(config),
        Task.PRETRAINING: side_by_side(pool, (*token_head(config), relation)),
        Task.NEXT_SENTENCE: (*pool, relation),
        Task.SEQUENCE_CLASS: (*pool, *CLASSIFIER),
        Task.CHOICE: (*pool, *CHOICE),
    }
    return heads[task_of(config)]


def token_head(config: Config) -> Block:
    """BERT's head, with an LM head of two matrices: the token embedding's D_e × V, and the rest.

    The rest is a matrix (D − D_e) × V.
    """
    tied = config.flag(k.TIE_EMBEDDINGS)
    transform, norm, _scores, *second_bias = parts.masked_token_head(tied=tied)
    scores = parts.lm_head(tied=tied, bias=True, width=D_E)
    weight, bias = scores.tensors
    label = N_("dimensions that the embedding lacks")
    rest_width = Quantity("D_rest", label, config.count(D) - config.count(D_E))
    rest = Tensor("lm_head_rest.weight", (rest_width, V), "lm_head", N_("rest"))
    return (transform, norm, replace(scores, tensors=(weight, rest, bias)), *second_bias)


def _width_key(settings: k.Settings) -> k.Key:
    """Key of the layers' width: ``bottleneck_dim``, or ``hidden_dim`` without a bottleneck."""
    return BOTTLENECK_DIM if settings.get(BOTTLENECK) else k.HIDDEN_DIM


def _check_widths(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that H divides the width of the layers, and that D_e is at most D."""
    key = _width_key(settings)
    width, heads = k.int_or_none(settings, key), k.int_or_none(settings, k.NUM_HEADS)
    if width and heads and width % heads:
        message = N_("{heads} heads do not divide {key} {hidden}")
        hint = N_("choose {other} so that it divides")
        raise parsed.error(message, key, k.NUM_HEADS, heads=heads, hidden=width, hint=hint)
    hidden = k.int_or_none(settings, k.HIDDEN_DIM)
    embedding = k.int_or_none(settings, k.EMBEDDING_DIM)
    if hidden and embedding and embedding > hidden:
        message = N_("{key} {number} is larger than {other} {hidden}")
        keys = (k.EMBEDDING_DIM, k.HIDDEN_DIM)
        hint = N_("choose {key} no larger than {other}")
        raise parsed.error(message, *keys, number=embedding, hidden=hidden, hint=hint)


def _derive_head_dim(settings: k.Settings) -> k.Settings:
    """Default d_h: width of the layers / H."""
    return {k.HEAD_DIM: k.int_of(settings, _width_key(settings)) // k.int_of(settings, k.NUM_HEADS)}


def _check_layer_width(settings: k.Settings, parsed: ParsedConfig) -> None:
    """Check that ``true_hidden_size`` is the width that the other keys give the layers."""
    width = settings[_width_key(settings)]
    if settings[LAYER_DIM] not in (None, width):
        message, hint = N_("{key} must be {width}"), N_("remove it")
        raise parsed.error(message, LAYER_DIM, width=width, hint=hint)


MOBILEBERT = variant(
    BERT,
    "mobilebert",
    "MobileBERT",
    "MobileBertModel",
    "https://arxiv.org/abs/2004.02984",
    defaults={
        **sizes(D=512, L=24, H=4, F=512, D_e=128),
        BOTTLENECK_DIM: 128,
        LAYER_DIM: None,
        NUM_FFNS: 4,
        **dict.fromkeys((TRIGRAMS, BOTTLENECK, QUERY_KEY_BOTTLENECK, POOLER), True),
        **off(NARROW_ATTENTION),
    },
    removed=(k.IS_DECODER, k.ADD_CROSS_ATTENTION),
    compose=mobilebert,
    rules=(k.Rule(derive=_derive_head_dim, check=_check_widths), k.Rule(check=_check_layer_width)),
    tasks=(
        *ENCODER_TASKS,
        Task.PRETRAINING,
        Task.NEXT_SENTENCE,
        Task.SEQUENCE_CLASS,
        Task.CHOICE,
        *TOKEN_HEADS,
    ),
    heads=NO_OTHER_HEADS,
)
