"""The KV cache in prose, in ratios and as a column of a comparison."""

from __future__ import annotations

import pytest

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.blocks import Table
from sphinx_llmsize.errors import Problem
from sphinx_llmsize.views.author_labels import read_columns
from sphinx_llmsize.views.comparison.compared_columns import usable_columns
from sphinx_llmsize.views.comparison.compared_rows import model_row, sort_rows
from sphinx_llmsize.views.comparison.comparison import comparison
from sphinx_llmsize.views.numbers.role_text import role_text

ROWS = tuple(model_row(load(name)) for name in ("llama-2-7b", "bert-base-uncased", "llama-3-8b"))


def role_output(text: str) -> str:
    return role_text(text, lambda wanted: load(wanted.model))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("llama-2-7b:kv_cache:4096", "2.15 GB"),
        ("llama-2-7b:kv_cache:4096:GiB", "2.00 GiB"),
        ("llama-2-7b:kv_cache:4096:bf16:GiB", "2.00 GiB"),
        ("llama-2-7b:kv_cache:4096:fp8:GiB", "1.00 GiB"),
        ("llama-3-8b:kv_cache:8_192:GiB", "1.00 GiB"),
        ("deepseek-v3:kv_cache", "70.3 kB"),
        ("deepseek-v3:kv_cache:bytes", "70,272 bytes"),
        ("deepseek-v3:kv_cache:1:bytes", "70,272 bytes"),
        ("deepseek-v3:kv_cache:fp8:bytes", "35,136 bytes"),
        ("llama-2-7b:kv_cache:4096 / llama-3-8b:kv_cache:4096", "4×"),
        ("llama-2-7b:kv_cache / deepseek-v3:kv_cache", "7.46×"),
        ("llama-2-7b:kv_cache:4096:bf16 / llama-2-7b:kv_cache:4096:fp8", "2×"),
        ("llama-2-7b:weights:bf16 / llama-2-7b:weights:int4", "4×"),
    ],
)
def test_the_cache_in_the_role(text: str, number: str) -> None:
    assert role_output(text) == number


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("llama-2-7b:kv_cahe", "did you mean 'kv_cache'?"),
        ("llama-2-7b:kv_cache:4k", "'4k' is not a number of tokens"),
        ("llama-2-7b:kv_cache:0", "a number from 1 to"),
        ("gpt2:kv_cache:4096", "more than GPT-2 small has positions for"),
        ("llama-2-7b:kv_cache:4096:bf61", "did you mean 'bf16'?"),
        ("llama-2-7b:kv_cache:4096:gib", "did you mean 'GiB'?"),
        ("llama-2-7b:kv_cache:GiB:4096", "tokens such as 4096, a data type and a unit"),
        ("bert-base-uncased:kv_cache", "BERT base uncased has no KV cache"),
        ("llama-2-7b:kv_cache:4096:GiB / gpt2", "a ratio takes no format 'GiB'"),
    ],
)
def test_invalid_cache_sizes(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        role_output(text)
    assert caught.value.problem is Problem.NUMBER
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("column", "label", "texts"),
    [
        ("kv_cache:8192", "KV cache at 8,192 tokens, bf16", ["4.29 GB", "–", "1.07 GB"]),
        ("kv_cache:fp8", "KV cache per token, fp8", ["262 kB", "–", "65.5 kB"]),
        (
            "kv_cache:8192:bf16:GiB",
            "KV cache at 8,192 tokens, bf16, GiB",
            ["4.00", "–", "1.00"],
        ),
        ("weights:bf16:GB", "Weights, bf16, GB", ["13.48", "0.22", "16.06"]),
    ],
)
def test_columns_of_a_comparison(column: str, label: str, texts: list[str]) -> None:
    table, *_notes = comparison(ROWS, read_columns(column))
    assert isinstance(table, Table)
    assert table.columns[1].label == label
    assert [str(row.cells[1][0][0]) for row in table.rows] == texts


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("kv_cache:8192", ["Llama 3 8B", "Llama 2 7B", "BERT base uncased"]),
        ("-weights:bf16", ["Llama 3 8B", "Llama 2 7B", "BERT base uncased"]),
    ],
)
def test_sorted_by_bytes(sort: str, order: list[str]) -> None:
    assert [row.name for row in sort_rows(ROWS, sort)] == order


def test_an_invalid_column() -> None:
    columns, (error,) = usable_columns(ROWS, read_columns("total, kv_cache:bf61"))
    assert columns == read_columns("total")
    assert "did you mean 'bf16'" in str(error)
