"""The view ``shapes``: the shapes of tensors, step by step."""

from __future__ import annotations

import re

import pytest
from families import ONE_OF_EACH_FAMILY

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.blocks import Cell, Facts, Note, Paragraph, RowKind, Table
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.data import line_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.views import document
from sphinx_llmsize.views.shapes.operation_rows import SCORES, operation_rows
from sphinx_llmsize.views.shapes.shapes import shapes
from sphinx_llmsize.views.shapes.stage_operations import Operation
from sphinx_llmsize.views.shared.operations import Evaluator, symbols_of
from sphinx_llmsize.views.view_options import ViewOptions

Row = tuple[str, str, str]


def shown(name: str, tokens: int | None = None) -> tuple[Facts, Table, tuple[Paragraph, ...]]:
    facts, table, *words = document(load(name), ("shapes",), ViewOptions(tokens=tokens))
    assert isinstance(facts, Facts)
    assert isinstance(table, Table)
    paragraphs = tuple(block for block in words if isinstance(block, Paragraph))
    assert len(paragraphs) == len(words)
    return facts, table, paragraphs


def test_one_token_has_the_singular() -> None:
    facts, _table, _words = shown("gpt2", tokens=1)
    meanings = {str(fact.symbol): fact.meaning for fact in facts.facts}
    assert meanings["T"] == "token in the sequence"


def lines(cell: Cell) -> list[str]:
    return ["".join(map(str, line)).replace("\N{NO-BREAK SPACE}", " ") for line in cell]


def in_numbers(name: str, tokens: int | None = None) -> list[Row]:
    """Each step, with its operation and its result in numbers; a group row is its title."""
    _, table, _ = shown(name, tokens)
    return [
        tuple(lines(cell)[-1 if at else 0] for at, cell in enumerate(row.cells))
        for row in table.rows
    ]  # type: ignore[misc]


def in_symbols(name: str) -> dict[str, tuple[str, str]]:
    _, table, _ = shown(name)
    rows = ([lines(cell)[0] for cell in row.cells] for row in table.rows)
    return {step: (operation, result) for step, operation, result in rows}


def prose(name: str) -> str:
    *_, paragraphs = shown(name)
    return " ".join("".join(map(str, paragraph.content)) for paragraph in paragraphs)


def test_life_of_a_tensor() -> None:
    assert in_numbers("gpt2") == [
        ("Before the layers", "", ""),
        ("Token ids", "", "[5]"),
        ("Token embedding", "5 rows of [50257, 768]", "[5, 768]"),
        ("Position embedding", "5 rows of [1024, 768]", "[5, 768]"),
        ("× 12 layers", "", ""),
        ("Attention norm", "row by row", "[5, 768]"),
        ("QKV projection", "[5, 768] × [768, 2304]", "[5, 2304]"),
        ("Queries by head", "[5, 768] split", "12 × [5, 64]"),
        ("Keys and values by head", "2 × [5, 768] split", "2 × 12 × [5, 64]"),
        ("Attention scores", "12 × [5, 64] × [64, 5]", "12 × [5, 5]"),
        ("Softmax", "row by row", "12 × [5, 5]"),
        ("Scores × values", "12 × [5, 5] × [5, 64]", "12 × [5, 64] → [5, 768]"),
        ("Output projection", "[5, 768] × [768, 768]", "[5, 768]"),
        ("FFN norm", "row by row", "[5, 768]"),
        ("FFN up", "[5, 768] × [768, 3072]", "[5, 3072]"),
        ("FFN down", "[5, 3072] × [3072, 768]", "[5, 768]"),
        ("After the layers", "", ""),
        ("Final norm", "row by row", "[5, 768]"),
        ("LM head", "[5, 768] × [768, 50257]", "[5, 50257]"),
        ("Next token", "the last row of [5, 50257]", "[50257]"),
    ]


def test_symbols_are_above_numbers() -> None:
    by_step = in_symbols("gpt2")
    assert by_step["QKV projection"] == ("[T, D] × [D, 3D]", "[T, 3D]")
    assert by_step["Attention scores"] == ("H × [T, d_h] × [d_h, T]", "H × [T, T]")
    facts, _, _ = shown("gpt2", 7)
    assert {str(fact.symbol): fact.value for fact in facts.facts}.items() >= {
        "T": "7",
        "H": "12",
    }.items()


def test_fewer_key_heads_than_query_heads() -> None:
    rows = {step: result for step, _, result in in_numbers("llama-3-8b")}
    assert rows["Queries by head"] == "32 × [5, 128]"
    assert rows["Keys and values by head"] == "2 × 8 × [5, 128]"
    for model, heads in (("llama-3-8b", "H_kv"), ("llama-7b", "H")):
        assert in_symbols(model)["Keys and values by head"] == (
            f"2 × [T, {heads}·d_h] split",
            f"2 × {heads} × [T, d_h]",
        )
    _, table, _ = shown("llama-3-8b")
    notes = {lines(row.cells[0])[0]: lines(row.cells[0])[1:] for row in table.rows}
    assert notes["Keys and values by head"] == ["each serves 4 query heads"]
    assert notes["Queries by head"] == []


