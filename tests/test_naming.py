"""View ``name``: which count of its parameters a model is named after."""

from __future__ import annotations

import re

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.blocks import Paragraph, Table
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views import document
from sphinx_llmsize.views.naming.advertised import CountedParameters, Match, advertised_numbers
from sphinx_llmsize.views.view_options import ViewOptions


def sentences(name: str) -> list[str]:
    return sentences_of(load(name))


def sentences_of(model: Model) -> list[str]:
    blocks = document(model, ("name",), ViewOptions())
    return ["".join(map(str, each.content)) for each in blocks if isinstance(each, Paragraph)]


def rows(name: str) -> dict[str, str]:
    """Numbers by convention."""
    blocks = document(load(name), ("name",), ViewOptions())
    (table,) = (each for each in blocks if isinstance(each, Table))
    return {str(row.cells[0][0][0]): str(row.cells[1][0][0]) for row in table.rows}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("llama-7b", "7B is 6,738,415,616 (all parameters), rounded up by 261,584,384."),
        (
            "mixtral-8x7b",
            "8x7B is 7,242,780,672 (with one expert in each layer), rounded down by 242,780,672.",
        ),
        (
            "gemma-7b",
            "7B is 7,751,248,896 (without the embeddings), truncated, not rounded; "
            "the remaining 751,248,896 are dropped.",
        ),
        # all parameters come first, as for gpt2 and gpt2-medium
        ("gpt2-xl", "1.5B is 1,557,611,200 (all parameters), truncated, not rounded; "),
        ("gemma-3n-e2b", "E2B is 2,406,187,872 (without the per-layer embeddings)"),
        (
            "opt-350m",
            "No count rounds to 350M; the nearest is 356,935,680 (with the tied LM head counted "
            "again), 6,935,680 more.",
        ),
        (
            "bert-large-uncased",
            "336M is 336,226,108 (with the heads for pretraining), rounded down",
        ),
        ("t5-large", "770M is 770,567,168 (with the tied LM head counted again)"),
        ("qwen3-30b-a3b", "30B is 30,532,122,624 (all parameters)"),  # as usual
        ("olmoe-1b-7b-0924", "1B is 1,282,017,280 (active parameters), rounded down"),
        # cut off, although other counts round to the number
        ("qwen1.5-7b", "7B is 7,721,324,544 (all parameters), truncated, not rounded"),
        ("salamandra-7b", "7B is 7,768,117,248 (all parameters), truncated, not rounded"),
        ("ernie-4.5-0.3b", "0.3B is 360,748,032 (all parameters), truncated, not rounded"),
        # rounded to its digits, it would be 21B
        ("gpt-oss-20b", "20B is 20,914,757,184 (all parameters), truncated, not rounded"),
        # the nearest of several that are cut off
        ("codegen-6b-mono", "6B is 6,644,731,904 (without embeddings and head), truncated"),
        ("llama-3.2-1b", "1B is 1,235,814,400 (all parameters), rounded down"),
        ("gemma-2b", "2B is 1,981,884,416 (without the embeddings), rounded up"),
        ("qwen2-vl-2b", "2B is 2,208,985,600 (with the vision tower), rounded down"),
        ("llama-3.2-11b-vision", "11B is 10,670,220,835 (with the vision tower), rounded up"),
        ("qwen3.5-397b-a17b", "397B is 396,802,360,816 (with the vision tower), rounded up"),
        # the name's number, not that of the advertised size for the same count
        ("blenderbot-3b", "3B is 2,696,268,800 (all parameters), rounded up"),
        ("minicpm-2b", "2B is 2,724,880,896 (all parameters), truncated, not rounded"),
        (
            "longcat-flash",
            "560B is 560,664,958,976 (without the zero-computation experts), truncated",
        ),
    ],
)
def test_sentences(name: str, sentence: str) -> None:
    assert sentences(name)[0].startswith(sentence)


def test_each_number_of_a_name_has_a_sentence() -> None:
    total, active = sentences("qwen3-30b-a3b")
    assert total.startswith("30B is 30,532,122,624 (all parameters)")
    assert active.startswith("A3B is 3,353,032,704 (active")


SIZE_IN_NAME = re.compile(r"(?<![\w.])(?:\d+x)?[AE]?\d+(?:\.\d+)?[MB]\b", re.IGNORECASE)
"""Number of parameters in a name, such as the A13B of ``hunyuan-a13b``."""


def test_each_number_of_each_released_name_has_a_sentence() -> None:
    for name in filter(SIZE_IN_NAME.search, presets()):
        names = f"{presets()[name].title} {name}"
        for number in {each.upper().replace("X", "x") for each in SIZE_IN_NAME.findall(names)}:
            number_at_start = re.compile(rf"(No count rounds to )?{number}\b")
            assert len([*filter(number_at_start.match, sentences(name))]) == 1, (name, number)


