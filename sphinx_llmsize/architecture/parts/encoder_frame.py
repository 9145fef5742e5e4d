"""The frame of encoders: their embeddings, and what stands after the layers for each task.

Devlin et al. 2018, https://arxiv.org/abs/1810.04805, section 3.
"""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, Number, Size
from sphinx_llmsize.architecture.parts.embeddings import embedding_projection, lm_head
from sphinx_llmsize.architecture.parts.weights import linear, vector
from sphinx_llmsize.architecture.stages import Block, Group, Stage, side_by_side
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.symbols import D, T, V
from sphinx_llmsize.config.tasks import Task, task_of
from sphinx_llmsize.translation import N_

POOLED = (Task.HIDDEN_STATES, Task.PRETRAINING)
"""The tasks for which BERT has a pooler."""


def projected(width: Size) -> Block:
    """A matrix from embeddings of another width to D; nothing where they have D numbers.

    Lan et al. 2019, https://arxiv.org/abs/1909.11942, section 3.1
    """
    return () if width == D else (embedding_projection(width, bias=True),)


def pooler() -> Stage:
    """A matrix D × D on what stands for the whole sequence: the first token's vector."""
    return Stage(
        "pooler", N_("Pooler"), Group.HEAD, (ONE, D), linear("pooler", D, D, "pooler", bias=True)
    )


def classifier(id: str, label: str, classes: int, width: Size = D) -> Stage:
    """One score for each class."""
    tensors = linear(id, width, Number(classes), id, bias=True)
    return Stage(id, label, Group.HEAD, (ONE, Number(classes)), tensors)


def masked_token_head(*, tied: bool, width: Size = D, shared_bias: bool = True) -> Block:
    """A matrix D × width, a norm, and the projection to the vocabulary.

    Args:
        tied: the projection uses the token embedding's weights.
        width: of the embedding that it uses.
        shared_bias: there is one bias; else the projection and the head have one each, which
            is what transformers' BERT has when nothing is tied.
    """
    # the norm's component is that of the bias, beside which transformers keeps it
    norm = (
        vector("head_norm.weight", width, "lm_head_bias", label=N_("scale")),
        vector("head_norm.bias", width, "lm_head_bias", Role.BIAS, N_("bias")),
    )
    transform = linear("head_transform", D, width, "lm_head", bias=True)
    return (
        Stage("head_transform", N_("Head transform"), Group.HEAD, (T, width), transform),
        Stage("head_norm", N_("Head norm"), Group.HEAD, (T, width), norm),
        lm_head(tied=tied, bias=True, width=width),
        *(() if shared_bias else (second_bias(),)),
    )


def second_bias() -> Stage:
    """A bias on the scores besides that of the projection."""
    bias = vector("head_bias", V, "lm_head_bias", Role.BIAS)
    return Stage("head_bias", N_("Head bias"), Group.HEAD, (T, V), (bias,))


def after_layers(
    config: Config,
    *,
    token_head: Block,
    pretraining: Block = (),
    pooled: tuple[Task, ...] = POOLED,
) -> Block:
    """What stands after an encoder's layers for the task that a configuration tells.

    Args:
        config: the configuration.
        token_head: for masked or next tokens.
        pretraining: for the tasks of pretraining.
        pooled: the tasks for which there is a pooler.
    """
    task = task_of(config)
    pool = (pooler(),) if task in pooled else ()
    if task is Task.HIDDEN_STATES:
        return pool
    return side_by_side(pool, pretraining if task is Task.PRETRAINING else token_head)
