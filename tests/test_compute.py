"""The view ``compute``: exact FLOPs, and the rules of thumb beside them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from families import PRESETS
from project import Build
from sums import total_of

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.blocks import (
    Cell,
    Derivation,
    Formula,
    Note,
    RowKind,
    SumRowKind,
    Table,
)
from sphinx_llmsize.cli import main
from sphinx_llmsize.data import line_text
from sphinx_llmsize.formats import flops_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.views import document
from sphinx_llmsize.views.compute import scores_note
from sphinx_llmsize.views.compute.flops_rules import error_text, rules_of
from sphinx_llmsize.views.compute.next_token import flops_of_next_token
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache
from sphinx_llmsize.views.numbers.model_numbers import number_text
from sphinx_llmsize.views.numbers.role_text import ratio_text
from sphinx_llmsize.views.shared.lengths import generates
from sphinx_llmsize.views.view_options import ViewOptions

SCORES_NOTES = (scores_note.ALL, scores_note.MASKED, scores_note.WINDOWED, scores_note.SPARSE)
GPT2_AT_5 = 1_236_241_920
"""FLOPs counted by torch's FlopCounterMode."""


def tables(name: str, **options: int) -> list[Table]:
    blocks = document(load(name), ("compute",), ViewOptions(**options))
    return [block for block in blocks if isinstance(block, Table)]


def text(cell: Cell) -> str:
    return "".join(map(str, cell[0]))


def number(cell: Cell) -> int:
    return int(text(cell).replace(",", ""))


def counts(table: Table, kind: RowKind) -> dict[str, int]:
    return {text(row.cells[0]): number(row.cells[3]) for row in table.rows if row.kind is kind}


def test_a_label_of_the_scores_is_in_the_sentence_on_their_cost() -> None:
    options = ViewOptions(labels=(("scores", "looking back"),))
    texts = [str(block) for block in document(load("llama-7b"), ("compute",), options)]
    assert any("looking back costs less than the rest together" in text for text in texts)