def test_numbers_of_tokens_in_a_name_are_not_explained() -> None:
    assert [sentence.split()[0] for sentence in sentences("flexolmo-7x7b-1t")] == ["7x7B"]
    (sentence,) = sentences("bitnet-b1.58-2b-4t")
    assert sentence.startswith("2B is ")


def test_the_advertised_size_follows_a_number_in_the_name() -> None:
    active, total = sentences("llama-4-scout-17b-16e")
    assert active.startswith("17B is 17,172,894,720 (active parameters)")
    assert total.startswith("109B is ")
    active, total = sentences("hunyuan-a13b")
    assert active.startswith("A13B is 12,747,448,320 (active parameters)")
    assert total.startswith("80B is ")


def test_active_parameters_are_cut_off_too() -> None:
    _total, active = sentences("lfm2-8b-a1b")
    assert active.startswith("A1B is 1,557,740,288 (active parameters), truncated")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("zaya1-8b", "8,303,355,728 (without the embeddings)"),
        ("gemma-2b", "2,506,172,416 (all parameters)"),
        ("llama-3.2-1b", "973,146,112 (without the embeddings)"),
        ("starcoderbase-1b", ""),  # rounded by 14% of its number
        ("qwen2.5-7b", ""),  # as usual
        ("llama-7b", ""),
        ("codegen-6b-mono", ""),
    ],
)
def test_a_second_count_may_be_meant(name: str, other: str) -> None:
    (sentence,) = sentences(name)
    _first, also, second = sentence.partition("It may also stand for ")
    assert second == (f"{other}." if other else "")
    assert bool(also) is bool(other)


def test_conventions_differ_by_what_they_leave_out() -> None:
    model, numbers = load("llama-7b"), rows("llama-7b")
    embedding = model.components["token_embedding"]
    assert numbers == {
        "All parameters": f"{model.total:,}",
        "Without the head": f"{model.total - model.components['lm_head']:,}",
        "Without embeddings and head": f"{model.total - embedding - model.components['lm_head']:,}",
    }


def test_a_tied_head_is_counted_again() -> None:
    model = load("gpt2")
    again = model.total + model.components["token_embedding"]
    assert rows("gpt2")["With the tied LM head counted again"] == f"{again:,}"


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("mixtral-8x7b", "Active parameters without embeddings and head"),
        ("ernie-4.5-21b-a3b", "Active parameters without embeddings"),  # the LM head is tied
    ],
)
def test_a_tied_head_is_not_left_out(name: str, label: str) -> None:
    assert [each for each in rows(name) if each.startswith("Active parameters w")] == [label]


def test_multi_token_prediction_is_a_convention() -> None:
    """Numbers published by Xiaomi, and for GLM with copies of embedding and head and 90 biases."""
    label = "With the layers for multi-token prediction"
    assert rows("mimo-7b")[label] == "7,833,409,536"
    glm = load("glm-4.5")
    copies = 2 * glm.components["token_embedding"]
    assert int(rows("glm-4.5")[label].replace(",", "")) + copies + 90 * 160 == 358_337_791_296
    assert label not in rows("llama-7b")


def test_other_models_have_no_name_to_explain() -> None:
    mine = load("mine", {"hidden_dim": 64, "num_layers": 2, "num_heads": 2, "vocab_size": 99})
    assert not any("rounded" in sentence for sentence in sentences_of(mine))
    changed = load("llama-7b", {"num_layers": 40})
    assert not any("rounded" in sentence for sentence in sentences_of(changed))


@pytest.mark.parametrize(
    ("size", "count", "match"),
    [
        ("7B", 6_500_000_001, Match.ROUNDED),
        ("7B", 6_499_999_999, Match.NONE),
        ("7B", 7_500_000_001, Match.CUT_OFF),
        ("1.5B", 1_549_999_999, Match.ROUNDED),
        ("70B", 68_976_648_192, Match.ROUNDED),
        ("71B", 68_976_648_192, Match.NONE),
        ("10B", 14_000_000_000, Match.NONE),
        ("700M", 742_489_344, Match.ROUNDED),
        ("200M", 160_000_000, Match.NONE),  # more than a tenth
        ("350M", 356_712_448, Match.NONE),
    ],
)
def test_rounding(size: str, count: int, match: Match) -> None:
    (number,) = advertised_numbers(size)
    assert number.match(count) is match


def test_numbers_in_names() -> None:
    numbers = advertised_numbers("236B-A22.5B")
    assert [(each.kind, each.number) for each in numbers] == [
        (CountedParameters.ALL, 236_000_000_000),
        (CountedParameters.ACTIVE, 22_500_000_000),
    ]
    assert [each.kind for each in advertised_numbers("16x3.8B")] == [CountedParameters.EXPERT]
