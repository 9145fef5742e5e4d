"""ESM: encoders for proteins, with a head that predicts contacts between amino acids."""

from __future__ import annotations

from dataclasses import replace

from sphinx_llmsize.algebra import ONE, ZERO
from sphinx_llmsize.architecture import parts
from sphinx_llmsize.architecture.families.bert import ENCODER_TASKS, pre_norm_layer
from sphinx_llmsize.architecture.family import Family, Items, off, sizes
from sphinx_llmsize.architecture.stages import Block, Group, Stage, side_by_side
from sphinx_llmsize.architecture.task_heads import (
    CLASSIFIER,
    NO_OTHER_HEADS,
    classifier,
    dense_layer,
)
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import H, L, T
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

HAS_EMBEDDING_NORM = k.flag(
    "has_embedding_norm emb_layer_norm_before", N_("a norm on the embeddings")
)


def esm(config: Config) -> Items:
    """Pre-norm layers and a final norm; learned or rotary positions; a contact head for every task.

    Lin et al. 2023, https://doi.org/10.1126/science.ade2574
    """
    tied = config.flag(k.TIE_EMBEDDINGS)
    heads: dict[Task, Block] = {
        Task.HIDDEN_STATES: (parts.pooler(),),
        Task.MASKED_TOKENS: parts.masked_token_head(tied=tied),
        Task.SEQUENCE_CLASS: (dense_layer(), *CLASSIFIER),
        Task.TOKEN_CLASSES: (classifier(),),
    }
    embeddings: Block = (parts.token_embedding(),)
    if config[k.POSITION_KIND] == "absolute":
        embeddings += (parts.position_embedding(),)
    if config.flag(HAS_EMBEDDING_NORM):
        embeddings += (parts.embedding_norm(),)
    # transformers' ESM has no KV cache, even if is_decoder is true
    layer = parts.without_cache(pre_norm_layer(config))
    return (
        *embeddings,
        *parts.equal_layers(layer),
        parts.layer_norm("final_norm", N_("Final norm")),
        *side_by_side(heads[task_of(config)], (contacts(),)),
    )


def contacts() -> Stage:
    """Head that predicts which amino acids touch in the folded protein: a weight per attention map.

    FLOPs exclude it: transformers applies its weights only on request (Rao et al. 2021,
    https://doi.org/10.1101/2020.12.15.422761), and a bias never counts.
    """
    weight, bias = parts.linear("contacts", L * H, ONE, "contact_head", bias=True)
    tensors = (replace(weight, applications=ZERO), bias)
    return Stage("contacts", N_("Contact prediction"), Group.HEAD, (T, T), tensors)


# transformers has no default for V; all released models have 33: amino acids and special tokens
ESM = Family(
    model_type="esm",
    title="ESM",
    source="https://doi.org/10.1126/science.ade2574",
    architectures=("EsmModel",),
    defaults={
        **sizes(D=768, L=12, H=12, F=3072, V=33, P=1026),
        k.POSITION_KIND: "absolute",
        **off(HAS_EMBEDDING_NORM, k.IS_DECODER, k.ADD_CROSS_ATTENTION),
        k.TIE_EMBEDDINGS: True,
    },
    rules=(k.ATTENTION_HEADS_RULE, k.one_of(k.POSITION_KIND, "absolute", "rotary")),
    compose=esm,
    tasks=(*ENCODER_TASKS, Task.SEQUENCE_CLASS, Task.TOKEN_CLASSES),
    heads=NO_OTHER_HEADS,
    reserved_positions=2,
    # for absolute positions, the position embedding shows the kind
    positions=lambda config: (
        parts.Positions.ROTARY if config[k.POSITION_KIND] == "rotary" else None
    ),
)