def test_forward_pass() -> None:
    table = tables("gpt2", tokens=5)[0]
    assert table.title == "Forward pass of GPT-2 small with T = 5 tokens: 1.24 GFLOPs"
    scores = 12 * 2 * (2 * 12 * 5 * 64 * 5)
    assert counts(table, RowKind.MEMBER)["Dot-product attention"] == scores
    assert counts(table, RowKind.GROUP)["LM head"] == 2 * 5 * 768 * 50257
    assert counts(table, RowKind.TOTAL) == {"Total": GPT2_AT_5, "Per token": GPT2_AT_5 // 5}


def test_operations_have_a_column_and_fold_without_their_numbers() -> None:
    table = tables("gpt2", tokens=5)[0]
    headings = ["Component", "Operation", "Layers", "FLOPs", "Share"]
    assert [column.label for column in table.columns] == headings
    row = next(row for row in table.rows if text(row.cells[0]) == "FFN down")
    operation = ["[T, 4D] × [4D, D]", "[5, 3072] × [3072, 768]"]
    lines = ["".join(map(str, line)).replace("\N{NO-BREAK SPACE}", " ") for line in row.cells[1]]
    assert lines == operation
    folded = ["".join(map(str, line)).replace("\N{NO-BREAK SPACE}", " ") for line in row.folded]
    assert folded == [operation[0], "12 layers"]


def test_a_batch_costs_as_much_for_each_sequence() -> None:
    forward, one_more, _ = tables("gpt2", tokens=5, context=5, batch=8)
    row = "Batch of 8 sequences"
    assert counts(forward, RowKind.TOTAL)[row] == 8 * GPT2_AT_5
    *_parts, total, batch = one_more.rows
    assert text(batch.cells[0]) == row
    assert number(batch.cells[1]) == 8 * number(total.cells[1])


@pytest.mark.parametrize(
    "name",
    [
        "gpt2",
        "llama-3-8b",
        "mixtral-8x7b",
        "deepseek-v3",
        "jamba-v0.1",
        "t5-small",
        "albert-base-v2",
    ],
)
def test_rows_sum_to_groups_and_groups_to_the_total(name: str) -> None:
    table = tables(name, tokens=64)[0]
    total = counts(table, RowKind.TOTAL)["Total"]
    assert total == load(name).flops(64)
    assert sum(counts(table, RowKind.GROUP).values()) == total
    rows = [row for row in table.rows if row.kind is RowKind.MEMBER]
    alone = [row for row in table.rows if row.kind is RowKind.GROUP and text(row.cells[1])]
    assert sum(number(row.cells[3]) for row in (*rows, *alone)) == total


@pytest.mark.parametrize(
    ("name", "tokens", "context"),
    [
        ("gpt2", "1,024", "1,024"),
        ("llama-3-8b", "4,096", "4,096"),
        ("bloom-560m", "2,048", "2,048"),  # no table of positions limits it
        ("bert-base-uncased", "512", ""),
    ],
)
def test_usual_lengths(name: str, tokens: str, context: str) -> None:
    passes, *others = tables(name)
    assert f"with T = {tokens} tokens" in passes.title
    assert [f"with T = {context} tokens in context" in table.title for table in others] == (
        [True, False] if context else [False]
    )
    assert others[-1].title.endswith(f"with T = {tokens} tokens")


def test_next_token_costs_weights_and_cache() -> None:
    model = load("llama-3-8b")
    weights = model.total - model.components["token_embedding"] - model.components["norms"]
    attention = 32 * 2 * (2 * 32 * 128 * 8192)
    _, one_more, _ = tables("llama-3-8b", context=8192)
    numbers = [number(row.cells[1]) for row in one_more.rows]
    assert numbers == [2 * weights, attention, 2 * weights + attention]


def test_the_formula_equals_the_total() -> None:
    blocks = document(load("gpt2"), ("compute",), ViewOptions(tokens=5))
    (whole,) = (block for block in blocks if isinstance(block, Derivation))
    (for_any,) = (block for block in blocks if isinstance(block, Formula))
    assert total_of(whole) == GPT2_AT_5
    assert for_any.lines == ((r"C = 247{,}064{,}064 \, T", r" + 36{,}864 \, T^{2}"),)
    assert GPT2_AT_5 == 247_064_064 * 5 + 36_864 * 5**2


@pytest.mark.parametrize("name", ["gpt2", "llama-3-8b", "mixtral-8x7b", "mamba-2.8b"])
def test_the_sum_of_a_layer_has_the_names_and_flops_of_the_table(name: str) -> None:
    blocks = document(load(name), ("compute",), ViewOptions(tokens=5))
    whole = next(block for block in blocks if isinstance(block, Derivation))
    table = next(block for block in blocks if isinstance(block, Table))
    in_layers = {text(row.cells[0]): row for row in table.rows}
    of_layer = [row for row in whole.rows if row.kind is SumRowKind.INNER]
    assert of_layer
    for row in of_layer:
        _name, _operation, layers, flops, _share = in_layers[row.name].cells
        assert f"{number(flops) // number(layers):,}" == row.result


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("llama-3-8b", "Products with the KV cache"),
        ("jamba-v0.1", "Products with the KV cache and the states"),
        ("mamba-2.8b", "Products with the states"),
    ],
)
def test_products_of_the_next_token_name_what_the_model_caches(name: str, label: str) -> None:
    _forward, one_more, _rules = tables(name)
    assert [text(row.cells[0]) for row in one_more.rows] == [
        "Products with weights",
        label,
        "Total",
    ]


def test_rules_of_thumb() -> None:
    model = load("llama-3-8b")
    forward_rule, with_scores, training = rules_of(model, 2048)
    exact = Fraction(model.flops(2048), 2048)
    assert forward_rule.estimate == 2 * model.total
    assert forward_rule.exact == exact
    assert with_scores.estimate == 2 * model.non_embedding + 2 * 32 * 2048 * 4096
    # without the head, and without scores of later tokens: a token sees (T + 1) / 2 on average
    masked = 32 * 2 * 2 * 4096 * Fraction(2048 - 1, 2)
    assert with_scores.exact == exact - 2 * 4096 * 128256 - masked
    assert training.estimate == 3 * forward_rule.estimate
    assert training.error == forward_rule.error
    assert [error_text(rule.error) for rule in (forward_rule, with_scores)] == ["−0.1%", "<0.1%"]


