"""BERT, and the encoders that change one thing in it."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.parts.attention import multi_head_attention
from sphinx_llmsize.architecture.parts.blocks import (
    keeping_nothing,
    post_norm,
    post_norm_decoder,
    pre_norm_decoder,
)
from sphinx_llmsize.architecture.parts.cross_attention import cross_attention
from sphinx_llmsize.architecture.parts.decoder import equal_layers
from sphinx_llmsize.architecture.parts.embeddings import (
    embedding_norm,
    further_embedding,
    position_embedding,
    token_embedding,
    token_type_embedding,
)
from sphinx_llmsize.architecture.parts.encoder import (
    POOLED,
    after_layers,
    classifier,
    masked_token_head,
    projected,
)
from sphinx_llmsize.architecture.parts.feed_forward import mlp
from sphinx_llmsize.architecture.parts.norms import layer_norm
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Block
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.embeddings import NUM_TOKEN_TYPES
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.tasks import Task, counted_for
from sphinx_llmsize.config.vocabulary import (
    ADD_CROSS_ATTENTION,
    ARCHITECTURES,
    BIAS,
    FFN_DIM,
    HIDDEN_DIM,
    IS_DECODER,
    MAX_POSITIONS,
    NUM_HEADS,
    NUM_LAYERS,
    TIE_EMBEDDINGS,
    VOCAB_SIZE,
    D,
)

V_TASK = Symbol("V_task", "kinds of tasks")
NUM_TASK_TYPES = size_key(V_TASK, "num_task_types", "task_type_vocab_size")
TASK_TYPES = flag("has_task_types", "an embedding of the kind of task", "use_task_id")

ENCODER_TASKS = counted_for(Task.HIDDEN_STATES, Task.MASKED_TOKENS)
BERT_TASKS = counted_for(
    Task.HIDDEN_STATES, Task.MASKED_TOKENS, Task.CONTINUATION, Task.PRETRAINING
)


def encoder_layer() -> Block:
    """A layer of the original transformer's encoder, with biases."""
    attention = keeping_nothing(multi_head_attention(bias=True))
    return post_norm(layer_norm, attention, mlp(bias=True))


def post_norm_layer(config: Config, *, qkv_bias: bool = True) -> Block:
    """A layer of the original transformer; with attention to an encoder, of its decoder."""
    attention, cross = bert_attention(config, qkv_bias=qkv_bias)
    return post_norm_decoder(layer_norm, attention, cross, mlp(bias=True))


def pre_norm_layer(config: Config) -> Block:
    """BERT's layer with each norm moved to the front."""
    attention, cross = bert_attention(config)
    return pre_norm_decoder(layer_norm, attention, cross, mlp(bias=True))


def bert_attention(config: Config, *, qkv_bias: bool = True) -> tuple[Block, Block]:
    """Multi-head attention, D wide, to the sequence itself and, where told, to an encoder's."""
    own = multi_head_attention(bias=qkv_bias, output_bias=True)
    cross = cross_attention(bias=qkv_bias, output_bias=True)
    cross = cross if config.flag(ADD_CROSS_ATTENTION) else ()
    if config.flag(IS_DECODER):
        return own, cross
    return keeping_nothing(own), keeping_nothing(cross)


def bert_heads(
    config: Config,
    *,
    width: Size = D,
    pooled: tuple[Task, ...] = POOLED,
    relation: bool = True,
) -> Block:
    """A pooler, or a head for tokens; for pretraining both, and which sentence follows."""
    tied = config.flag(TIE_EMBEDDINGS)
    tokens = masked_token_head(tied=tied, width=width, shared_bias=tied)
    follows = (classifier("sentence_relation", "Sentence relation", 2),) if relation else ()
    return after_layers(config, token_head=tokens, pretraining=(*tokens, *follows), pooled=pooled)


def summed_embeddings(width: Size = D) -> Block:
    """Tokens, positions and token types."""
    return (
        token_embedding(width),
        position_embedding(width=width),
        token_type_embedding(width=width),
    )