@pytest.mark.parametrize("model_type", ["diffllama", "reformer"])
def test_no_key_heads_where_the_cache_has_others(model_type: str) -> None:
    """DiffLlama joins values in pairs; Reformer caches states, not keys and values."""
    model = load({"model_type": model_type})
    rows = operation_rows(model, Evaluator(model.architecture, 5))
    steps = {row.label for row in rows if isinstance(row, Operation)}
    assert "Queries by head" in steps
    assert not {"Keys by head", "Values by head", "Keys and values by head"} & steps


def test_key_heads_that_only_some_layers_have() -> None:
    by_step = [result for step, _, result in in_numbers("mimo-v2-flash") if step == "Keys by head"]
    assert by_step == ["4 × [5, 192]", "8 × [5, 192]"]
    assert in_symbols("mimo-v2-flash")["Keys by head"][1] == "2H_kv × [T, d_h]"


def test_experts_that_a_token_uses() -> None:
    rows = {step: rest for step, *rest in in_numbers("mixtral-8x7b")}
    assert rows["Router"] == ["[5, 4096] × [4096, 8]", "[5, 8]"]
    assert rows["Experts: gate and up"] == [
        "4 × [5, 4096] × [4096, 14336]",
        "4 × [5, 14336] → 2 × [5, 14336]",
    ]
    assert in_symbols("mixtral-8x7b")["Experts: down"][0] == "k × [T, F] × [F, D]"


@pytest.mark.parametrize("model_type", ["qwen3", "nanochat", "muse_glimmer_text"])
def test_norms_of_queries_and_keys_change_no_shape(model_type: str) -> None:
    stages = (
        placed.stage for placed in load({"model_type": model_type}).architecture.placed_stages()
    )
    outputs = {stage.id: stage.output for stage in stages}
    assert outputs["qk_norm"] == outputs["qkv"]


def test_latents_and_steps_common_to_all_layers() -> None:
    rows = in_numbers("deepseek-v3")
    titles = [step for step, operation, result in rows if not operation and not result]
    assert titles == [
        "Before the layers",
        "× 61 layers",
        "× 3 dense layers",
        "× 58 MoE layers",
        "After the layers",
    ]
    by_step = in_symbols("deepseek-v3")
    latents = by_step["KV latent and RoPE key"]
    assert latents == ("[T, D] × [D, R_kv + d_rope]", "[T, R_kv + d_rope]")
    assert by_step["Keys by head"] == (
        "[T, H·d_nope] split, [T, d_rope] for each",
        "H × [T, d_nope + d_rope]",
    )
    assert by_step["Values by head"][1] == "H × [T, d_v]"


def test_alternating_kinds_of_layers() -> None:
    rows = in_numbers("jamba-v0.1")
    titles = [step for step, *_ in rows if step.startswith("×")]
    assert titles[0] == "× 28 Mamba layers"
    assert "× 32 layers" in titles
    assert titles[-1] == "× 16 MoE layers"
    assert ("Causal convolution", "[8192, 4] along the rows", "[5, 8192]") in rows


def test_layers_that_differ_only_in_their_sizes_have_no_kind() -> None:
    titles = [title for title, operation, _result in in_numbers("openelm-270m") if not operation]
    assert {"× 4 layers", "× 7 layers", "× 5 layers"} <= {*titles}
    assert not any(re.search(r" (,|and|layers?) (,|and|layers?)", title) for title in titles)


def test_the_encoder_is_assumed_to_have_as_many_tokens() -> None:
    rows = in_numbers("t5-small")
    assert [step for step, *_ in rows].count("Token ids") == 2
    assert in_symbols("t5-small")["Cross-attention scores"] == (
        "H × [T, d_h] × [d_h, T_src]",
        "H × [T, T_src]",
    )
    assert "T_src is assumed to be equal to T." in prose("t5-small")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpt2", "No weight has T in its shape"),
        ("gpt2", "Only the scores are T × T."),
        ("t5-small", "Only the scores are T_src × T_src, T × T or T × T_src."),
        ("xlnet-base-cased", "Only the scores are T × T or T × 2T."),
        ("funnel-small", "Only the scores have two lengths in their shape."),
        ("gpt2", "P = 1,024 positions, so T is at most P"),
        ("bert-base-uncased", "P = 512 positions"),
        ("jamba-v0.1", "a convolution to W at a time"),
        ("mamba-130m", "No activation is T × T either"),
    ],
)
def test_why_no_weight_depends_on_the_length(name: str, words: str) -> None:
    assert words in prose(name)


