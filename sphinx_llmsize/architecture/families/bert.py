"""BERT, ERNIE, BigBird and Megatron-BERT: encoders with learned positions and token types."""

from __future__ import annotations

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.family import Family, Items, off, sizes, variant
from sphinx_llmsize.architecture.stages import Block, side_by_side
from sphinx_llmsize.architecture.task_heads import BERT_HEADS, CLASSIFIER, classifier, dense_layer
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.config.tasks import Task
from sphinx_llmsize.translation import N_

V_TASK = Symbol("V_task", N_("task types"))
NUM_TASK_TYPES = k.size_key(V_TASK, "num_task_types task_type_vocab_size")
TASK_TYPES = k.flag("has_task_types use_task_id", N_("an embedding of the task type"))

ENCODER_TASKS = (Task.HIDDEN_STATES, Task.MASKED_TOKENS)
"""Tasks for which most encoders' ``compose`` makes the head; :attr:`Family.heads` has the rest."""
ATTENTION_TYPE = k.make_key(
    "attention_pattern attention_type", N_("attention pattern"), k.ValueKind.NAME
)
BLOCK_SPARSE = "block_sparse"
BIG_BIRD_ATTENTION_RULE = k.one_of(ATTENTION_TYPE, BLOCK_SPARSE, "original_full")
BIG_BIRD_HEADS = {
    Task.SEQUENCE_CLASS: side_by_side((parts.pooler(),), (dense_layer(), *CLASSIFIER)),
    Task.TOKEN_CLASSES: side_by_side((parts.pooler(),), (classifier(),)),
    Task.CHOICE: BERT_HEADS[Task.CHOICE],
}
"""Heads of BigBird. Every task has a pooler, but of these heads only multiple choice reads it."""
BERT_TASKS = (Task.HIDDEN_STATES, Task.MASKED_TOKENS, Task.CONTINUATION, Task.PRETRAINING)
"""Tasks for which BERT's ``compose`` makes the head; :data:`BERT_HEADS` has the rest."""


def bert(config: Config) -> Items:
    """The original transformer's encoder, with a pooler, a head, or both, as the task needs."""
    return post_norm_encoder(config, embeddings=summed_embeddings(), heads=bert_heads(config))


def ernie(config: Config) -> Items:
    """BERT with task-type embeddings if the configuration enables them."""
    task_type = parts.further_embedding("task_type", N_("Task type embedding"), V_TASK)
    task_types = (task_type,) if config.flag(TASK_TYPES) else ()
    embeddings = (*summed_embeddings(), *task_types)
    return post_norm_encoder(config, embeddings=embeddings, heads=bert_heads(config))


def big_bird(config: Config) -> Items:
    """BERT with attention that is sparse, but has the same weights; a pooler for every task."""
    return post_norm_encoder(
        config,
        embeddings=summed_embeddings(),
        heads=bert_heads(config, pooled=tuple(Task)),
        layer=post_norm_layer(config, qkv_bias=config.flag(k.QKV_BIAS)),
    )


def is_block_sparse(config: Config) -> bool:
    """True for BigBird's sparse attention, false if ``attention_type`` is ``original_full``."""
    return config[ATTENTION_TYPE] == BLOCK_SPARSE


def megatron_bert(config: Config) -> Items:
    """BERT with pre-norm layers and a final norm, without a norm on the embeddings."""
    return pre_norm_encoder(config, embeddings=summed_embeddings())


def pre_norm_encoder(config: Config, *, embeddings: Block) -> Items:
    """Embeddings, pre-norm layers, a final norm and BERT's heads."""
    return (
        *embeddings,
        *parts.equal_layers(pre_norm_layer(config)),
        parts.layer_norm("final_norm", N_("Final norm")),
        *bert_heads(config),
    )


def post_norm_encoder(
    config: Config,
    *,
    embeddings: Block,
    heads: Block,
    width: Size = D,
    layer: Block = (),
) -> Items:
    """Embeddings with a norm on their sum, post-norm layers, then the heads.

    Args:
        config: the configuration.
        embeddings: the embeddings to add up.
        heads: the stages after the layers.
        width: dimension of the embeddings; unless it is D, they are projected to D.
        layer: steps of each layer; by default those of BERT.
    """
    return (
        *embeddings,
        parts.embedding_norm(width=width),
        *parts.projection_to_hidden(width),
        *parts.equal_layers(layer or post_norm_layer(config)),
        *heads,
    )


