"""Memory: weights by data type, KV cache, training."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from families import PRESETS
from project import Build
from sums import total_of

from sphinx_llmsize import ConfigError, Model, load
from sphinx_llmsize.architecture.cost import cache_elements, cache_elements_per_token
from sphinx_llmsize.architecture.layers import assign_windows, every
from sphinx_llmsize.blocks import (
    Block,
    Cell,
    Column,
    Derivation,
    Paragraph,
    RowKind,
    SumRow,
    SumRowKind,
    Table,
)
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views import document
from sphinx_llmsize.views.memory.kv_cache import cached_parts
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.shared.data_size import (
    size_texts,
    unit_of_column,
)
from sphinx_llmsize.views.shared.lengths import usual_contexts
from sphinx_llmsize.views.view_options import ViewOptions


def memory(model: Model, **options: object) -> tuple[Block, ...]:
    return document(model, ("memory",), ViewOptions(**options))  # type: ignore[arg-type]


def lines(cell: Cell) -> list[str]:
    return ["".join(map(str, line)) for line in cell]


def rows(table: Table) -> dict[str, list[list[str]]]:
    """Rows by their first cell; each other cell as a list of lines."""
    return {lines(row.cells[0])[0]: [lines(cell) for cell in row.cells[1:]] for row in table.rows}


def tables(model: Model, **options: object) -> list[Table]:
    return [block for block in memory(model, **options) if isinstance(block, Table)]


def prose(model: Model, **options: object) -> str:
    paragraphs = (block for block in memory(model, **options) if isinstance(block, Paragraph))
    return "\n".join("".join(map(str, paragraph.content)) for paragraph in paragraphs)


def cached(model: Model, **options: object) -> dict[str, list[list[str]]]:
    return rows(tables(model, **options)[1])


@pytest.mark.parametrize(
    ("name", "context", "numbers", "sizes"),
    [
        ("llama-2-7b", 4096, 2**30, ["2.15 GB", "2.00 GiB"]),
        ("llama-3-8b", 8192, 2**29, ["1.07 GB", "1.00 GiB"]),
        ("deepseek-v3", 1, 35_136, ["70.3 kB", "68.6 KiB"]),
    ],
)
def test_published_sizes(name: str, context: int, numbers: int, sizes: list[str]) -> None:
    architecture = load(name).architecture
    assert cache_elements(architecture, architecture.placed_stages(), context) == numbers
    _each, found = cached(load(name), context=context).values()
    assert found[-1] == sizes
    assert found[-2] == [f"{2 * numbers:,}"]


def test_weights_in_each_type() -> None:
    found = rows(tables(load("llama-2-7b"))[0])
    (table, *_others) = tables(load("llama-2-7b"))
    assert [column.label for column in table.columns] == ["Type", "Bytes", "Size"]
    assert {name: cells[1] for name, cells in found.items()} == {
        "fp32": ["27.0 GB", "25.1 GiB"],
        "bf16": ["13.5 GB", "12.6 GiB"],
        "int8": ["6.74 GB", "6.28 GiB"],
        "int4": ["3.37 GB", "3.14 GiB"],
    }
    assert found["bf16"][0] == [f"{2 * load('llama-2-7b').total:,}"]
    assert [lines(row.cells[0])[1] for row in table.rows] == [
        "4 bytes per parameter",
        "2 bytes per parameter",
        "1 byte per parameter",
        "0.5 bytes per parameter",
    ]


@pytest.mark.parametrize(
    ("dtype", "order"),
    [
        ("4.5", ["fp32", "bf16", "int8", "4.5 bits", "int4"]),
        ("fp8", ["fp32", "bf16", "fp8", "int8", "int4"]),
        ("bf16", ["fp32", "bf16", "int8", "int4"]),
    ],
)
def test_additional_data_types(dtype: str, order: list[str]) -> None:
    assert list(rows(tables(load("llama-2-7b"), dtype=dtype)[0])) == order


@pytest.mark.parametrize(
    ("dtype", "in_it", "size"),
    [("", "in bf16", "2.15 GB"), ("fp8", "in fp8", "1.07 GB"), ("4.5", "in bf16", "2.15 GB")],
)
def test_the_type_of_the_cache(dtype: str, in_it: str, size: str) -> None:
    table = tables(load("llama-2-7b"), context=4096, dtype=dtype)[1]
    assert table.title.endswith(in_it)
    assert rows(table)["T = 4,096"][-1][0] == size


@pytest.mark.parametrize(
    ("size", "texts"),
    [
        (2**31, ("2.15 GB", "2.00 GiB")),
        (10**9, ("1.00 GB", "954 MiB")),
        (999, ("999 bytes",)),
        (1010, ("1.01 kB", "1,010 bytes")),
    ],
)
def test_units_of_1000_and_1024(size: int, texts: tuple[str, ...]) -> None:
    assert size_texts(Fraction(size)) == texts


def is_rounded(column: Column) -> bool:
    exact = {"Layers", "Elements", "Elements per token", "Bytes"}
    return column.numeric and column.label not in exact


@pytest.mark.parametrize("name", ["gpt2", "llama-7b", "deepseek-v3", "jamba-v0.1"])
def test_one_layout_of_sizes(name: str) -> None:
    """Three digits in GB, or another power of 1000, and below it in GiB or another of 1024."""
    digits = r"(\d\.\d\d|\d\d\.\d|\d{3})"
    for table in tables(load(name), batch=2):
        for row in table.rows:
            by_column = zip(row.cells, table.columns, strict=True)
            sizes = [lines(cell) for cell, column in by_column if is_rounded(column)]
            for decimal, binary in filter(any, sizes):
                assert re.fullmatch(rf"{digits} [kMGT]B", decimal)
                assert re.fullmatch(rf"{digits} [KMGT]iB", binary)


@pytest.mark.parametrize(
    ("sizes", "unit"),
    [
        ((27 * 10**9, 3 * 10**9), "GB"),
        ((2 * 10**12, 2 * 10**11), "GB"),
        ((2 * 10**9, 2 * 10**7), "GB"),
        ((2 * 10**9, 2 * 10**6), "MB"),
        ((10**9, 0), "GB"),
        ((999 * 10**6, 10**8), "MB"),
        ((2 * 10**9, 9), "bytes"),
    ],
)
def test_a_column_has_the_unit_of_its_largest_size(sizes: tuple[int, ...], unit: str) -> None:
    assert unit_of_column([*map(Fraction, sizes)]) == unit


@pytest.mark.parametrize(
    ("name", "contexts"),
    [("gpt2", (1024,)), ("llama-2-7b", (4096,)), ("deepseek-v3", (4096, 131_072))],
)
def test_default_contexts(name: str, contexts: tuple[int, ...]) -> None:
    assert usual_contexts(load(name)) == contexts


def test_positions_that_were_changed() -> None:
    assert usual_contexts(load("gpt2", {"n_positions": 6000})) == (4096, 6000)


def test_more_tokens_than_positions() -> None:
    with pytest.raises(ConfigError, match="GPT-2 small has positions for") as caught:
        memory(load("gpt2"), context=4096)
    assert caught.value.option == "context"


def test_cache_compared_with_multi_head_attention() -> None:
    assert "4 times as large: 4.29 GB for 8,192 tokens" in prose(load("llama-3-8b"))
    # 128 heads with keys of 192 and values of 128 in place of 576 numbers: 71.1
    assert "71.1 times as large" in prose(load("deepseek-v3"))
    assert "times as large" not in prose(load("llama-2-7b"))


def test_windows_limit_the_cache() -> None:
    gemma = load("gemma-2-9b")
    architecture = gemma.architecture
    items = assign_windows(architecture.items, every(2, 4096, others=0), 42, two_sided=False)
    gemma = replace(gemma, architecture=replace(architecture, items=items))
    found = cached_parts(gemma.architecture)
    each = 21 * 2 * 8 * 256
    assert [row.window for row in found] == [4096, None]
    assert [row.elements_at(gemma.architecture, 4096) for row in found] == [
        4096 * each,
        4096 * each,
    ]
    assert [row.elements_at(gemma.architecture, 8192) for row in found] == [
        4096 * each,
        8192 * each,
    ]
    shapes = [lines(row.cells[1])[0] for row in tables(gemma)[1].rows]
    assert shapes[:2] == ["min(T, 4,096) × 2H_kv·d_h", "T × 2H_kv·d_h"]


def test_states_have_a_constant_size() -> None:
    found = cached(load("jamba-v0.1"))
    assert found["States"][1:3] == [["28"], ["–", "constant"]]
    assert found["States"][3] == ["7.34 MB", "7.00 MiB"]
    assert found["Keys and values"][3] == ["67.1 MB", "64.0 MiB"]
    assert found["Keys and values"][4] == ["4.29 GB", "4.00 GiB"]


def test_a_lone_part_has_a_row_for_each_length() -> None:
    """Each token, then the contexts; with a window, the cache stops growing."""
    found = cached(load("mistral-7b-v0.1"))
    assert list(found) == ["Each token", "T = 4,096", "T = 8,192"]
    formula, elements, exact, _size = found["Each token"]
    assert formula == ["2L·H_kv·d_h", "2 × 32 × 8 × 128"]
    assert (elements, exact) == (["65,536"], ["131,072"])
    assert found["T = 8,192"][0] == ["min(T, 4,096) × 65,536", "4,096 × 65,536"]
    assert found["T = 8,192"][1:] == found["T = 4,096"][1:]
    assert found["T = 4,096"][2] == [f"{2 * 4096 * 65_536:,}"]


def test_training_without_a_formula_for_activations_is_a_sentence() -> None:
    jamba = load("jamba-v0.1")
    assert not any("train" in table.title for table in tables(jamba))
    assert "moments) take 16N = 16 × 51,570,323,328 bytes: 825 GB (768 GiB)." in prose(jamba)


def test_only_states() -> None:
    mamba = load("mamba-130m")
    assert tables(mamba)[1].title == "States in bf16"
    assert set(cached(mamba)) == {"Inputs of the convolution", "States", "Total"}
    assert [column.label for column in tables(mamba)[1].columns][-1] == "Any T"
    assert lines(tables(mamba)[1].rows[-1].cells[3]) == ["–", "constant"]
    assert number_text(mamba, ("kv_cache",)) == "0 bytes"
    # 24 layers: 1,536 channels with 16 numbers of state and 4 convolution inputs
    assert number_text(mamba, ("kv_cache", "1", "bytes")) == f"{2 * 24 * 1536 * 20:,} bytes"


def test_keys_and_values_of_another_sequence() -> None:
    t5 = load("t5-base")
    found = cached(t5, context=100)
    assert found["Keys and values"][2:] == [["18,432"], ["3.69 MB", "3.52 MiB"]]
    of_encoder = found["Keys and values of the encoder's tokens"]
    assert of_encoder[2:] == [["–", "grows with T_src"], ["3.69 MB", "3.52 MiB"]]
    assert number_text(t5, ("kv_cache", "bytes")) == "36,864 bytes"


def test_a_model_without_generation() -> None:
    bert = load("bert-base-uncased")
    assert "This model has no KV cache" in prose(bert)
    assert [table.title for table in tables(bert)] == [
        "Memory for the weights of BERT base uncased",
        "Memory for training in mixed precision, with a sequence of T = 512 tokens",
    ]


def test_experts_are_all_in_memory() -> None:
    text = prose(load("mixtral-8x7b"))
    assert "All weights, including every expert, take 93.4 GB in bf16." in text
    assert "One token uses 12,879,925,248 of them, 25.8 GB." in text
    assert "experts" not in prose(load("llama-2-7b"))


@pytest.mark.parametrize("name", ["llama-7b", "jamba-v0.1", "t5-small"])
def test_rows_of_a_table_have_different_names(name: str) -> None:
    for table in tables(load(name)):
        names = ["".join(map(str, row.cells[0][0])) for row in table.rows]
        assert len(set(names)) == len(names)


def test_training_by_published_formulas() -> None:
    gpt2 = load("gpt2")
    table = tables(gpt2, tokens=1024)[-1]
    assert "Bytes" not in [column.label for column in table.columns]  # these are estimates
    found = {tuple(lines(row.cells[0])): [*map(lines, row.cells[2:])] for row in table.rows}
    assert {label: [each[0] for each in sizes if any(each)] for label, sizes in found.items()} == {
        ("Model states", "weights, gradients, Adam"): ["1.99 GB"],  # 16 × N
        ("Plus one of",): [],
        # 12 × 1,024 × 768 × (34 + 5·12·1,024/768)
        ("All activations",): ["1.08 GB", "3.07 GB"],
        ("Activations without scores", "scores are computed again"): ["321 MB", "2.31 GB"],
        ("Inputs of the layers", "all else is computed again"): ["18.9 MB", "2.01 GB"],
    }
    assert [row.kind for row in table.rows] == [RowKind.GROUP] * 2 + [RowKind.MEMBER] * 3


def test_the_name_of_a_sum_of_memory_for_training() -> None:
    assert number_text(load("gpt2"), ("training.states+activations", "1024")) == "3.07 GB"
    with pytest.raises(ConfigError, match="training has no 'other'"):
        number_text(load("gpt2"), ("training.states+other", "1024"))


def test_a_batch_needs_a_cache_for_each_sequence() -> None:
    table = rows(tables(load("llama-2-7b"), batch=8, context=4096, dtype="fp8")[2])
    assert table == {
        "Weights": [["6.74 GB", "6.28 GiB"]],
        "KV cache": [["8.59 GB", "8.00 GiB"]],  # 8 × 4,096 × 2·32·32·128
        "Total": [["15.3 GB", "14.3 GiB"]],
    }
    assert len(tables(load("llama-2-7b"))) + 1 == len(tables(load("llama-2-7b"), batch=2))
    assert len(tables(load("bert-base-uncased"))) == len(tables(load("bert-base-uncased"), batch=2))


def test_bits_of_the_weights_are_not_those_of_the_cache() -> None:
    table = tables(load("llama-2-7b"), batch=8, context=4096, dtype="4.5")[2]
    assert [lines(row.cells[0]) for row in table.rows] == [
        ["Weights", "4.5 bits"],
        ["KV cache", "bf16", "8 × 2.15 GB"],
        ["Total"],
    ]


def test_training_with_a_batch() -> None:
    one, several = (tables(load("gpt2"), tokens=1024, batch=n)[-1] for n in (1, 10))
    sizes = [[lines(table.rows[n].cells[2])[0] for n in (0, 2)] for table in (one, several)]
    assert sizes == [["1.99 GB", "1.08 GB"], ["1.99 GB", "10.8 GB"]]
    assert several.title.endswith("with b = 10 sequences of T = 1,024 tokens")
    assert "10 × 12 × 1,024 × 768" in lines(several.rows[2].cells[1])[1]


def test_bytes_of_stored_activations_are_sums() -> None:
    text = prose(load("gpt2"))
    assert "34 = 11 + 19 + 4 bytes are stored for attention, FFN and norms" in text
    assert "per attention score, 5 = 2 + 1 + 2 bytes" in text


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gpt2", "This model has the same shapes."),
        ("falcon-7b", "71 heads share 1 key/value head, so the numbers are estimates."),
        (
            "llama-2-7b",
            "the MLP has a gate and F = 43D/16, so the numbers are estimates.",
        ),
        (
            "llama-3-8b",
            "In this model, 32 heads share 8 key/value heads, the MLP has a gate and",
        ),
        ("gemma-2b", "8 heads share 1 key/value head"),
        (
            "deepseek-v3",
            "keys and values come from latents, the MLP has a gate and tokens",
        ),
        ("jamba-v0.1", "This model has another architecture."),
        ("t5-base", "This model has another architecture."),
        # 31 layers without attention
        ("llama-3.3-nemotron-super-49b", "This model has another architecture."),
        ({"model_type": "blt"}, "This model has another architecture."),  # several stacks
        ({"model_type": "hrm_text"}, "This model has another architecture."),  # several passes
    ],
)
def test_how_a_model_differs_from_that_of_the_formula(
    name: str | dict[str, Any], sentence: str
) -> None:
    assert sentence in prose(load(name))


def test_the_sum_in_symbols_numbers_and_bytes() -> None:
    (found,) = (block for block in memory(load("jamba-v0.1")) if isinstance(block, Derivation))
    layers = r"L_{\mathrm{Mamba}}"
    assert found.rows == (
        SumRow(
            "Inputs of the convolution (28 layers)",
            (rf"{layers} \, W \, D_{{\mathrm{{inner}}}}",),
            (r"28 \times 4 \times 8{,}192",),
            "917,504",
            number_name="kv_cache.convolution_inputs:262144:elements",
        ),
        found.rows[1],
        found.rows[2],
        SumRow(
            "Total",
            (r"N_{\text{cached}}",),
            (),
            "2,152,071,168",
            SumRowKind.TOTAL,
            number_name="kv_cache:262144:elements",
        ),
        SumRow(
            "Size in bf16",
            (),
            (r"\text{2 bytes} \times 2{,}152{,}071{,}168",),
            "4,304,142,336 bytes",
            SumRowKind.TOTAL,
            ("≈ 4.30 GB", "≈ 4.01 GiB"),
            number_name="kv_cache:262144:bf16:bytes",
        ),
    )


@pytest.mark.parametrize("name", ["llama-2-7b", "deepseek-v3"])
def test_a_sum_of_one_part_would_repeat_the_table(name: str) -> None:
    assert not any(isinstance(block, Derivation) for block in memory(load(name)))


@pytest.mark.parametrize("name", ["xlstm-7b", "zaya1-8b", "gemma-3-1b"])
def test_the_rows_of_the_sum_add_up(name: str) -> None:
    (found,) = (block for block in memory(load(name)) if isinstance(block, Derivation))
    *elements, _size = found.rows
    assert total_of(replace(found, rows=tuple(elements)))


@pytest.mark.presets
def test_rows_add_up_in_every_preset() -> None:
    for name in PRESETS:
        architecture = load(name).architecture
        found = cached_parts(architecture)
        for context in (1, 5000):
            together = sum(row.elements_at(architecture, context) for row in found)
            assert together == cache_elements(
                architecture, architecture.placed_stages(), context
            ), name
        for_each = sum(row.elements_per_token(architecture) for row in found)
        assert for_each == cache_elements_per_token(architecture, architecture.placed_stages()), (
            name
        )


@pytest.mark.parametrize("name", list(presets())[::20])
def test_every_kind_of_model_has_the_view(name: str) -> None:
    for table in tables(load(name), dtype="4.5"):
        assert all(len(row.cells) == len(table.columns) for row in table.rows)


def test_options_of_the_directive(build: Build) -> None:
    page = "# T\n\n```{llm-size} llama-3-8b\n:show: memory\n:context: 8192\n:dtype: fp8\n```\n"
    project = build({"index.md": page}, "text")
    assert project.log == ""
    assert "512 MiB" in project.output("index.txt")
