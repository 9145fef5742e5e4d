"""Task of a model, from the class name in ``architectures``; it determines the model's head."""

from __future__ import annotations

from enum import Enum

from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.keys.common import ARCHITECTURES
from sphinx_llmsize.config.rule import Settings, names_of
from sphinx_llmsize.translation import N_


class Task(Enum):
    """Task of a model: the kind of output that its head computes; the value describes the head."""

    HIDDEN_STATES = N_("without a head")
    ENCODER_STATES = N_("the encoder alone")
    CONTINUATION = N_("with an LM head")
    """The next token: decoders."""
    OTHER_SEQUENCE = N_("with its LM head")
    """Another sequence than the input: encoder-decoders."""
    MASKED_TOKENS = N_("with a head for masked tokens")
    PRETRAINING = N_("with the heads for pretraining")
    SEQUENCE_CLASS = N_("with a classifier of sequences")
    TOKEN_CLASSES = N_("with a classifier of tokens")
    ANSWER_SPAN = N_("with a head for the start and end of an answer")
    CHOICE = N_("with a head for multiple choice")
    NEXT_SENTENCE = N_("with a classifier of sentence pairs")
    SEVERAL = N_("with several heads")


ENDINGS: dict[str, Task] = {
    "ForMaskedLM": Task.MASKED_TOKENS,
    "ForCausalLM": Task.CONTINUATION,
    "ForPreTraining": Task.PRETRAINING,
    "ForConditionalGeneration": Task.OTHER_SEQUENCE,
    "ForSequenceClassification": Task.SEQUENCE_CLASS,
    "ForTokenClassification": Task.TOKEN_CLASSES,
    "ForQuestionAnswering": Task.ANSWER_SPAN,
    "ForMultipleChoice": Task.CHOICE,
    "ForNextSentencePrediction": Task.NEXT_SENTENCE,
    "DoubleHeadsModel": Task.SEVERAL,
    "T5WithLMHeadModel": Task.OTHER_SEQUENCE,
    "WithLMHeadModel": Task.CONTINUATION,
    "ModelWithLMHead": Task.CONTINUATION,
    "LMHeadModel": Task.CONTINUATION,
    "LMHeadCustomModel": Task.CONTINUATION,
    "ChatGLMModel": Task.CONTINUATION,
    "MiniCPM": Task.CONTINUATION,
    "MiniCPMV": Task.CONTINUATION,
    "MiniCPMO": Task.CONTINUATION,
    "MTModel": Task.OTHER_SEQUENCE,
    "EncoderModel": Task.ENCODER_STATES,
    "GenerationEncoder": Task.HIDDEN_STATES,
    "GenerationDecoder": Task.CONTINUATION,
    "Model": Task.HIDDEN_STATES,
}
"""Task by the ending of the class name; the first matching ending applies."""


def task_of_class(name: str) -> Task | None:
    """Task of a class in transformers; None if its name has none of the usual endings."""
    return next((task for ending, task in ENDINGS.items() if name.endswith(ending)), None)


def first_class(settings: Settings) -> str:
    """Like :func:`class_name`, for settings that are still being checked."""
    return next(iter(names_of(settings, ARCHITECTURES)), "")


def class_name(config: Config) -> str:
    """First class in ``architectures``, which decides the head; empty for the textbook decoder."""
    names = config.names(ARCHITECTURES)
    return names[0] if names else ""


def task_of(config: Config) -> Task:
    """Task of a configuration; a decoder without a class continues text."""
    return task_of_class(class_name(config)) or Task.CONTINUATION


def note_on_class(config: Config) -> str:
    """Note that names the class and its head; empty for the textbook decoder."""
    name = class_name(config)
    head = task_of(config).value
    return N_("Counted as {name}, {head}.", name=name, head=head) if name else ""
