"""Heads that replace the LM head for other tasks, as transformers builds them.

The sizes are those of ``GenericForSequenceClassification`` and its like in transformers'
``modeling_layers.py``, and of BERT's and RoBERTa's own classes.
"""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.algebra import ONE, Number, Size
from sphinx_llmsize.architecture.parts.encoders import pooler
from sphinx_llmsize.architecture.parts.weights import linear
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack
from sphinx_llmsize.architecture.stages import Block, Group, Stage, stages_of
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.symbols import N_LABELS, D, T
from sphinx_llmsize.config.tasks import Task, first_class, task_of_class
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

SPAN = Number(2)
"""Number of scores for each token: one for the start of the answer, one for its end."""
LABELLED = (Task.SEQUENCE_CLASS, Task.TOKEN_CLASSES, Task.ANSWER_SPAN, Task.PRETRAINING)
"""Tasks with ``num_labels`` scores in some families."""


def classifier(
    scores: Size = N_LABELS, *, vectors: Size = T, width: Size = D, bias: bool = True
) -> Stage:
    """A matrix width × scores.

    Args:
        scores: number of scores for each vector.
        vectors: number of vectors that it reads: T, one for each token, or 1.
        width: dimensions of a vector.
        bias: a bias on the scores.
    """
    tensors = linear("classifier", width, scores, "classifier", bias=bias)
    return Stage("classifier", N_("Classifier"), Group.HEAD, (vectors, scores), tensors)


def dense_layer(width: Size = D, *, vectors: Size = ONE) -> Stage:
    """A matrix width × D and a bias, before a classifier of whole sequences."""
    tensors = linear("classifier_dense", width, D, "classifier", bias=True)
    label = N_("Classifier: dense layer")
    return Stage("classifier_dense", label, Group.HEAD, (vectors, D), tensors)


DECODER_HEADS: Mapping[Task, Block] = {
    Task.HIDDEN_STATES: (),
    Task.SEQUENCE_CLASS: (classifier(bias=False),),
    Task.TOKEN_CLASSES: (classifier(),),
    Task.ANSWER_SPAN: (classifier(SPAN),),
}
"""Heads of a decoder by task; the LM head is made by the family's ``compose``."""
CLASSIFIER = (classifier(vectors=ONE),)
"""One score for each label of a whole sequence."""
CHOICE = (classifier(ONE, vectors=ONE),)
"""One score for each sequence, which is one of the possible answers."""
TOKEN_HEADS: Mapping[Task, Block] = {
    Task.TOKEN_CLASSES: (classifier(),),
    Task.ANSWER_SPAN: (classifier(),),
}
"""Heads of an encoder that read every token's vector; answer spans have ``num_labels`` scores."""
BERT_HEADS: Mapping[Task, Block] = {
    **TOKEN_HEADS,
    Task.SEQUENCE_CLASS: (pooler(), *CLASSIFIER),
    Task.CHOICE: (pooler(), *CHOICE),
    Task.NEXT_SENTENCE: (pooler(), classifier(Number(2), vectors=ONE)),
}
"""Heads of BERT: those for a whole sequence read the pooler's output."""
ROBERTA_HEADS: Mapping[Task, Block] = {
    **BERT_HEADS,
    Task.SEQUENCE_CLASS: (dense_layer(), *CLASSIFIER),
}
"""Heads of RoBERTa: the classifier of sequences has a dense layer instead of the pooler."""
UNPOOLED_HEADS: Mapping[Task, Block] = {
    **TOKEN_HEADS,
    Task.SEQUENCE_CLASS: (dense_layer(), *CLASSIFIER),
    Task.CHOICE: (dense_layer(), *CHOICE),
}
"""Heads of encoders without a pooler, such as DistilBERT."""
SEQUENCE_HEADS: Mapping[Task, Block] = {
    Task.SEQUENCE_CLASS: (dense_layer(), *CLASSIFIER),
    Task.ANSWER_SPAN: (classifier(SPAN),),
}
"""Heads of encoder-decoders, on the decoder's output."""
NO_OTHER_HEADS: Mapping[Task, Block] = {}
"""For families whose ``compose`` makes the heads of all their tasks."""


def with_head(items: tuple[Item, ...], head: Block) -> tuple[Item, ...]:
    """Replace the head, which is among the stages after the last stack, by another."""
    stacks = [n for n, item in enumerate(items) if isinstance(item, (Stack, Interleaved))]
    end = stacks[-1] + 1
    return (*items[:end], *(item for item in items[end:] if not _is_head(item)), *head)


def _is_head(item: Item) -> bool:
    """True for a step whose stages are all of the group ``head``."""
    if isinstance(item, (Stack, Interleaved)):
        return False
    return all(stage.group is Group.HEAD for stage in stages_of((item,)))


def labels_rule(default: int) -> Rule:
    """Rule: ``num_labels`` is the number of entries in ``id2label``, or the default.

    If a file sets both differently, transformers 4 follows ``id2label``, and 5 ``num_labels``.
    """

    def count_names(settings: Settings) -> int:
        labels = settings.get(k.LABEL_NAMES)
        return len(labels.entries) if isinstance(labels, Section) else 0

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        number = settings.get(k.NUM_LABELS)
        names = count_names(settings)
        if _is_labelled(settings) and number and names not in {0, number}:
            message = N_("{key} is {number}, but {other} has {names} entries")
            hint = N_("remove one of them")
            keys = (k.NUM_LABELS, k.LABEL_NAMES)
            raise parsed.error(message, *keys, number=number, names=names, hint=hint)

    def derive(settings: Settings) -> Settings:
        return {k.NUM_LABELS: count_names(settings) or default} if _is_labelled(settings) else {}

    return Rule(derive=derive, check=check)


def _is_labelled(settings: Settings) -> bool:
    """True if the configured class has a head with ``num_labels`` scores in some families."""
    return task_of_class(first_class(settings)) in LABELLED


def usual_summary(*, to_labels: bool) -> Rule:
    """Rule: heads for whole sequences use ``SequenceSummary`` with its usual projection.

    Args:
        to_labels: the usual projection is from D to the labels; otherwise from D to D.
    """

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        if task_of_class(first_class(settings)) not in {Task.SEQUENCE_CLASS, Task.CHOICE}:
            return
        for key, usual in ((k.SUMMARY_PROJECTION, True), (k.SUMMARY_TO_LABELS, to_labels)):
            if settings[key] is not usual:
                message = N_("heads with another {key} are not supported")
                raise parsed.error(message, key, hint=N_("remove it"), problem=Problem.VALUE)

    return Rule(check=check)
