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
from sphinx_llmsize.architecture.stages import Block, Group, Stage, Step, stages_of
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.config.symbols import N_LABELS, D, T
from sphinx_llmsize.config.tasks import Task, first_class, task_of_class
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.translation import N_

SPAN = Number(2)
"""Scores for each token: as the first and as the last of the answer."""
LABELLED = (Task.SEQUENCE_CLASS, Task.TOKEN_CLASSES, Task.ANSWER_SPAN, Task.PRETRAINING)
"""Tasks with ``num_labels`` scores in some families."""


def classifier(
    scores: Size = N_LABELS, *, vectors: Size = T, width: Size = D, bias: bool = True
) -> Stage:
    """A matrix width × scores, applied to as many ``vectors``: one, or each of T tokens."""
    tensors = linear("classifier", width, scores, "classifier", bias=bias)
    return Stage("classifier", N_("Classifier"), Group.HEAD, (vectors, scores), tensors)


def dense(width: Size = D, *, vectors: Size = ONE) -> Stage:
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
"""One score for each sequence, a possible answer."""
TOKEN_HEADS: Mapping[Task, Block] = {
    Task.TOKEN_CLASSES: (classifier(),),
    Task.ANSWER_SPAN: (classifier(),),
}
"""Heads of an encoder that read the vector of every token; spans have ``num_labels`` scores."""
BERT_HEADS: Mapping[Task, Block] = {
    **TOKEN_HEADS,
    Task.SEQUENCE_CLASS: (pooler(), *CLASSIFIER),
    Task.CHOICE: (pooler(), *CHOICE),
    Task.NEXT_SENTENCE: (pooler(), classifier(Number(2), vectors=ONE)),
}
"""Heads of BERT: those for a whole sequence read the pooler's output."""
ROBERTA_HEADS: Mapping[Task, Block] = {**BERT_HEADS, Task.SEQUENCE_CLASS: (dense(), *CLASSIFIER)}
"""Heads of RoBERTa: the classifier of sequences has a dense layer instead of the pooler."""
UNPOOLED_HEADS: Mapping[Task, Block] = {
    **TOKEN_HEADS,
    Task.SEQUENCE_CLASS: (dense(), *CLASSIFIER),
    Task.CHOICE: (dense(), *CHOICE),
}
"""Heads of encoders without a pooler, such as DistilBERT."""
SEQUENCE_HEADS: Mapping[Task, Block] = {
    Task.SEQUENCE_CLASS: (dense(), *CLASSIFIER),
    Task.ANSWER_SPAN: (classifier(SPAN),),
}
"""Heads of encoder-decoders, on the decoder's output."""


def with_head(items: tuple[Item, ...], head: Block) -> tuple[Item, ...]:
    """Replace the head, which is among the stages after the last stack, by another."""
    last = max(n for n, item in enumerate(items) if isinstance(item, (Stack, Interleaved)))
    after = (item for item in items[last + 1 :] if not isinstance(item, (Stack, Interleaved)))
    return (*items[: last + 1], *(step for step in after if not _is_head(step)), *head)


def _is_head(step: Step) -> bool:
    return all(stage.group is Group.HEAD for stage in stages_of((step,)))


def labels_rule(default: int) -> Rule:
    """Rule: ``num_labels`` is the number of entries in ``id2label``, or the default.

    If a file sets both differently, transformers 4 follows ``id2label``, and 5 ``num_labels``.
    """

    def names(settings: Settings) -> int:
        labels = settings.get(k.LABEL_NAMES)
        return len(labels.entries) if isinstance(labels, Section) else 0

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        number = settings.get(k.NUM_LABELS)
        if _is_labelled(settings) and number and names(settings) not in {0, number}:
            message = N_("{key} is {number}, but {other} has {names} entries")
            hint, keys = N_("remove one of them"), (k.NUM_LABELS, k.LABEL_NAMES)
            raise parsed.error(message, *keys, number=number, names=names(settings), hint=hint)

    def derive(settings: Settings) -> Settings:
        return {k.NUM_LABELS: names(settings) or default} if _is_labelled(settings) else {}

    return Rule(derive, check)


def _is_labelled(settings: Settings) -> bool:
    """True if the configured class has a head with ``num_labels`` scores in some families."""
    return task_of_class(first_class(settings)) in LABELLED


def usual_summary(*, to_labels: bool) -> Rule:
    """Rule: heads for whole sequences have their usual projection of ``SequenceSummary``.

    Args:
        to_labels: the usual projection is to the labels, not to D.
    """

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        if task_of_class(first_class(settings)) not in {Task.SEQUENCE_CLASS, Task.CHOICE}:
            return
        for key, usual in ((k.SUMMARY_PROJECTION, True), (k.SUMMARY_TO_LABELS, to_labels)):
            if settings[key] is not usual:
                message, hint = N_("heads with another {key} are not supported"), N_("remove it")
                raise parsed.error(message, key, hint=hint, problem=Problem.VALUE)

    return Rule(check=check)
