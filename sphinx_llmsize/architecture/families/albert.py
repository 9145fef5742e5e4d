"""ALBERT, ELECTRA, RoFormer and RemBERT: BERT with token embeddings of D_e dimensions, not D."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sphinx_llmsize.algebra import ONE, Quantity, Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    bert_heads,
    post_norm_encoder,
    post_norm_layer,
    post_norm_layer_without_cache,
    summed_embeddings,
)
from sphinx_llmsize.architecture.families.roberta import ROBERTA_TASKS
from sphinx_llmsize.architecture.family import Family, Items, sizes, variant
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Block, Group, Source, Stage
from sphinx_llmsize.architecture.task_heads import (
    BERT_HEADS,
    CHOICE,
    SPAN,
    UNPOOLED_HEADS,
    classifier,
    usual_summary,
)
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D_E, D_H, D, L, T
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

G = Symbol("G", N_("groups of layers"))
L_G = Symbol("L_g", N_("distinct layers in a group"))
D_OUT = Symbol("D_out", N_("embedding dimension of the LM head"))
NUM_LAYER_GROUPS = k.size_key(G, "num_layer_groups num_hidden_groups")
LAYERS_PER_GROUP = k.size_key(L_G, "num_layers_per_group inner_group_num")
OUTPUT_EMBEDDING_DIM = k.size_key(D_OUT, "output_embedding_dim output_embedding_size")


def albert(config: Config) -> Items:
    """Groups of layers applied repeatedly; for pretraining, also a sentence-order classifier."""
    tied = config.flag(k.TIE_EMBEDDINGS)
    token_head = parts.masked_token_head(tied=tied, width=D_E, shared_bias=tied)
    # transformers gives this head num_labels scores, although two suffice
    order_head = replace(
        classifier(vectors=ONE), id="sentence_relation", label=N_("Sentence order")
    )
    return (
        *summed_embeddings(D_E),
        parts.embedding_norm(width=D_E),
        *parts.projection_to_hidden(D_E),
        *groups_of_layers(config),
        *parts.encoder_head(config, token_head=token_head, pretraining=(*token_head, order_head)),
    )


def groups_of_layers(config: Config) -> Iterator[Stack]:
    """Yield the stacks of G groups of L_g distinct layers; each group is applied L / G times.

    If G doesn't divide L, there are two stacks: the first L mod G groups are applied once more.
    """
    groups, layers_per_group = config.count(G), config.count(L_G)
    applications, remainder = divmod(config.count(L), groups)
    if not remainder:
        yield _equal_groups(groups * layers_per_group, applications, is_only_stack=True)
        return
    first_layers = remainder * layers_per_group
    other_layers = (groups - remainder) * layers_per_group
    yield _equal_groups(first_layers, applications + 1, is_only_stack=False)
    yield _equal_groups(other_layers, applications, is_only_stack=False)


def _equal_groups(layers: int, applications: int, *, is_only_stack: bool) -> Stack:
    """Stack of distinct layers that are all applied equally often.

    Args:
        layers: number of distinct layers.
        applications: number of times that each is applied.
        is_only_stack: the model has no other stack, so that ids and symbols omit ``applications``.
    """
    number = "" if is_only_stack else str(applications)
    suffix = "" if is_only_stack else f",{applications}"
    return Stack(
        f"layers{number}",
        Quantity(f"L_own{suffix}", N_("layers with distinct weights"), layers),
        post_norm_layer_without_cache(),
        passes=Quantity(f"L_shared{suffix}", N_("layers that share weights"), applications),
    )


def electra(config: Config) -> Items:
    """BERT without a pooler; its head for pretraining is a discriminator."""
    width = embedding_width(config)
    token_head = parts.masked_token_head(tied=config.flag(k.TIE_EMBEDDINGS), width=width)
    return post_norm_encoder(
        config,
        embeddings=summed_embeddings(width),
        width=width,
        heads=parts.encoder_head(
            config, token_head=token_head, pretraining=discriminator(), pooled=()
        ),
    )


def discriminator() -> Block:
    """Head that scores each token as original or replaced.

    Clark et al. 2020, https://arxiv.org/abs/2003.10555, section 2
    """
    transform = parts.linear("discriminator_transform", D, D, "discriminator", bias=True)
    score = parts.linear("discriminator", D, ONE, "discriminator", bias=True)
    return (
        Stage(
            "discriminator_transform", N_("Discriminator transform"), Group.HEAD, (T, D), transform
        ),
        Stage("discriminator", N_("Discriminator"), Group.HEAD, (T, ONE), score),
    )


def roformer(config: Config) -> Items:
    """BERT without a pooler; rotary positions from a stored P × d_h table of sines and cosines."""
    width = embedding_width(config)
    return (
        parts.token_embedding(width),
        parts.token_type_embedding(width=width),
        parts.embedding_norm(width=width),
        *parts.projection_to_hidden(width),
        rotary_table(),
        *parts.equal_layers(post_norm_layer(config)),
        *bert_heads(config, width=width, pooled=()),
    )


def rotary_table() -> Stage:
    """Sines and cosines of P positions, by which queries and keys are rotated."""
    return replace(
        parts.position_embedding(width=D_H),
        label=N_("Rotary positions"),
        output=(T, D),
        intermediate=(T, D_H),
        source=Source.POSITIONS,
    )


def rembert(config: Config) -> Items:
    """BERT with narrow input embeddings (D_e) and a wide, untied output embedding (D_out)."""
    return post_norm_encoder(
        config,
        embeddings=summed_embeddings(D_E),
        width=D_E,
        heads=parts.encoder_head(
            config, token_head=parts.masked_token_head(tied=False, width=D_OUT)
        ),
    )


def embedding_width(config: Config) -> Size:
    """Symbol of the embedding dimension: D_e, or D if both are equal, which needs no projection."""
    return D if config[D_E] == config[D] else D_E


ALBERT = Family(
    model_type="albert",
    title="ALBERT",
    source="https://arxiv.org/abs/1909.11942",
    architectures=("AlbertModel",),
    defaults={
        **sizes(D=4096, L=12, H=64, V=30_000, P=512, D_e=128),
        NUM_LAYER_GROUPS: 1,
        LAYERS_PER_GROUP: 1,
        **sizes(F=16_384, V_t=2),
        k.TIE_EMBEDDINGS: True,
    },
    compose=albert,
    tasks=(Task.HIDDEN_STATES, Task.MASKED_TOKENS, Task.PRETRAINING),
    heads=BERT_HEADS,
)
ELECTRA = variant(
    BERT,
    "electra",
    "ELECTRA",
    "ElectraModel",
    "https://arxiv.org/abs/2003.10555",
    defaults={
        **sizes(D=256, H=4, D_e=128, F=1024),
        k.SUMMARY_PROJECTION: True,
        k.SUMMARY_TO_LABELS: False,
    },
    rules=(k.ATTENTION_HEADS_RULE, usual_summary(to_labels=False)),
    heads=UNPOOLED_HEADS,
    compose=electra,
)
ROFORMER = variant(
    BERT,
    "roformer",
    "RoFormer",
    "RoFormerModel",
    "https://arxiv.org/abs/2104.09864",
    defaults=sizes(V=50_000, P=1536, D_e=None),
    heads={**UNPOOLED_HEADS, Task.CHOICE: CHOICE, Task.ANSWER_SPAN: (classifier(SPAN),)},
    compose=roformer,
    rules=(k.ATTENTION_HEADS_RULE, k.same_as(k.HIDDEN_DIM, k.EMBEDDING_DIM)),
    tasks=ROBERTA_TASKS,
    positions=parts.Positions.ROTARY,
)
REMBERT = variant(
    BERT,
    "rembert",
    "RemBERT",
    "RemBertModel",
    "https://arxiv.org/abs/2010.12821",
    defaults={
        **sizes(D=1152, L=32, H=18, V=250_300, D_e=256),
        OUTPUT_EMBEDDING_DIM: 1664,
        k.FFN_DIM: 4608,
        k.TIE_EMBEDDINGS: False,
    },
    compose=rembert,
    tasks=ROBERTA_TASKS,
)