def test_estimates_have_three_digits() -> None:
    *_others, rules = tables("gpt2", tokens=256)
    columns = [column.label for column in rules.columns]
    assert columns == ["Rule", "Estimate", "Counted", "Difference"]
    first = [text(cell) for cell in rules.rows[0].cells[1:]]
    assert first == ["249 MFLOPs", "257 MFLOPs", "−3.0%"]


@pytest.mark.parametrize(
    ("model", "excluded"),
    [
        (load("llama-7b"), ("embeddings and LM head", "the head and masked scores")),
        (load("gpt2"), ("embeddings", "the head and masked scores")),  # its head is tied
        (load("gpt2", {"architectures": ["GPT2Model"]}), ("embeddings", "masked scores")),
    ],
)
def test_the_rule_with_scores_says_what_it_excludes(
    model: Model, excluded: tuple[str, str]
) -> None:
    of_weights, of_flops = excluded
    n, counted = (line_text(line) for line in list(rules_of(model, 64))[1].notes)
    assert n.endswith(f" excludes {of_weights}")
    assert counted.startswith(f"the counted FLOPs exclude {of_flops}, as in ")


def test_rules_count_active_experts() -> None:
    model = load("mixtral-8x7b")
    assert next(rules_of(model, 2048)).estimate == 2 * model.active


def test_the_rule_with_scores_needs_equal_layers_and_a_causal_mask() -> None:
    assert len(list(rules_of(load("bert-base-uncased"), 512))) == 2
    assert len(list(rules_of(load("deepseek-v3"), 2048))) == 2
    assert len(list(rules_of(load("jamba-v0.1"), 2048))) == 2


@pytest.mark.parametrize(
    ("error", "written"),
    [
        (Fraction(1, 100), "+1.0%"),
        (Fraction(-1, 4), "−25.0%"),
        (Fraction(-1, 10**6), "<0.1%"),
        (Fraction(0), "0.0%"),
    ],
)
def test_errors(error: Fraction, written: str) -> None:
    assert error_text(error) == written


@pytest.mark.parametrize(
    ("count", "written"),
    [
        (999, "999 FLOPs"),
        (1_000, "1.00 kFLOPs"),
        (GPT2_AT_5, "1.24 GFLOPs"),
        (999_499_999_999, "999 GFLOPs"),
        (999_500_000_000, "1.00 TFLOPs"),
        (3 * 10**24, "3,000,000 EFLOPs"),
    ],
)
def test_units(count: int, written: str) -> None:
    assert flops_text(count) == written


def test_sums_of_fractions_are_whole() -> None:
    """The FLOPs of DeBERTa's relative positions are not a multiple of T."""
    found = document(load("deberta-base"), ("compute",), ViewOptions(tokens=512))
    (whole,) = (block for block in found if isinstance(block, Derivation))
    (layer,) = (row for row in whole.rows if row.kind is SumRowKind.SUBTOTAL)
    (layers,) = (row for row in whole.rows if row.kind is SumRowKind.PRODUCT)
    assert layer.result in "".join(layers.numbers).replace("{,}", ",")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("llama-7b", scores_note.MASKED),
        ("bert-base-uncased", scores_note.ALL),
        ("gemma-3-4b", scores_note.WINDOWED),
        ("longformer-base", scores_note.WINDOWED),
        ("longformer-base?attention_window=8192", scores_note.ALL),
        ("deepseek-v3.2-exp", scores_note.SPARSE),
        ("bigbird-roberta-base", scores_note.SPARSE),
        ("bigbird-roberta-base?attention_type=original_full", scores_note.ALL),
        ("mamba-130m", ""),
    ],
)
def test_a_note_tells_which_scores_are_counted(name: str, sentence: str) -> None:
    """BERT masks no scores; Mamba has none; windows and indexers leave out most of them."""
    note = next(b for b in document(load(name), ("compute",), ViewOptions()) if isinstance(b, Note))
    written = "".join(map(str, note.content))
    notes = [each for each in SCORES_NOTES if each.format(pairs="T × T") in written]
    assert notes == ([sentence] if sentence else [])


