"""The directive ``llm-compare``: rows, columns and errors."""

from __future__ import annotations

import pytest
from project import Build

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.blocks import Line, Note, NoteMark, Paragraph, Table
from sphinx_llmsize.charts import Chart
from sphinx_llmsize.inline import Muted
from sphinx_llmsize.sources.comparison_text import comparison_lines
from sphinx_llmsize.sources.known_values import UndisclosedModel
from sphinx_llmsize.sources.number_text import NumberText
from sphinx_llmsize.views.author_labels import read_columns
from sphinx_llmsize.views.comparison.compared_columns import (
    DEFAULT_COLUMNS,
    default_columns,
    usable_columns,
)
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow, model_row, sort_rows
from sphinx_llmsize.views.comparison.comparison import comparison
from sphinx_llmsize.views.comparison.comparison_notes import CellNotes
from sphinx_llmsize.views.comparison.side_by_side import ComparisonOptions, side_by_side

LLAMAS = tuple(model_row(load(name)) for name in ("llama-3-8b", "llama-3-70b", "llama-3.1-405b"))
UNDISCLOSED = ComparedRow("GPT-4", stated={"hidden_dim": "~12,288", "total": "undisclosed"})


def texts(table: Table) -> list[list[str]]:
    return [["".join(map(str, line)) for (line,) in row.cells] for row in table.rows]


def test_a_name_in_quotes_may_have_any_character() -> None:
    (line,) = comparison_lines("'a}b: {c': {total: 5}")
    parsed = line.parse()
    assert isinstance(parsed, UndisclosedModel)
    assert parsed.name == "a}b: {c"
    (line,) = comparison_lines("\u202eGPT-4\x1b: {total: 5}")
    assert line.parse().name == "GPT-4"  # type: ignore[union-attr]


def test_a_row_for_each_model_and_a_column_for_each_number() -> None:
    table, *_notes = comparison(LLAMAS, read_columns("hidden_dim, total"))
    assert isinstance(table, Table)
    assert [column.label for column in table.columns] == ["Model", "Hidden dimension", "Parameters"]
    assert texts(table) == [
        ["Llama 3 8B", "4,096", "8.03B"],
        ["Llama 3 70B", "8,192", "70.6B"],
        ["Llama 3.1 405B", "16,384", "406B"],
    ]
    assert table.title == "Comparison of Llama 3 8B, Llama 3 70B and Llama 3.1 405B"


@pytest.mark.parametrize(
    ("names", "left_out"),
    [
        (("llama-7b", "gpt2"), {"num_kv_heads", "active"}),
        (("llama-7b", "llama-3-8b"), {"active"}),
        (("deepseek-v3",), {"num_kv_heads"}),  # its latents replace them
        (("llama-3-8b", "mixtral-8x7b"), set()),
        (("mixtral-8x7b", "qwen3-235b-a22b"), {"ffn_dim"}),  # no layer of Qwen3 has its 12,288
    ],
)
def test_default_columns_say_something(names: tuple[str, ...], left_out: set[str]) -> None:
    columns = default_columns([model_row(load(name)) for name in names])
    assert {*DEFAULT_COLUMNS, "active"} - {*columns} == left_out


@pytest.mark.parametrize(
    ("column", "label", "text"),
    [
        ("total:exact", "Parameters", "8,030,261,248"),
        ("mlp:share", "FFN, share", "70.2%"),
        ("weights:bf16", "Weights, bf16, GB", "16.06"),
        ("flops_per_token:1024", "FLOPs per token, 1,024 tokens", "–"),
        ("feed_forward:share", "FFN, share", "70.2%"),
        ("mlp_down", "FFN: down", "1.88B"),
        ("n_embd", "Hidden dimension", "–"),
        ("hidden_size", "Hidden dimension", "4,096"),
        ("num_experts", "Experts", "–†"),
    ],
)
def test_columns_accept_the_numbers_of_the_role(column: str, label: str, text: str) -> None:
    rows = (*LLAMAS[:1], model_row(load("mixtral-8x7b")), model_row(load("gpt2")))
    table, *_notes = comparison(rows, read_columns(column))
    assert isinstance(table, Table)
    assert table.columns[1].label == label
    if text != "–":
        assert texts(table)[0][1] == text


