"""Every class of every family has as many parameters as transformers builds, or is refused."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from differential.draw import COMPARED_TYPES, configurations, space_of, without_shrinking
from differential.test_counts import built
from sphinx_llmsize import load
from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import family_named
from sphinx_llmsize.errors import ConfigError

REFUSED_HEADS = {
    "BigBirdForQuestionAnswering",
    "ConvBertForMultipleChoice",
    "GPT2DoubleHeadsModel",
    "ModernBertDecoderForSequenceClassification",
    "OpenAIGPTDoubleHeadsModel",
    "ProphetNetDecoder",
    "ProphetNetEncoder",
    "XLMForMultipleChoice",
    "XLMForQuestionAnswering",
    "XLMForQuestionAnsweringSimple",
    "XLNetForMultipleChoice",
    "XLNetForQuestionAnswering",
    "XLNetForQuestionAnsweringSimple",
}
"""Classes with heads that are not counted."""


@pytest.mark.parametrize("model_type", COMPARED_TYPES)
def test_every_class(model_type: str, examples: int, tally: Counter[str]) -> None:
    space = space_of(model_type)

    @without_shrinking(examples)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        config = data.draw(configurations(model_type))
        names = classes().get(model_type) or family_named(model_type).architectures
        name = data.draw(st.sampled_from(names))
        labels = data.draw(st.sampled_from([2, 1, 3, 7]))
        config |= {"architectures": [name], "num_labels": labels}
        if name in REFUSED_HEADS:
            with pytest.raises(ConfigError):
                load({"model_type": model_type, **config})
            return
        model = built(model_type, config, space, tally)
        theirs = sum(parameter.numel() for parameter in model.parameters())
        # transformers doesn't save that there are two labels, though BART has three by default
        classifier = {"architectures": [name], "num_labels": labels}
        saved = {**json.loads(model.config.to_json_string()), **classifier}
        for written in (config, saved):
            try:
                ours = load({"model_type": model_type, **written}).total
            except ConfigError as error:
                if name in str(error):
                    raise
                tally[f"refused {model_type}: {error}"] += 1
                return
            assert ours == theirs, f"\n{name} {written}\nours   {ours}\ntheirs {theirs}"
        tally[f"compared {name}"] += 1

    compare()
