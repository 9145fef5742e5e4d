"""RoCBert: BERT with embeddings of the shape and the pronunciation of Chinese characters."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import Size, Symbol
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import (
    BERT,
    BERT_TASKS,
    bert_heads,
    post_norm_encoder,
    summed_embeddings,
)
from sphinx_llmsize.architecture.stacks import Item
from sphinx_llmsize.architecture.stages import Parallel, Stage
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.key import flag, size_key
from sphinx_llmsize.config.rules import ATTENTION_HEADS
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.translation import N_

V_SHAPE = Symbol("V_shape", N_("character shapes"))
V_SOUND = Symbol("V_sound", N_("pronunciations"))
D_SHAPE = Symbol("D_shape", N_("shape embedding dimension"))
D_SOUND = Symbol("D_sound", N_("pronunciation embedding dimension"))
NUM_SHAPES = size_key(V_SHAPE, "num_shapes", "shape_vocab_size")
NUM_PRONUNCIATIONS = size_key(V_SOUND, "num_pronunciations", "pronunciation_vocab_size")
SHAPE_DIM = size_key(D_SHAPE, "shape_dim", "shape_embed_dim")
PRONUNCIATION_DIM = size_key(D_SOUND, "pronunciation_dim", "pronunciation_embed_dim")
USES_SHAPE = flag("uses_shapes", N_("embeddings of shapes are used"), "enable_shape")
USES_PRONUNCIATION = flag(
    "uses_pronunciations", N_("embeddings of pronunciations are used"), "enable_pronunciation"
)
CONCATENATES = flag("concatenates_embeddings", N_("embeddings are concatenated"), "concat_input")


def roc_bert(config: Config) -> tuple[Item, ...]:
    """BERT after embeddings of each character, its shape and its pronunciation."""
    merge = (_merge(config),) if config.flag(CONCATENATES) else ()
    shape = parts.further_embedding("shape", N_("Shape embedding"), V_SHAPE, D_SHAPE)
    sound = parts.further_embedding(
        "pronunciation", N_("Pronunciation embedding"), V_SOUND, D_SOUND
    )
    embeddings = (Parallel((summed_embeddings(), (shape,), (sound,))), *merge)
    return post_norm_encoder(
        config, embeddings=embeddings, heads=bert_heads(config, relation=False)
    )


def _merge(config: Config) -> Stage:
    """Projection of the concatenated embeddings to D."""
    width: Size = D
    width = width + D_SHAPE if config.flag(USES_SHAPE) else width
    width = width + D_SOUND if config.flag(USES_PRONUNCIATION) else width
    return parts.embedding_projection(width, bias=True)


ROC_BERT = replace(
    BERT,
    model_type="roc_bert",
    title="RoCBert",
    source="https://aclanthology.org/2022.acl-long.65/",
    architectures=(
        "RoCBertModel",
        "RoCBertForMaskedLM",
        "RoCBertForCausalLM",
        "RoCBertForPreTraining",
    ),
    defaults={
        **BERT.defaults,
        NUM_SHAPES: 24_858,
        SHAPE_DIM: 512,
        USES_SHAPE: True,
        NUM_PRONUNCIATIONS: 910,
        PRONUNCIATION_DIM: 768,
        USES_PRONUNCIATION: True,
        CONCATENATES: True,
    },
    compose=roc_bert,
    rules=(ATTENTION_HEADS, BERT_TASKS),
)

FAMILIES = (ROC_BERT,)