def test_sizes_are_without_the_unit_in_their_heading() -> None:
    rows = [model_row(load(name)) for name in ("llama-7b", "gpt2", "gemma-2-2b")]
    columns = 'weights:bf16:GB, weights:bf16:GB "Weights", kv_cache:2048:GiB'
    table, *_notes = comparison(rows, read_columns(columns))
    assert isinstance(table, Table)
    _model, weights, weights_in_own_words, kv_cache = zip(*texts(table), strict=True)
    assert weights == ("13.48", "0.25", "5.23")
    assert weights_in_own_words == ("13.5 GB", "0.25 GB", "5.23 GB")
    assert kv_cache == ("1.00", "–†", "0.20")


def test_headings_of_the_authors_own() -> None:
    columns = read_columns('model "Which", hidden_dim "Dimensions", total:words "Parameters, all"')
    table, *_notes = comparison(LLAMAS, columns)
    assert isinstance(table, Table)
    assert [column.label for column in table.columns] == ["Which", "Dimensions", "Parameters, all"]
    assert texts(table)[0] == ["Llama 3 8B", "4,096", "8.0 billion"]


def test_where_space_is_short_totals_and_what_fits_stay_beside_the_names() -> None:
    columns = 'hidden_dim, num_layers "Depth", vocab_size, ffn_dim, total'
    table, *_notes = comparison(LLAMAS, read_columns(columns))
    assert isinstance(table, Table)
    assert [column.folds for column in table.columns] == [False, False, False, True, True, False]
    (first, second) = table.rows[0].folded
    assert (first, second) == (
        (Muted("Vocabulary"), ": 128,256"),
        (Muted("FFN dimension"), ": 14,336"),
    )


def test_where_space_is_short_columns_that_few_models_have_fold_first() -> None:
    rows = tuple(model_row(load(name)) for name in ("llama-7b", "gpt2", "deepseek-v3"))
    table, *_notes = comparison(rows, read_columns("num_experts, num_layers, hidden_dim, total"))
    assert isinstance(table, Table)
    folding = [column.label for column in table.columns if column.folds]
    assert folding == ["Experts"]


@pytest.mark.parametrize(
    ("names", "turns"),
    [
        ("llama-7b, llama-3-8b", True),
        ("llama-7b, llama-3-8b, deepseek-v3, mixtral-8x7b, gpt2", True),
        ("llama-7b, llama-3-8b, deepseek-v3, mixtral-8x7b, gpt2, mamba-130m", False),
    ],
)
def test_models_that_fit_side_by_side_become_columns_on_a_phone(names: str, turns: bool) -> None:
    rows = [model_row(load(name)) for name in names.split(", ")]
    (table, *_charts) = captioned(rows, ("table",))
    assert isinstance(table, Table)
    assert (table.turns, table.folds) == (turns, not turns)


def test_names_of_five_models_break_at_hyphens() -> None:
    """There is room for DeepSeek- and V3 below each other, but not for DeepSeek-V3."""
    names = ("gpt2", "llama-7b", "llama-3-8b", "mixtral-8x7b", "deepseek-v3")
    columns = read_columns("total, active, kv_cache, weights:bf16")
    table = comparison([model_row(load(name)) for name in names], columns)[0]
    assert isinstance(table, Table)
    assert table.turns


def notes_of(*names: str, columns: str = "") -> list[str]:
    """Notes below a table of these models."""
    rows = [model_row(load(name)) for name in names]
    blocks = side_by_side(rows, ("table",), ComparisonOptions(read_columns(columns))).blocks
    return ["".join(map(str, block.content)) for block in blocks if isinstance(block, Paragraph)]


def marked(*names: str, columns: str = "") -> list[str]:
    """Cells with the mark of a note, row by row."""
    rows = [model_row(load(name)) for name in names]
    chosen = usable_columns(rows, read_columns(columns))[0]
    table, *_notes = comparison(rows, chosen)
    assert isinstance(table, Table)
    cells = (line for row in table.rows for (line,) in row.cells)
    return ["".join(map(str, line)) for line in cells if isinstance(line[-1], Muted)]


