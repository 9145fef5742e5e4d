"""Task of a model, from the first class in ``architectures``; it determines the model's head.

Without ``architectures``, a model has the head of the family's published models: none for BERT and
similar encoders, an LM head for encoder-decoders.
"""

from __future__ import annotations

from enum import Enum

from sphinx_llmsize.config.config import Config
from sphinx_llmsize.config.keys.common import ARCHITECTURES
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.translation import N_


class Task(Enum):
    """Task of a model: the kind of output that its head computes."""

    HIDDEN_STATES = "hidden states"
    MASKED_TOKENS = "masked tokens"
    CONTINUATION = "the text that follows"
    PRETRAINING = "pretraining"
    OTHER_SEQUENCE = "another sequence"
    ENCODER_STATES = "the encoder alone"


ENDINGS: dict[str, Task] = {
    "ForMaskedLM": Task.MASKED_TOKENS,
    "ForCausalLM": Task.CONTINUATION,
    "Decoder": Task.CONTINUATION,
    "ForPreTraining": Task.PRETRAINING,
    "ForConditionalGeneration": Task.OTHER_SEQUENCE,
    "WithLMHeadModel": Task.OTHER_SEQUENCE,
    "LMHeadModel": Task.CONTINUATION,
    "MTModel": Task.OTHER_SEQUENCE,
    "EncoderModel": Task.ENCODER_STATES,
    "Encoder": Task.HIDDEN_STATES,
    "Model": Task.HIDDEN_STATES,
}
"""Task by the ending of the class name; the first matching ending applies."""


def task_of(config: Config, otherwise: Task = Task.HIDDEN_STATES) -> Task:
    """Task of a configuration; ``otherwise`` if ``architectures`` is null or not recognised."""
    names = config.names(ARCHITECTURES)
    return (_task(names[0]) if names else None) or otherwise


def counted_for(*tasks: Task) -> Rule:
    """Rule: the first class in ``architectures`` is for one of these tasks.

    Heads for other tasks, such as classification, are not counted.
    """

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        names = settings.get(ARCHITECTURES)
        if not isinstance(names, tuple) or not names or _task(str(names[0])) in tasks:
            return
        endings = ", ".join(ending for ending, task in ENDINGS.items() if task in tasks)
        raise parsed.error(
            N_("the head of {names} is not counted"),
            ARCHITECTURES,
            names=repr(str(names[0])[:60]),
            endings=endings,
            hint=N_(
                "leave out architectures for the model as published, or name a class that ends "
                "in {endings}"
            ),
            problem=Problem.VALUE,
        )

    return Rule(check=check)


def _task(name: str) -> Task | None:
    return next((task for ending, task in ENDINGS.items() if name.endswith(ending)), None)
