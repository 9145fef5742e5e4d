"""The class in ``architectures`` decides the head that is counted."""

from __future__ import annotations

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.architecture.classes import classes
from sphinx_llmsize.architecture.families import MODEL_TYPES, all_families
from sphinx_llmsize.config.keys.common import ARCHITECTURES
from sphinx_llmsize.config.tasks import task_of_class
from sphinx_llmsize.errors import ConfigError, Problem

HIDDEN, VOCAB = 4096, 32_000
MISTRAL = 7_241_732_096
"""Parameters of Mistral 7B with its LM head, which is not tied."""
BARE_MISTRAL = MISTRAL - HIDDEN * VOCAB
"""Counted on transformers' ``MistralModel``: 7,110,660,096."""


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("MistralForCausalLM", HIDDEN * VOCAB),
        ("MistralModel", 0),
        ("MistralForSequenceClassification", 2 * HIDDEN),
        ("MistralForTokenClassification", 2 * HIDDEN + 2),
        ("MistralForQuestionAnswering", 2 * HIDDEN + 2),
    ],
)
def test_the_head_of_a_decoder(name: str, head: int) -> None:
    model = load({"model_type": "mistral", "architectures": [name]})
    assert model.total == BARE_MISTRAL + head
    assert model.class_name == name
    assert any(name in note for note in model.notes) is (name != "MistralForCausalLM")


def test_without_a_class_the_published_one_is_counted_and_named() -> None:
    """A decoder with an LM head needs no note, as the table has the head."""
    mistral = load({"model_type": "mistral"})
    assert (mistral.class_name, mistral.notes) == ("MistralForCausalLM", ())
    assert load({"model_type": "bert"}).notes == ("Counted as BertModel, without a head.",)
    assert load("mistral-7b-v0.1").notes == ()
    textbook = load({"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 9})
    assert textbook.class_name == ""


def test_a_preset_with_another_class() -> None:
    model = load("mistral-7b-v0.1", {"architectures": ["MistralModel"]})
    assert (model.total, model.class_name) == (BARE_MISTRAL, "MistralModel")
    assert "Counted as MistralModel, without a head." in model.notes


@pytest.mark.parametrize(
    ("keys", "labels"),
    [
        ({}, 2),
        ({"num_labels": 5}, 5),
        ({"id2label": {"0": "bad", "1": "fair", "2": "good"}}, 3),
        ({"id2label": {"0": "reward"}}, 1),
    ],
)
def test_the_number_of_labels(keys: dict[str, object], labels: int) -> None:
    name = "LlamaForSequenceClassification"
    model = load({"model_type": "llama", "architectures": [name], **keys})
    assert model.components["classifier"] == labels * 4096
    assert "lm_head" not in model.components


@pytest.mark.parametrize(("model_type", "labels"), [("bart", 3), ("plbart", 2), ("mvp", 2)])
def test_the_default_number_of_labels(model_type: str, labels: int) -> None:
    name = {"bart": "Bart", "plbart": "PLBart", "mvp": "Mvp"}[model_type]
    classes = [f"{name}ForSequenceClassification"]
    config = {"model_type": model_type, "architectures": classes, "d_model": 192}
    more = load({**config, "num_labels": labels + 1}).total - load(config).total
    assert more == 192 + 1


def test_labels_change_nothing_without_a_classifier() -> None:
    labels = {"id2label": {"0": "a", "1": "b", "2": "c"}}
    assert load({"model_type": "llama", **labels}).total == load({"model_type": "llama"}).total


@pytest.mark.parametrize(
    ("model_type", "name", "message", "hint"),
    [
        ("llama", "MistralModel", "MistralModel is a class of mistral, not of llama", "correct"),
        ("llama", "LlamaForCausalLm", "not a class of llama", "did you mean 'LlamaForCausalLM'?"),
        ("roberta", "RobertForCausalLM", "not a class", "did you mean 'RobertaForCausalLM'?"),
        ("gpt2", "GPT2FForQuestionAnswering", "not a", "did you mean 'GPT2ForQuestionAnswering'?"),
        ("llama", "SomethingElse", "SomethingElse is not a class of llama", "one of Llama"),
        ("gpt2", "GPT2DoubleHeadsModel", "the head of GPT2DoubleHeadsModel cannot", "one of GPT2"),
        ("xlnet", "XLNetForQuestionAnswering", "the head of XLNetForQuestionAnswering", "one of"),
    ],
)
def test_classes_that_are_not_counted(model_type: str, name: str, message: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load({"model_type": model_type, "architectures": [name]})
    error = caught.value
    assert message in error.message
    assert error.hint.startswith(hint)
    assert error.problem is Problem.VALUE


def test_a_class_alone_selects_the_family() -> None:
    assert load({"architectures": ["BertForMaskedLM"]}).model_type == "bert"
    assert load({"architectures": ["Qwen3ForSequenceClassification"]}).model_type == "qwen3"


def test_every_published_class_has_a_task() -> None:
    names = [name for family in all_families() for name in getattr(family, "architectures", ())]
    assert [name for name in names if task_of_class(name) is None] == []


def test_every_listed_model_type_is_supported() -> None:
    assert set(classes()) <= set(MODEL_TYPES)


@pytest.mark.parametrize("preset", ["mobilebert-uncased", "gpt2", "llama-7b"])
@pytest.mark.parametrize("empty", [(), ("",), None])
def test_an_empty_list_names_no_class(preset: str, empty: tuple[str, ...] | None) -> None:
    default = load(preset).family.architectures[:1]
    assert load(preset, {"architectures": empty}).config[ARCHITECTURES] == default