@pytest.mark.parametrize(
    ("column", "label", "sizes"),
    [
        ("kv_cache:8192", "KV cache at 8,192 tokens, bf16, GB", ["4.29", "0.58", "0.60"]),
        ('kv_cache:8192 "KV cache"', "KV cache", ["4.29 GB", "0.58 GB", "0.60 GB"]),
        ("kv_cache", "KV cache per token, bf16", ["524 kB", "70.3 kB", "36.9 kB"]),
        ("weights:bf16", "Weights, bf16", ["13.5 GB", "1.34 TB", "446 MB"]),
    ],
)
def test_a_column_has_one_unit_unless_a_number_would_be_small(
    column: str, label: str, sizes: list[str]
) -> None:
    rows = tuple(model_row(load(name)) for name in ("llama-7b", "deepseek-v3", "t5-base"))
    table, *_notes = comparison(rows, read_columns(column))
    assert isinstance(table, Table)
    assert table.columns[1].label == label
    assert [row[1] for row in texts(table)] == sizes


def test_notes_say_what_dashes_are_and_which_layers_have_the_width() -> None:
    assert notes_of("llama-7b", "gpt2") == []
    names = ("llama-7b", "mixtral-8x7b", "deepseek-v3", "mamba-130m")
    assert marked(*names) == ["14,336†", "–‡", "18,432§", "–¶", "–¶", "–¶"]
    assert notes_of(*names) == [
        "† Dimension of each expert.",
        "‡ Latent attention caches a latent vector in place of key/value heads.",
        "§ Only in dense layers; experts have 2,048.",
        "¶ The model has no such part or size.",
        "Active parameters are those that one token uses.",
    ]
    assert notes_of(*names, columns="hidden_dim, total") == []
    assert notes_of("llama-7b", "gpt2", columns="total, active") == []
    assert notes_of(*names, columns="total, active, weights:bf16") == []  # beside costs
    columns = ('kv_cache "KV cache"', 'kv_cache:fp8 "KV cache"', "kv_cache")
    notes = [notes_of("llama-7b", "gpt2", columns=column) for column in columns]
    assert notes == [["The KV cache is in bf16."], [], []]


def test_notes_say_which_part_has_a_size() -> None:
    names = ("llama-7b", "openelm-270m", "t5-base", "bart-large")
    columns = "num_layers, num_heads, ffn_dim"
    rows = [model_row(load(name)) for name in names]
    table, *_notes = comparison(rows, read_columns(columns))
    assert isinstance(table, Table)
    assert [column.label for column in table.columns[1:]] == [
        "Layers",
        "Attention heads",
        "FFN dimension",
    ]
    assert [line[1:] for line in texts(table)] == [
        ["32", "32", "11,008"],
        ["16", "–†", "–†"],
        ["12‡", "12", "3,072"],
        ["12‡", "–§", "–¶"],
    ]
    assert notes_of(*names, columns=columns) == [
        "† The size differs between layers.",
        "‡ Of the encoder; the decoder has 12.",
        "§ Encoder and decoder have 16 each.",
        "¶ Encoder and decoder have 4,096 each.",
    ]


def test_a_key_without_a_value_is_a_dash() -> None:
    rows = [model_row(load(name)) for name in ("llama-7b", "openelm-270m")]
    table, *_notes = comparison(rows, read_columns("num_kv_heads"))
    assert isinstance(table, Table)
    assert table.columns[1].label == "Key/value heads"
    assert texts(table)[1] == ["OpenELM 270M", "–†"]


def marks_in(line: Line) -> list[tuple[str, str]]:
    """Marks of notes in a line, and those in a turned table, which are empty if they are equal."""
    return [(piece.text, piece.turned) for piece in line if isinstance(piece, NoteMark)]


