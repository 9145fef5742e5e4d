"""Errors in the numbers of roles: unknown names, invalid arguments."""

from __future__ import annotations

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.views.numbers.measures import MEASURES
from sphinx_llmsize.views.numbers.model_numbers import number_text, value_of
from sphinx_llmsize.views.numbers.role_text import ratio_text
from sphinx_llmsize.views.option_values import MAX_FACTORS, read_factors, read_tokens
from sphinx_llmsize.views.shared.data_size import bits_of


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("gpt2", ("flops",), "FLOPs need a number of tokens"),
        ("gpt2", ("flops", "0"), "is not a number of tokens"),
        ("gpt2", ("flops", "1", "exact", "GB"), "unknown format 'GB'"),
        ("gpt2", ("weights",), "weights need a data type"),
        ("gpt2", ("weights", "bf16", "GB", "GB"), "unexpected 'GB' after the unit"),
        ("gpt2", ("weights", "bf16", "total"), "unknown unit"),
        ("gpt2", ("kv_cache", "GB", "GB"), "unexpected 'GB' after kv_cache"),
        ("gpt2", ("kv_cache", "1025"), "1,025 tokens"),
        ("bert-base", ("kv_cache",), "has no KV cache"),
        ("bert-base", ("flops_per_token", "1"), "generates no tokens"),
    ],
)
def test_unknown_numbers(name: str, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        number_text(load({"model_type": "bert"} if name == "bert-base" else name), words)
    assert caught.value.problem is Problem.NUMBER


@pytest.mark.parametrize("name", sorted(MEASURES.keys() - {"kv_cache"}))
def test_attributes_of_a_model_that_need_further_words(name: str) -> None:
    with pytest.raises(ConfigError, match=f'in a template: ."{name}:…".') as caught:
        value_of(load("gpt2"), name)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize("word", ["tie_embeddings", "model_type"])
def test_ratios_of_values_that_are_not_numbers(word: str) -> None:
    model = load("llama-7b", {"tie_embeddings": True})
    with pytest.raises(ConfigError, match=f"{word} is not a number"):
        ratio_text(model, (word,), model, ())


@pytest.mark.parametrize("text", ["true", "0", "1_000_000_001", "1.5", "e9"])
def test_invalid_numbers_of_tokens(text: str) -> None:
    with pytest.raises(ConfigError, match="is not a number of tokens"):
        read_tokens(text)


def test_too_many_factors() -> None:
    factors = [str(factor) for factor in range(1, MAX_FACTORS + 2)]
    assert len(read_factors(",".join(factors[1:]))) == MAX_FACTORS
    with pytest.raises(ConfigError, match="too many factors: 13"):
        read_factors(",".join(factors))


@pytest.mark.parametrize("text", ["0", "65", "0.0", "1e1", "4.5.1"])
def test_invalid_data_types(text: str) -> None:
    with pytest.raises(ConfigError, match="unknown data type"):
        bits_of(text)