@pytest.mark.presets
def test_families_render() -> None:
    for name in PRESETS[::4]:
        table, *others = tables(name, tokens=8)
        total = load(name).flops(8)
        assert counts(table, RowKind.TOTAL)["Total"] == total, name
        assert len(others) == 1 + generates(load(name)), name


@pytest.mark.parametrize(
    ("name", "words", "written"),
    [
        ("gpt2", ("flops", "5"), "1.24 GFLOPs"),
        ("gpt2", ("flops", "5", "exact"), "1,236,241,920"),
        ("llama-3-8b", ("flops_per_token", "4,096", "exact"), "17,156,800,512"),
    ],
)
def test_in_prose(name: str, words: tuple[str, ...], written: str) -> None:
    assert number_text(load(name), words) == written


def test_ratios() -> None:
    words = ("flops", "1000")
    assert ratio_text(load("gpt2-xl"), words, load("gpt2"), words) == "12×"


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("gpt2", ("flops",), "need a number of tokens"),
        ("gpt2", ("flops", "many"), "is not a number of tokens"),
        ("gpt2", ("flops", "2000"), "at most 1,024"),
        ("gpt2", ("flops", "5", "words"), "one of short, exact"),
        ("bert-base-uncased", ("flops_per_token", "5"), "generates no tokens"),
    ],
)
def test_numbers_that_do_not_exist(name: str, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        number_text(load(name), words)


@pytest.mark.parametrize(
    "source",
    [
        "xlm-mlm-en-2048",
        {"model_type": "bert", "architectures": ["BertLMHeadModel"]},
        "bert-base-uncased",
    ],
)
def test_models_without_a_cache_generate_nothing(
    source: str | dict[str, object], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """All views agree: memory, compute, numbers and differences."""
    model = load(source)
    assert not generates(model)
    assert not has_kv_cache(model)
    assert not flops_of_next_token(model, ViewOptions())
    with pytest.raises(ConfigError, match="generates no tokens"):
        number_text(model, ("flops_per_token", "5"))
    file = tmp_path / "model.json"
    file.write_text(json.dumps(source))
    name = source if isinstance(source, str) else str(file)
    assert main(["diff", "gpt2", name]) == 0
    assert "FLOPs are those of a forward pass" in capsys.readouterr().out


def test_a_note_names_the_length_of_the_next_token_if_it_is_another() -> None:
    def has_note(name: str, **options: int) -> bool:
        blocks = flops_of_next_token(load(name), ViewOptions(**options))
        return any(
            isinstance(b, Note) and "tokens in context" in line_text(b.content) for b in blocks
        )

    assert has_note("llama-3-8b", tokens=8, context=9)
    assert not has_note("llama-3-8b")
    assert not has_note("llama-3-8b", tokens=9)
    assert not has_note("llama-3-8b", context=9)


def test_an_invalid_option_is_reported_at_its_line(build: Build) -> None:
    page = "P\n=\n\n.. llm-size:: gpt2\n   :show: compute\n   :tokens: 5000\n"
    (warned,) = build({"index.rst": page}).warned
    assert (warned.line, warned.type) == (6, "llmsize.option")


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "gpt2", "--show", "compute", "--tokens", "5", "--context", "9"]) == 0
    printed = capsys.readouterr().out
    assert "Forward pass of GPT-2 small with *T* = 5 tokens: 1.24 GFLOPs" in printed
    assert "1,236,241,920" in printed
    assert "with *T* = 9 tokens in context" in printed
    assert main(["show", "gpt2", "--show", "compute", "--tokens", "5000"]) == 2