@pytest.mark.parametrize(
    ("columns", "turns", "marks", "positions"),
    [
        ("", True, [("†", "‡"), ("‡", "†"), ("§", "")], [2, 1, 3]),
        ("num_kv_heads, ffn_dim", False, [("†", ""), ("‡", ""), ("§", "")], [0, 0, 0]),
        ("hidden_dim, num_layers, vocab_size, ffn_dim", True, [("†", ""), ("‡", "")], [0, 0]),
    ],
)
def test_notes_have_another_order_where_a_turned_table_has_one(
    columns: str, turns: bool, marks: list[tuple[str, str]], positions: list[int]
) -> None:
    rows = [model_row(load(name)) for name in ("mixtral-8x7b", "deepseek-v3")]
    table, *notes = comparison(rows, usable_columns(rows, read_columns(columns))[0])
    assert isinstance(table, Table)
    assert table.turns == turns
    in_cells = [mark for row in table.rows for (line,) in row.cells for mark in marks_in(line)]
    in_notes = [note for note in notes if isinstance(note, Note) and marks_in(note.content)]
    assert in_cells == marks
    assert [mark for note in in_notes for mark in marks_in(note.content)] == marks
    assert [note.turned_position for note in in_notes] == positions


def test_a_note_says_that_experts_are_not_feed_forward() -> None:
    names, shares = ("llama-7b", "deepseek-v3"), "total, mlp:share"
    assert marked(*names, columns=shares) == ["0.2%†"]
    assert notes_of(*names, columns=shares) == [
        "† Without experts, which hold 97.8% of the parameters."
    ]
    assert notes_of(*names, columns=f"{shares}, experts:share") == []
    assert notes_of("llama-7b", columns=shares) == []


def test_more_notes_than_signs_have_doubled_signs() -> None:
    texts = {(0, position): str(position) for position in range(7)}
    marks = ["".join(map(str, CellNotes(texts).mark(0, position))) for position in range(8)]
    assert marks == ["†", "‡", "§", "¶", "††", "‡‡", "§§", ""]


def test_stated_and_counted_models_in_one_table() -> None:
    columns = read_columns("hidden_dim, num_layers, total")
    (table,) = comparison((*LLAMAS, UNDISCLOSED), columns)
    assert isinstance(table, Table)
    assert texts(table)[-1] == ["GPT-4", "~12,288", "–", "undisclosed"]


STATED = {
    "total": "(undisclosed)",
    "vocab_size": 100_277,
    "hidden_dim": "~12,288",
    "active": 2.8e11,  # an author writes 2.8e11
    "mlp": 0.5,
}


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("total", "(undisclosed)"),
        ("total:words", "(undisclosed)"),
        ("total:exact", "(undisclosed)"),
        ("vocab_size", "100,277"),
        ("vocab_size:short", "100K"),
        ("hidden_dim", "~12,288"),
        ("num_layers", "–"),
        ("active", "280B"),
        ("active:exact", "280,000,000,000"),
        ("mlp:share", "0.5"),
    ],
)
def test_stated_values_in_the_format_of_a_column(column: str, text: str) -> None:
    assert ComparedRow("GPT-4", stated=STATED).text(column) == text


@pytest.mark.parametrize(
    ("braces", "values"),
    [
        ("{hidden_dim: ~12,288, total: ?}", {"hidden_dim": "~12,288", "total": "?"}),
        ("{context: 'a: ?, b', total: ? }", {"context": "a: ?, b", "total": "?"}),
        ("{hidden_dim: 12,288, total: 1,760,000,000}", {"hidden_dim": 12288, "total": 1760000000}),
        ("{total: '1,2,345', a: \"12,288\"}", {"total": "1,2,345", "a": "12,288"}),
        ("{a: 1,23: 4}", {"a": 1, "23": 4}),
    ],
)
def test_values_in_braces(braces: str, values: dict[str, object]) -> None:
    (line,) = comparison_lines(f"GPT-4: {braces}")
    parsed = line.parse()
    assert isinstance(parsed, UndisclosedModel)
    assert {entry.key: entry.value for entry in parsed.entries} == values