def post_norm_encoder(
    config: Config,
    *,
    embeddings: Block,
    heads: Block,
    width: Size = D,
    qkv_bias: bool = True,
) -> tuple[Item, ...]:
    """Embeddings of that width and a norm on their sum, post-norm layers, what follows them."""
    layer = post_norm_layer(config, qkv_bias=qkv_bias)
    return (
        *embeddings,
        embedding_norm(width=width),
        *projected(width),
        *equal_layers(layer),
        *heads,
    )


def bert(config: Config) -> tuple[Item, ...]:
    """Tokens, positions and token types; post-norm layers with biases; a head for the task."""
    return post_norm_encoder(config, embeddings=summed_embeddings(), heads=bert_heads(config))


def ernie(config: Config) -> tuple[Item, ...]:
    """BERT, with an embedding of the task where there is one."""
    task = further_embedding("task_type", "Task type embedding", V_TASK)
    further = (task,) if config.flag(TASK_TYPES) else ()
    embeddings = (*summed_embeddings(), *further)
    return post_norm_encoder(config, embeddings=embeddings, heads=bert_heads(config))


def big_bird(config: Config) -> tuple[Item, ...]:
    """BERT with sparse attention, which has the same weights; its pooler is always there."""
    return post_norm_encoder(
        config,
        embeddings=summed_embeddings(),
        heads=bert_heads(config, pooled=tuple(Task)),
        qkv_bias=config.flag(BIAS),
    )


def megatron_bert(config: Config) -> tuple[Item, ...]:
    """BERT with pre-norm layers, whose first norm takes the place of the embeddings'."""
    return (
        *summed_embeddings(),
        *equal_layers(pre_norm_layer(config)),
        layer_norm("final_norm", "Final norm"),
        *bert_heads(config),
    )


BERT = Family(
    model_type="bert",
    title="BERT",
    source="https://arxiv.org/abs/1810.04805",
    architectures=("BertModel", "BertForMaskedLM", "BertLMHeadModel", "BertForPreTraining"),
    defaults={
        ARCHITECTURES: None,
        HIDDEN_DIM: 768,
        NUM_LAYERS: 12,
        NUM_HEADS: 12,
        FFN_DIM: 3072,
        VOCAB_SIZE: 30_522,
        MAX_POSITIONS: 512,
        NUM_TOKEN_TYPES: 2,
        IS_DECODER: False,
        ADD_CROSS_ATTENTION: False,
        TIE_EMBEDDINGS: True,
    },
    compose=bert,
    rules=(ATTENTION_HEADS, BERT_TASKS),
)
ERNIE = replace(
    BERT,
    model_type="ernie",
    title="ERNIE",
    source="https://arxiv.org/abs/1904.09223",
    architectures=("ErnieModel", "ErnieForMaskedLM", "ErnieForCausalLM", "ErnieForPreTraining"),
    defaults={**BERT.defaults, TASK_TYPES: False, NUM_TASK_TYPES: 3},
    compose=ernie,
)
BIG_BIRD = replace(
    BERT,
    model_type="big_bird",
    title="BigBird",
    source="https://arxiv.org/abs/2007.14062",
    architectures=(
        "BigBirdModel",
        "BigBirdForMaskedLM",
        "BigBirdForCausalLM",
        "BigBirdForPreTraining",
    ),
    defaults={**BERT.defaults, VOCAB_SIZE: 50_358, MAX_POSITIONS: 4096, BIAS: True},
    compose=big_bird,
)
MEGATRON_BERT = replace(
    BERT,
    model_type="megatron-bert",
    title="Megatron-BERT",
    source="https://arxiv.org/abs/1909.08053",
    architectures=(
        "MegatronBertModel",
        "MegatronBertForMaskedLM",
        "MegatronBertForCausalLM",
        "MegatronBertForPreTraining",
    ),
    defaults={
        **BERT.defaults,
        HIDDEN_DIM: 1024,
        NUM_LAYERS: 24,
        NUM_HEADS: 16,
        FFN_DIM: 4096,
        VOCAB_SIZE: 29_056,
    },
    compose=megatron_bert,
)
FAMILIES = (BERT, ERNIE, BIG_BIRD, MEGATRON_BERT)
