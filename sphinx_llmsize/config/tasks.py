"""What a model is for, told by the class of transformers that its configuration names.

The body of an encoder is the same for every task; the class says what stands after it. A
configuration without ``architectures`` means what its family is published as: BERT and its
like without a head, encoder-decoders with their LM head.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sphinx_llmsize.config.keys.common import ARCHITECTURES
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Config
    from sphinx_llmsize.config.parsed import ParsedConfig


class Task(Enum):
    """What the weights were made for."""

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
"""The task that a class is for, by how its name ends; the first ending that fits counts."""


def task_of(config: Config, otherwise: Task = Task.HIDDEN_STATES) -> Task:
    """What a configuration is for, or the other where it does not say."""
    names = config.names(ARCHITECTURES)
    return (_task(names[0]) if names else None) or otherwise


def counted_for(*tasks: Task) -> Rule:
    """A rule that refuses classes whose head is not counted, classifiers above all."""

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        names = settings.get(ARCHITECTURES)
        if not isinstance(names, tuple) or not names or _task(str(names[0])) in tasks:
            return
        raise ConfigError(
            _("the head of {names} is not counted", names=repr(str(names[0])[:60])),
            Problem.VALUE,
            hint="leave out architectures for the model as its family is published, or name "
            "a class that ends in " + ", ".join(e for e, task in ENDINGS.items() if task in tasks),
            line=parsed.line(ARCHITECTURES),
        )

    return Rule(check=check)


def _task(name: str) -> Task | None:
    return next((task for ending, task in ENDINGS.items() if name.endswith(ending)), None)