@pytest.mark.parametrize(
    ("column", "heading"),
    [
        ("kv_cache.keys_and_values", "KV cache, keys and values, per token, bf16"),
        (
            "kv_cache.multi_head:2048:fp8",
            "KV cache, with keys and values for each head, 2,048 tokens, fp8",
        ),
        ("kv_cache", "KV cache per token, bf16"),
        ("kv_cache:2048:GiB", "KV cache at 2,048 tokens, bf16, GiB"),
        ("kv_cache:elements", "KV cache per token, elements"),
        ("flops.qkv:2048", "FLOPs, QKV projection, 2,048 tokens"),
        ("flops.weights:1", "FLOPs, products with weights, 1 token"),
        ("activations.per_token:2048", "Activations, per token, 2,048 tokens"),
        ("weights.mlp:4.5", "Weights, FFN, 4.5 bits"),
        ("rule:12", "Rule of thumb, c = 12"),
        ("rule.c", "Rule of thumb, c"),
        ("growth.total", "Growth, parameters, 2 × hidden dimension"),
        ("growth.flops:2048:num_layers*3", "Growth, FLOPs, 3 × layers, 2,048 tokens"),
        ("exponent.mlp", "Exponent, FFN, hidden dimension"),
        ("exponent.mlp:hidden_dim*1..2", "Exponent, FFN, 1–2 × hidden dimension"),
        (
            "training.states+activations:2048",
            "Training, model states + all activations, 2,048 tokens",
        ),
        ("counted.untied", "Parameters, with the tied LM head counted again"),
        ("flops_polynomial.break_even", "FLOPs as a polynomial, break-even in tokens"),
        ("attention+feed_forward", "Attention + FFN"),
        ("D", "Hidden dimension"),
        ("q_proj.weight", "q_proj, weight"),
    ],
)
def test_headings_are_words_and_grouped_digits(column: str, heading: str) -> None:
    table, *_notes = comparison((model_row(load("llama-7b")),), read_columns(column))
    assert isinstance(table, Table)
    assert table.columns[1].label == heading


def test_ratios_in_a_column_have_equally_many_digits() -> None:
    rows = tuple(model_row(load(name)) for name in ("llama-7b", "gpt2", "gemma-2-9b"))
    table, *_notes = comparison(rows, read_columns("rule.c, growth.total:hidden_dim*3"))
    assert isinstance(table, Table)
    assert [row[1:] for row in texts(table)[:2]] == [["12.06", "8.77"], ["12.00", "7.10"]]


def test_the_same_note_for_several_models_is_one() -> None:
    names = ("llama-7b", "mamba2-130m", "mamba-130m", "t5-base")
    rows = tuple(model_row(load(name)) for name in names)
    columns = "rule.c, flops.qkv:512, exponent.mlp:hidden_dim*1..2"
    table, *notes = comparison(rows, read_columns(columns))
    assert isinstance(table, Table)
    assert [row[1:3] for row in texts(table)[1:3]] == [["–†", "–‡"], ["–†", "–‡"]]
    assert ["".join(map(str, note.content)) for note in notes if isinstance(note, Paragraph)] == [
        "† The rule of thumb does not apply to the model.",
        "‡ The model has no such part or size.",
    ]


VALUES_IN_OTHER_FORMS = (
    "{} {{hidden_dim: 12288}}",
    "{} {{hidden_dim: 12288, num_layers: 96}}",
    "{} {{hidden_dim: 12,288, num_layers: 96}}",
    "{}: hidden_dim: 12288",
    "{}: hidden_dim: 12,288, num_layers: 96",
    "{} hidden_dim: 12288, num_layers: 96",
    "{}, hidden_dim: 12288",
    "{}, {{hidden_dim: 12288, num_layers: 96}}",
    "{}: hidden_dim=12288, num_layers=96",
    "{}: {{hidden_dim=12288, num_layers=96}}",
    "{} {{hidden_dim=12288}}",
    "{}: {{hidden_dim 12288, num_layers 96}}",
    "{}: {{hidden_dim:12288,num_layers:96}}",
    "{}: {{hidden_dim: 12288; num_layers: 96}}",
    "{}: (hidden_dim: 12288, num_layers: 96)",
    "{} (hidden_dim: 12288, num_layers: 96)",
    "{}: [hidden_dim: 12288]",
    "{}: {{{{hidden_dim: 12288}}}}",
    "{} = {{hidden_dim: 12288, num_layers: 96}}",
    "{} - {{hidden_dim: 12288}}",
    "{{{}: {{hidden_dim: 12288}}}}",
    "{}: hidden_dim: 12288}}",
    '"{}" {{hidden_dim: 12288}}',
)