def summed_embeddings(width: Size = D) -> Block:
    """Embeddings of tokens, positions and token types."""
    return (
        parts.token_embedding(width),
        parts.position_embedding(width=width),
        parts.token_type_embedding(width=width),
    )


def bert_heads(
    config: Config,
    *,
    width: Size = D,
    pooled: tuple[Task, ...] = parts.POOLED,
    sentence_relation: bool = True,
) -> Block:
    """Pooler and head of the encoder, as the task needs them.

    Args:
        config: the configuration.
        width: dimension of the token embedding.
        pooled: tasks with a pooler.
        sentence_relation: the head for pretraining also classifies the relation of two sentences.
    """
    tied = config.flag(k.TIE_EMBEDDINGS)
    token_head = parts.masked_token_head(tied=tied, width=width, shared_bias=tied)
    pretraining = token_head
    if sentence_relation:
        relation = parts.sequence_classifier("sentence_relation", N_("Sentence relation"), 2)
        pretraining = (*token_head, relation)
    return parts.encoder_head(config, token_head=token_head, pretraining=pretraining, pooled=pooled)


def post_norm_layer(config: Config, *, qkv_bias: bool = True) -> Block:
    """BERT's post-norm layer, with cross-attention if the configuration enables it."""
    attention, cross = bert_attention(config, qkv_bias=qkv_bias)
    return parts.post_norm_decoder(parts.layer_norm, attention, cross, parts.mlp(bias=True))


def pre_norm_layer(config: Config) -> Block:
    """Pre-norm variant of BERT's layer, with cross-attention if the configuration enables it."""
    attention, cross = bert_attention(config)
    return parts.pre_norm_decoder(parts.layer_norm, attention, cross, parts.mlp(bias=True))


def bert_attention(config: Config, *, qkv_bias: bool = True) -> tuple[Block, Block]:
    """Self-attention and cross-attention; the latter is empty unless the configuration enables it.

    Both have a KV cache if ``is_decoder`` is true.
    """
    attention = parts.multi_head_attention(bias=qkv_bias, output_bias=True)
    cross: Block = ()
    if config.flag(k.ADD_CROSS_ATTENTION):
        cross = parts.cross_attention(bias=qkv_bias, output_bias=True)
    if config.flag(k.IS_DECODER):
        return attention, cross
    return parts.without_cache(attention), parts.without_cache(cross)


def post_norm_layer_without_cache() -> Block:
    """Post-norm layer of the original transformer's encoder, with biases.

    For families that are never decoders, such as ALBERT and DistilBERT; :func:`post_norm_layer` is
    for those that can be.
    """
    attention = parts.without_cache(parts.multi_head_attention(bias=True))
    return parts.post_norm(parts.layer_norm, attention, parts.mlp(bias=True))


BERT = Family(
    model_type="bert",
    title="BERT",
    source="https://arxiv.org/abs/1810.04805",
    architectures=("BertModel",),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=30_522, P=512, V_t=2),
        **off(k.IS_DECODER, k.ADD_CROSS_ATTENTION),
        k.TIE_EMBEDDINGS: True,
    },
    compose=bert,
    tasks=BERT_TASKS,
    heads=BERT_HEADS,
)
ERNIE = variant(
    BERT,
    "ernie",
    "ERNIE",
    "ErnieModel",
    "https://arxiv.org/abs/1904.09223",
    defaults={TASK_TYPES: False, NUM_TASK_TYPES: 3},
    compose=ernie,
)
BIG_BIRD = variant(
    BERT,
    "big_bird",
    "BigBird",
    "BigBirdModel",
    "https://arxiv.org/abs/2007.14062",
    defaults={
        k.VOCAB_SIZE: 50_358,
        k.MAX_POSITIONS: 4096,
        k.QKV_BIAS: True,
        ATTENTION_TYPE: BLOCK_SPARSE,
    },
    names={"use_bias": k.QKV_BIAS},
    compose=big_bird,
    rules=(*BERT.rules, BIG_BIRD_ATTENTION_RULE),
    heads=BIG_BIRD_HEADS,
    has_sparse_pattern=is_block_sparse,
)
MEGATRON_BERT = variant(
    BERT,
    "megatron-bert",
    "Megatron-BERT",
    "MegatronBertModel",
    "https://arxiv.org/abs/1909.08053",
    defaults=sizes(D=1024, L=24, H=16, F=4096, V=29_056),
    compose=megatron_bert,
)