def test_pooling_and_repetition_change_the_number_of_rows() -> None:
    rows = [row for row in in_numbers("funnel-small") if "rows to" in row[1]]
    assert rows == [
        ("Pooling to half the length", "5 rows to 3", "[3, 768]"),
        ("Pooling to half the length", "3 rows to 2", "[2, 768]"),
        ("Repeated for each token, plus first block", "2 rows to 5", "[5, 768]"),
    ]


def test_a_step_may_read_an_earlier_norm() -> None:
    _facts, table, _words = shown("longcat-flash")
    (router,) = (row for row in table.rows if lines(row.cells[0])[0] == "Router")
    assert lines(router.cells[0]) == ["Router", "of the output of FFN norm"]


def test_no_limit_where_positions_are_not_learned() -> None:
    assert "positions" not in prose("llama-3-8b")


def test_next_token_only_for_models_that_generate_text() -> None:
    assert in_numbers("bert-base-uncased")[-1][0] != "Next token"
    assert in_numbers("t5-small")[-1][0] == "Next token"


def test_more_tokens_than_positions() -> None:
    with pytest.raises(ConfigError, match="at most 1,024") as refused:
        shown("gpt2", 1025)
    assert refused.value.option == "tokens"
    assert shown("gpt2", 1024)


def test_rows_up_to_the_padding_token_are_for_no_position() -> None:
    with pytest.raises(ConfigError, match="at most 512"):
        shown("roberta-base", 513)
    words = "514 rows, of which usually 2 are reserved for padding, so T is at most 512"
    assert words in prose("roberta-base")


@pytest.fixture(scope="module")
def step_lists() -> list[tuple[Model, list[Operation | str]]]:
    models = [load(name) for name in ONE_OF_EACH_FAMILY]
    return [
        (model, list(operation_rows(model, Evaluator(model.architecture, 5)))) for model in models
    ]


def test_every_family_has_steps(step_lists: list[tuple[Model, list[Operation | str]]]) -> None:
    assert len(step_lists) > 100
    for model, by_step in step_lists:
        steps = [step for step in by_step if isinstance(step, Operation)]
        assert steps[0].label == "Token ids", model.name
        labels = {step.label for step in steps}
        stages = [
            placed.stage for placed in model.architecture.placed_stages() if placed.stage.tensors
        ]
        # the stage of attention has several steps, of which the first is named after the scores
        names = [(stage.label, SCORES.get(stage.id, stage.label)) for stage in stages]
        missing = [name for name in names if not any(label.startswith(name) for label in labels)]
        assert not missing, model.name


def test_every_size_has_a_number(step_lists: list[tuple[Model, list[Operation | str]]]) -> None:
    for model, by_step in step_lists:
        steps = (step for step in by_step if isinstance(step, Operation))
        used = symbols_of(part for step in steps for part in (step.expression, step.result))
        unknown = used - set(model.architecture.sizes)
        assert all(isinstance(s, Length) or hasattr(s, "value") for s in unknown), model.name


def test_no_tensor_of_any_family_depends_on_a_length() -> None:
    for name in ONE_OF_EACH_FAMILY:
        for placed in load(name).architecture.placed_stages():
            for tensor in placed.stage.tensors:
                symbols = frozenset().union(*(size.symbols() for size in tensor.stored_shape))
                assert not any(isinstance(symbol, Length) for symbol in symbols), tensor.name


def test_the_default_length_is_called_an_example() -> None:
    def has_note(**options: int) -> bool:
        blocks = shapes(load("gpt2"), ViewOptions(**options))
        notes = [line_text(block.content) for block in blocks if isinstance(block, Note)]
        return any("T = 5 is only an example" in note for note in notes)

    assert has_note()
    assert has_note(context=64)  # the context of other views
    assert not has_note(tokens=5)


def test_group_rows_are_titles() -> None:
    _, table, _ = shown("gpt2")
    groups = [row.cells[0] for row in table.rows if row.kind is RowKind.GROUP]
    assert [lines(cell) for cell in groups] == [
        ["Before the layers"],
        ["× 12 layers"],
        ["After the layers"],
    ]


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("mistral-7b-v0.1", "masked beyond the last 4096 tokens"),
        ("gemma-2-2b", "masked beyond the last 4096 tokens in 13 of 26 layers"),
        ("longformer-base", "masked beyond 256 tokens on each side"),
        ("modernbert-base", "masked beyond 64 tokens on each side in 14 of 22 layers"),
    ],
)
def test_scores_have_a_note_on_windows(name: str, note: str) -> None:
    _, table, _ = shown(name)
    notes = [line for row in table.rows for line in lines(row.cells[0])[1:] if "masked" in line]
    assert [each.replace(",", "") for each in notes] == [note]