@pytest.mark.parametrize("form", VALUES_IN_OTHER_FORMS)
def test_the_hint_for_values_in_another_form_is_valid(form: str) -> None:
    written = form.format("Claude 3 Opus")
    (line,) = comparison_lines(written)
    with pytest.raises(ConfigError) as caught:
        line.parse()
    example = caught.value.hint.removeprefix("write known values in braces: ")
    assert example != caught.value.hint
    (corrected,) = comparison_lines(example)
    parsed = corrected.parse()
    assert isinstance(parsed, UndisclosedModel)
    assert parsed.name == "Claude 3 Opus"
    values = {"hidden_dim": 12288, **({"num_layers": 96} if "num_layers" in form else {})}
    assert {entry.key: entry.value for entry in parsed.entries} == values


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("Claude: 137B", "Claude: {total: 137B}"),
        ("Claude: ~12,288", "Claude: {total: ~12,288}"),
        ("Claude: {undisclosed}", "Claude: {total: undisclosed}"),
        ("Claude {undisclosed}", "Claude: {total: undisclosed}"),
        ("Claude:", "Claude: {total: undisclosed}"),
        ("Claude: {total: 5: 6}", 'Claude: {total: "5: 6"}'),
        ("hidden_dim: 5, num_layers: 6", "GPT-4: {hidden_dim: 5, num_layers: 6}"),
        ("ours: 137B", "ours: {total: 137B}"),
    ],
)
def test_the_hint_for_a_value_without_a_key(written: str, hint: str) -> None:
    (line,) = comparison_lines(written)
    with pytest.raises(ConfigError) as caught:
        line.parse()
    assert caught.value.hint == f"write known values in braces: {hint}"
    assert isinstance(comparison_lines(hint)[0].parse(), UndisclosedModel)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("Claude: {total: 5, active: 3", "close the brace"),
        (
            "llama-7b: num_layers=40",
            "write changed keys after a question mark: llama-7b?num_layers=40",
        ),
        ("llama-7b:mlp:share", "choose what is shown with the option columns"),
    ],
)
def test_other_hints_for_a_line(written: str, hint: str) -> None:
    (line,) = comparison_lines(written)
    with pytest.raises(ConfigError) as caught:
        line.parse()
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpt2, GPT-4: {total: 5, active: 3}, llama-7b", ["gpt2", "GPT-4", "llama-7b"]),
        ("A: {total: 5, active: 3}, B: {total: 1}", ["A", "B"]),
        ('"A, B": {total: 5}', ["A, B"]),
        ("Ours (layers=12), gpt2", ["Ours (layers=12)", "gpt2"]),
    ],
)
def test_several_models_on_a_line_with_values(text: str, names: list[str]) -> None:
    parsed = [line.parse() for line in comparison_lines(text)]
    assert [
        each.name if isinstance(each, UndisclosedModel) else each.model for each in parsed
    ] == names


def test_values_in_another_form_are_one_problem(build: Build) -> None:
    body = "   gpt2, Claude 3 Opus {hidden_dim: 12,288, num_layers: 96}\n   llama-7b\n"
    project = build({"index.rst": f"T\n=\n\n.. llm-compare::\n\n{body}"})
    (warned,) = project.warned
    assert warned.line == 6
    assert warned.message.endswith("braces: Claude 3 Opus: {hidden_dim: 12,288, num_layers: 96})")
    page = project.output("index.html")
    assert page.count("llmsize-error") == 1
    assert [text for text in ("124M", "6.74B") if text not in page] == []


def test_a_number_that_a_model_cannot_have_is_a_dash_with_a_note() -> None:
    rows = tuple(
        model_row(load(name)) for name in ("gpt2", "llama-7b", "bert-base-uncased", "gpt2")
    )
    table, *notes = comparison(rows, read_columns("total, kv_cache:8192, flops_per_token:1024"))
    assert isinstance(table, Table)
    assert [row[2] for row in texts(table)] == ["–†", "4.29 GB", "–‡", "–†"]
    assert [row[3] for row in texts(table)][2] == "–§"
    assert ["".join(map(str, note.content)) for note in notes if isinstance(note, Paragraph)] == [
        "† 8,192 tokens are more than GPT-2 small has positions for.",
        "‡ The model has no such part or size.",
        "§ BERT base uncased generates no tokens.",
    ]


def test_a_number_that_a_model_cannot_have_is_sorted_last() -> None:
    rows = tuple(model_row(load(name)) for name in ("gpt2", "llama-7b"))
    assert [row.name for row in sort_rows(rows, "kv_cache:8192")] == ["LLaMA 7B", "GPT-2 small"]
    stated = (ComparedRow("a", stated={"total": 7}), ComparedRow("b", stated={"total": 5}))
    assert [row.name for row in sort_rows(stated, "total")] == ["b", "a"]


def test_mistakes_leave_the_rest_of_the_table(build: Build) -> None:
    body = (
        "   :columns: total, totl, kv_cache:8192\n   :sort: total desc\n   :name: all\n\n"
        "   llama-7b\n   lama-7b\n   gpt2\n   GPT: {totale: 5}\n"
    )
    project = build({"index.rst": f"T\n=\n\n.. llm-compare::\n{body}\nSee `x <all_>`_.\n"})
    assert sorted((warned.line, warned.message) for warned in project.warned) == [
        (5, "8,192 tokens are more than GPT-2 small has positions for (at most 1,024)"),
        (5, "no model has 'totl' (did you mean 'total'?)"),
        (6, "no model has 'total desc' (write -total)"),
        (10, "unknown model 'lama-7b' (did you mean 'llama-7b'?)"),
        (12, "unknown column 'totale' (did you mean 'total'?)"),
    ]
    page = project.output("index.html")
    assert page.count("llmsize-error") == 4
    texts = ("6.74B", "124M", '–<span class="llmsize-muted">†', 'id="all"', 'href="#all"')
    assert [text for text in texts if text not in page] == []


@pytest.mark.parametrize(
    "body", ["GPT: {mlp: 5}", ":show: composition, table\n\nGPT: {total: 5}", "mamba-130m"]
)
def test_default_columns_without_numbers_are_left_out(body: str, build: Build) -> None:
    page = f"# T\n\n```{{llm-compare}}\n{body}\n```\n"
    project = build({"index.md": page, "index.rst": ""}, exclude_patterns=["index.rst"])
    assert "llmsize-table" in project.output("index.html")


@pytest.mark.parametrize(
    ("sort", "order"), [("total", "8B 70B 405B GPT-4"), ("-total", "405B 70B 8B GPT-4")]
)
def test_unknown_values_are_sorted_last(sort: str, order: str) -> None:
    rows = sort_rows((LLAMAS[1], UNDISCLOSED, LLAMAS[2], LLAMAS[0]), sort)
    assert " ".join(row.name.split()[-1] for row in rows) == order


def test_models_with_experts_add_a_column_of_active_parameters() -> None:
    rows = (*LLAMAS, model_row(load("mixtral-8x7b")))
    assert usable_columns(rows, ())[0][-1].name == "active"
    assert usable_columns(LLAMAS, ())[0][-1].name == "total"


def test_a_dense_model_beside_one_with_experts_uses_all_its_parameters() -> None:
    rows = (LLAMAS[0], model_row(load("mixtral-8x7b")))
    table, *_notes = comparison(rows, usable_columns(rows, ())[0])
    assert isinstance(table, Table)
    assert [row[-2:] for row in texts(table)] == [["8.03B", "8.03B"], ["46.7B", "12.9B"]]


@pytest.mark.parametrize(
    ("rows", "caption"),
    [
        (LLAMAS[:1], "Llama 3 8B"),
        (LLAMAS[:2], "Comparison of Llama 3 8B and Llama 3 70B"),
        ((LLAMAS[0], UNDISCLOSED), "Comparison of Llama 3 8B and GPT-4"),
        (LLAMAS * 2, "Comparison of six language models"),
        ((*LLAMAS, UNDISCLOSED) * 3, "Comparison of twelve language models"),
        (LLAMAS * 5, "Comparison of 15 language models"),
    ],
)
def test_captions(rows: tuple[ComparedRow, ...], caption: str) -> None:
    table = comparison(rows, read_columns("total"))[0]
    assert isinstance(table, Table)
    assert table.title == caption


def test_lines_and_commas() -> None:
    lines = comparison_lines("a, b?x=1\n\n# c\nGPT-4: {total: undisclosed, n: 5}\n")
    assert [line.number for line in lines] == [0, 0, 3]
    parsed = lines[2].parse()
    assert isinstance(parsed, UndisclosedModel)
    assert parsed.name == "GPT-4"


@pytest.mark.parametrize("written", ["{}", "- {}", "* {}", "+  {}", "gpt2, {}", "- gpt2, {}"])
@pytest.mark.parametrize(
    "name", ["Ours + LoRA", "Ours - LoRA", "A** b * c", "a- b", "a+ b", "-a", "*", "a *"]
)
def test_names_keep_their_signs_after_a_bullet(written: str, name: str) -> None:
    """A name without its sign could be another model's."""
    *_others, line = comparison_lines(written.format(name))
    parsed = line.parse()
    assert isinstance(parsed, NumberText)
    assert parsed.model == name


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("   llama-3-8b\n   llama-3-70", 7, "did you mean 'llama-3-70b'?"),
        ("   llama-3-8b:total", 6, "choose what is shown with the option columns"),
        ("   :columns: ruel.c\n\n   gpt2", 5, "did you mean 'rule.c'?"),
        ("   :columns: total, flops.qvk:5\n\n   gpt2\n   opt-6.7b", 5, "did you mean 'qkv'?"),
        ("   GPT-4: {total: [1]}", 6, "neither a number nor a text"),
        ("   llama-3-8b?hiden_dim=5", 6, "did you mean 'hidden_dim'?"),
        ("   :columns: hiden_dim\n\n   gpt2", 5, "did you mean 'hidden_dim'?"),
        ("   :columns: total:exakt\n\n   gpt2", 5, "did you mean 'exact'?"),
        ('   :columns: total "All\n\n   gpt2', 5, "write a heading in quotes after its column"),
        ("   :sort: totl\n\n   gpt2", 5, "did you mean 'total'?"),
        ("   :colums: total\n\n   gpt2", 5, "did you mean 'columns'?"),
        ("", 4, "no models to compare"),
    ],
)
def test_one_warning_at_the_line(body: str, line: int, message: str, build: Build) -> None:
    page = f"T\n=\n\n.. llm-compare::\n{body if body.startswith('   :') else chr(10) + body}\n"
    (warned,) = build({"index.rst": page}).warned
    assert warned.line == line
    assert message in warned.message


def test_the_same_in_both_markup_languages(build: Build) -> None:
    files = {
        "index.rst": "T\n=\n\n.. llm-compare:: gpt2, gpt2-xl\n   :name: gpts\n   :caption: Both\n\n"
        "   mine\n\n.. llm-size:: mine\n   :show: formula\n\n   model_type: gpt2\n",
        "page.md": "# T\n\n```{llm-compare} gpt2, gpt2-xl\n:columns: total\n```\n",
    }
    project = build(files, "text")
    assert [warned.line for warned in project.warned] == [8]
    assert "1.56B" in project.output("page.txt")


def test_too_many_models() -> None:
    with pytest.raises(ConfigError, match="201 models"):
        comparison_lines("gpt2\n" * 201)


def captioned(rows: list[ComparedRow], views: tuple[str, ...]) -> list[Table | Chart]:
    """Charts and tables of a comparison."""
    blocks = side_by_side(rows, views, ComparisonOptions()).blocks
    return [block for block in blocks if isinstance(block, (Table, Chart))]


def test_the_first_caption_names_the_models_and_tables_do_for_screen_readers() -> None:
    rows = [model_row(load(name)) for name in ("gpt2", "gpt2-xl")]
    views = ("composition", "table")
    chart, parts, numbers = captioned(rows, views)
    assert isinstance(numbers, Table)
    assert chart.title == "Parameters of GPT-2 small and GPT-2 XL by component"
    assert [parts.title, numbers.title] == ["The parameters in numbers", "The models in numbers"]
    assert numbers.name == "Comparison of GPT-2 small and GPT-2 XL"
    first, later, _parts = captioned(rows, views[::-1])
    assert (first.title, later.title) == (numbers.name, "Parameters by component")
