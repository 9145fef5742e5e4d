"""The parameter table: its rows, columns, headings and labels."""

from __future__ import annotations

import re
from math import prod

import pytest
from families import EVERY_PRESET, PRESETS

from sphinx_llmsize import ConfigError, load
from sphinx_llmsize.blocks import Cell, Facts, Row, RowKind, Table, Variable
from sphinx_llmsize.hosts.sphinx.directive_options import read
from sphinx_llmsize.html.block_elements import blocks_in_html
from sphinx_llmsize.terminal.documents import plain_text
from sphinx_llmsize.views import document
from sphinx_llmsize.views.author_labels import ChosenColumn, read_columns, read_labels
from sphinx_llmsize.views.shared.folding import DASH
from sphinx_llmsize.views.view_options import Detail, ViewOptions


def table(name: str, **options: str) -> Table:
    blocks = document(load(name), ("table",), read(options, ViewOptions))
    return next(block for block in blocks if isinstance(block, Table))


def lines(cell: Cell) -> list[str]:
    return ["".join(map(str, line)) for line in cell]


def names(shown: Table) -> list[str]:
    return [lines(row.cells[0])[0] for row in shown.rows]


TIED = {"", "tied", DASH}
"""Texts of the cells of weights that are counted in another row."""


def row(shown: Table, name: str) -> Row:
    return next(row for row in shown.rows if lines(row.cells[0])[0] == name)


def test_a_group_of_one_and_all_norms_are_one_row() -> None:
    assert names(table("llama-7b")) == [
        "Token embedding",
        *("Attention", "QKV projection", "Output projection"),
        *("FFN", "FFN gate and up", "FFN down"),
        "Norms",
        "LM head",
        *("Total", "Total without embeddings and LM head"),
    ]


def test_layers_with_the_same_weights_share_a_row_whatever_the_lengths_of_their_sequences() -> None:
    """Funnel's blocks process shorter and shorter sequences; T5's encoder and decoder differ."""
    funnel, t5 = table("funnel-medium"), table("t5-small")
    assert names(funnel).count("Q projection") == 1
    assert lines(row(funnel, "Q projection").cells[3]) == ["14"]
    assert names(t5).count("QKV projection") == 2


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("llama-7b", ["(2L + 1) × D", "65 × 4,096"]),
        ("gpt2", ["(4L + 2) × D", "50 × 768"]),
        (
            "deepseek-v3",
            [
                *("(2L + 1) × D", "+\xa0L × (R_q + R_kv)"),
                *("123 × 7,168", "+\xa061 × 2,048"),
            ],
        ),
    ],
)
def test_norms_are_a_sum_of_vectors_of_each_shape(name: str, shapes: list[str]) -> None:
    assert lines(row(table(name), "Norms").cells[1]) == shapes


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("jamba-v0.1", ["without those in Mamba (norms of Δ, B and C)"]),
        ("deepseek-v3.2", ["without those in attention (indexer)"]),
        ("deepseek-v3", []),
    ],
)
def test_norms_among_other_weights_are_named(name: str, others: list[str]) -> None:
    assert lines(row(table(name), "Norms").cells[0]) == ["Norms", *others]


def test_vectors_of_several_lengths_are_one_sum() -> None:
    jamba = table("jamba-v0.1")
    norms = ["R_dt + 2 × S", "256 + 2 × 16"]
    assert lines(row(jamba, "Norms of Δ, B and C").cells[1]) == norms
    states = ["A: D_inner × S", "8,192 × 16", "skip: D_inner", "8,192"]
    assert lines(row(jamba, "Selective SSM").cells[1]) == states


def test_letters_of_state_spaces_are_symbols() -> None:
    mamba = row(table("jamba-v0.1"), "Norms of Δ, B and C")
    assert mamba.cells[0] == (("Norms of Δ, ", Variable("B"), " and ", Variable("C")),)
    states = row(table("jamba-v0.1"), "Selective SSM")
    assert states.cells[1][0][:2] == (Variable("A"), ": ")
    # V isn't the vocabulary size
    qkv = row(table("llama-2-70b"), "QKV projection")
    assert qkv.cells[1][2][0] == "K, V: "


@pytest.mark.presets
def test_shapes_of_norms_multiply_to_their_parameters() -> None:
    for name in PRESETS[:: 1 if EVERY_PRESET else 4]:
        for norms in (row for row in table(name).rows if lines(row.cells[0])[0] == "Norms"):
            texts = [line.removeprefix("+\xa0") for line in lines(norms.cells[1])]
            numbers = [line for line in texts if re.fullmatch(r"[\d,× ]+", line)]
            products = (prod(map(int, line.replace(",", "").split("×"))) for line in numbers)
            if norms.kind is RowKind.GROUP and numbers:
                assert f"{sum(products):,}" == lines(norms.cells[4])[0], name


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("deepseek-v3", "parameters that one token uses, with embeddings and LM head"),
        ("nllb-moe-54b", "parameters that one token uses, with embeddings"),
    ],
)
def test_active_parameters_name_the_parts_outside_the_layers(name: str, note: str) -> None:
    assert lines(row(table(name), "Active").cells[0]) == ["Active", note]


def test_equal_matrices_are_counted_beside_an_own_label() -> None:
    """Their names would be those of another vocabulary."""
    labels = 'qkv: "wq, wk, wv", attention_output: wo'
    assert lines(row(table("llama-7b", labels=labels), "wq, wk, wv").cells[1]) == [
        "3 × D × H·d_h",
        "3 × 4,096 × 4,096",
    ]
    assert lines(row(table("llama-7b", labels=labels), "wo").cells[1])[0] == "H·d_h × D"
    # matrices of different shapes, which only names tell apart
    lines_of_llama_3 = lines(row(table("llama-3-8b", labels=labels), "wq, wk, wv").cells[1])
    assert lines_of_llama_3[::2] == ["Q: D × H·d_h", "K, V: 2 × D × H_kv·d_h"]


def test_levels_of_detail() -> None:
    rows = {detail: names(table("gpt2", detail=detail.value)) for detail in Detail}
    groups = ["Embedding", "Attention", "FFN", "Norms", "LM head"]
    assert rows[Detail.BRIEF] == [*groups, "Total"]
    assert rows[Detail.COMPONENT][-2:] == ["Total", "Total without embeddings"]
    assert "Attention norm" not in rows[Detail.COMPONENT]
    assert [name for name in rows[Detail.FULL] if name in groups] == groups
    assert {"Attention norm", "FFN norm", "Final norm", "LM head"} <= {*rows[Detail.FULL]}
    assert "attention_norm.bias" in rows[Detail.TENSOR]
    assert all(len(rows[a]) < len(rows[b]) for a, b in zip(Detail, [*Detail][1:], strict=False))


@pytest.mark.parametrize("name", ["gpt2", "deepseek-v3", "jamba-v0.1", "t5-small", "mamba-130m"])
@pytest.mark.parametrize("detail", Detail)
def test_rows_sum_to_the_total(name: str, detail: Detail) -> None:
    shown = table(name, detail=detail.value, columns="parameters, active")
    heads = [row for row in shown.rows if row.kind is RowKind.GROUP] or [
        row for row in shown.rows if row.kind is RowKind.MEMBER
    ]
    model = load(name)
    for column, expected in ((1, model.total), (2, model.active)):
        texts = [lines(row.cells[column]) for row in heads]
        numbers = [int(text[0].replace(",", "")) for text in texts if text[0] not in TIED]
        assert sum(numbers) == expected


@pytest.mark.parametrize("detail", Detail)
def test_tied_weights_have_no_number(detail: Detail) -> None:
    columns = "parameters, active, weights, share"
    shown = table("gpt2", detail=detail.value, columns=columns)
    head = next(row for row in shown.rows if "tied to the token embedding" in lines(row.cells[0]))
    assert [lines(cell)[0] for cell in head.cells[1:]] == [DASH, "", "", ""]


def test_a_heading_without_the_note_on_tied_weights_says_so() -> None:
    shown = table("gpt2", detail="tensor")
    groups = [row for row in shown.rows if row.kind is RowKind.GROUP]
    heading = next(row for row in groups if lines(row.cells[0])[0] == "LM head")
    assert lines(heading.cells[0]) == ["LM head"]
    assert lines(heading.cells[4]) == ["tied"]


def test_columns_with_formats_and_headings() -> None:
    columns = 'component "Part", shape:symbols, parameters:words "Parameters, words", weights:fp8'
    shown = table("deepseek-v3", columns=columns)
    labels = [column.label for column in shown.columns]
    assert labels == ["Part", "Shape", "Parameters, words", "fp8 (GB)"]
    assert [lines(cell)[0] for cell in row(shown, "Q projection").cells] == [
        "Q projection",
        "R_q × H·(d_nope + d_rope)",
        "2.3 billion",
        "2.30",
    ]
    numbers = row(table("gpt2", columns="shape:numbers"), "QKV projection").cells[1]
    assert numbers == (("768 × 2,304 + 2,304",),)


def test_the_names_of_the_rows_always_come_first() -> None:
    assert [column.label for column in table("gpt2", columns="share").columns] == [
        "Component",
        "Share",
    ]


def test_where_space_is_short_shapes_move_below_the_names() -> None:
    shown = table("llama-3-8b")
    assert [c.label for c in shown.columns if not c.folds] == ["Component", "Parameters", "Share"]
    folded = row(shown, "QKV projection").folded
    assert lines(folded) == [
        "Q: D × H·d_h",
        "K, V: 2 × D × H_kv·d_h",
        "25,165,824 ×\N{NO-BREAK SPACE}32\N{NO-BREAK SPACE}layers",
    ]


def test_numbers_of_experts_are_a_note_on_their_group() -> None:
    assert lines(row(table("mixtral-8x7b"), "MoE").cells[0]) == [
        "MoE",
        "8 experts, 2 active",
    ]
    assert lines(row(table("mixtral-8x7b"), "Experts: down").cells[0]) == ["Experts: down"]


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("jamba-v0.1", ["Norms", "(2L + 1) × D", "without those in Mamba (norms of"]),
        ("gpt2", ["LM head", "D × V", "tied to the token embedding"]),
        ("mixtral-8x7b", ["Experts: down", "E × F × D", "469,762,048 × 32 layers"]),
        # the layers belong to the name
        ("t5-small", ["QKV projection", "in encoder layers", "3 × D × H dh", "786,432 × 6 layers"]),
    ],
)
def test_below_a_name_the_shape_comes_before_the_notes(name: str, header: list[str]) -> None:
    shown = table(name)
    html = re.findall(r'<th scope="row".*?</th>', blocks_in_html((shown,)), re.DOTALL)
    texts = [" ".join(re.sub("<[^>]*>", "", head).split()) for head in html]
    parts = ".*".join(map(re.escape, header))
    assert any(re.match(parts, text) for text in texts)
    printed = " ".join(plain_text((shown,), width=60).split()).replace("·d_h", " dh")
    positions = [printed.index(header[0])]
    for part in header[1:]:
        positions.append(printed.index(part.split(" (")[0], positions[0]))
    assert positions == sorted(positions)


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        ("weights:int4, share", "int4: 0.46 GB"),
        ('weights:int4 "Size (GB)", share', "Size (GB): 0.46"),
        ('weights:int4 "Size, rounded", share', "Size, rounded: 0.46 GB"),
    ],
)
def test_a_unit_follows_the_number_where_its_column_folds(columns: str, line: str) -> None:
    (folded,) = lines(table("deepseek-v3", columns=columns).rows[0].folded)
    assert folded.replace("\N{NO-BREAK SPACE}", " ") == line


def test_one_column_stays_beside_the_names() -> None:
    folds = {
        text: [column.folds for column in table("mixtral-8x7b", columns=text).columns]
        for text in ("shape, active", "active, share", "layers")
    }
    assert folds["shape, active"] == [False, True, False]
    assert folds["active, share"] == [False, True, False]
    assert folds["layers"] == [False, False]
    first = table("mixtral-8x7b", columns="active:short, share").rows[0]
    assert lines(first.folded) == ["Active: 131M"]


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        ("qkv: queries, keys and values", "queries, keys and values"),
        ("token_embedding: Lookup", "Lookup"),
        ("embedding: Lookup", "Lookup"),
        ("feed_forward: Block", "Block"),
        ("norms: All norms", "All norms"),
        ('total: "Sum: all"', "Sum: all"),
    ],
)
def test_labels_of_the_authors_own(labels: str, shown: str) -> None:
    assert names(table("gpt2", labels=labels)).count(shown) == 1


@pytest.mark.parametrize(
    ("name", "labels", "shown"),
    [
        ("llama-7b", "", "Total without embeddings and LM head"),
        ("llama-7b", "lm_head: Output", "Total without embeddings and output"),
        # a tied LM head has no weights to leave out; BERT's has a bias
        ("gpt2", "", "Total without embeddings"),
        ("gpt2", "lm_head: Output", "Total without embeddings"),
        ("bert-base-uncased-maskedlm", "", "Total without embeddings and head"),
    ],
)
def test_the_last_total_names_what_it_leaves_out(name: str, labels: str, shown: str) -> None:
    assert names(table(name, labels=labels))[-1] == shown


@pytest.mark.parametrize(
    ("view", "id"),
    [
        *(("table", "qkv"), ("formula", "lm_head"), ("diagram", "qkv"), ("shapes", "qkv")),
        *(("compute", "feed_forward"), ("compute", "lm_head"), ("compute", "scores")),
        *(("rule", "feed_forward"), ("rule", "lm_head"), ("rule", "norms")),
        *(("scaling", "feed_forward"), ("composition", "feed_forward")),
        *(("features", "attention"), ("features", "feed_forward")),
        *((view, id) for view in ("scaling", "composition") for id in ("lm_head", "embedding")),
        *((view, "head") for view in ("table", "formula", "diagram", "shapes", "compute")),
    ],
)
def test_labels_reach_every_view(view: str, id: str) -> None:
    options = ViewOptions(labels=((id, "Words of Mine"),))
    shown = str(document(load("llama-7b"), (view,), options))
    assert "words of mine" in shown.lower()  # within a sentence, it begins with a small letter
    assert "Words of Mine" not in str(document(load("llama-7b"), (view,), ViewOptions()))


@pytest.mark.parametrize(
    ("name", "id", "view", "is_shown"),
    [
        ("deepseek-v3", "experts", "shapes", False),
        ("deepseek-v3", "experts", "composition", True),
        ("deepseek-v3", "norms", "shapes", False),
        ("deepseek-v3", "norms", "formula", True),
        ("gpt2", "embedding", "shapes", True),  # the token embedding has the id of its group
        ("gpt2", "embedding", "composition", False),
    ],
)
def test_labels_of_groups_and_of_stages(name: str, id: str, view: str, is_shown: bool) -> None:
    options = ViewOptions(labels=((id, "Words of Mine"),))
    assert ("Words of Mine" in str(document(load(name), (view,), options))) == is_shown


def test_a_group_and_its_stages_have_different_names() -> None:
    found = names(table("deepseek-v3", labels="experts: Words of Mine"))
    assert found.count("Words of Mine") == 1


@pytest.mark.parametrize(("id", "is_shown"), [("ffn_up", False), ("feed_forward", True)])
def test_a_box_of_a_block_has_no_label_of_a_step(id: str, is_shown: bool) -> None:
    options = ViewOptions(labels=((id, "Words of Mine"),), detail=Detail.BRIEF)
    assert ("Words of Mine" in str(document(load("llama-7b"), ("diagram",), options))) == is_shown


def test_a_label_for_the_layers_of_one_kind() -> None:
    labels = "encoder_qkv: in the encoder"
    found = names(table("t5-small", labels=labels))
    assert found.count("in the encoder") == found.count("QKV projection") == 1


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", ()),
        ("total, mlp : share", (("total", ""), ("mlp : share", ""))),
        ('a "x, y" , b', (("a", "x, y"), ("b", ""))),
        ("a 'x, \"y\"' , b", (("a", 'x, "y"'), ("b", ""))),
        ('a "x\'s", b', (("a", "x's"), ("b", ""))),
    ],
)
def test_columns_as_authors_write_them(text: str, columns: tuple[tuple[str, str], ...]) -> None:
    assert read_columns(text) == tuple(ChosenColumn(*column) for column in columns)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("qkv: a, b and c", {"qkv": "a, b and c"}),
        ("qkv: a, norms: b", {"qkv": "a", "norms": "b"}),
        ("qkv: a norms: b,", {"qkv": "a", "norms": "b"}),
        ('qkv: "a: b, c: d" norms: "e"', {"qkv": "a: b, c: d", "norms": "e"}),
        ("", {}),
    ],
)
def test_labels_as_authors_write_them(text: str, labels: dict[str, str]) -> None:
    assert dict(read_labels(text)) == labels


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("columns", "Paramters", r"unknown column 'Paramters' \(did you mean 'parameters'\?\)"),
        ("columns", "total", r"unknown column 'total' \(did you mean 'parameters'\?\)"),
        ("columns", "parameters:exakt", "did you mean 'exact'"),
        ("columns", "share:exact", "this number has no format 'exact'"),
        ("columns", "weights:bf61", "unknown data type 'bf61'"),
        ("columns", 'share "a', "cannot read 'share \"a'"),
        ("columns", '"a"', "write a heading in quotes after its column"),
        ("columns", "share, 'a'", "write a heading in quotes after its column"),
        ("columns", 'share "a" b "c"', "cannot read"),
        ("columns", 'share ""', "cannot read"),
        ("labels", "qvk: a", r"no 'qvk' to label \(did you mean 'qkv'\?\)"),
        ("labels", "zzzzzz: a", "there are embedding, position, attention_norm"),
        ("labels", "qkv", "cannot read 'qkv'"),
        ("labels", "qkv: ", "cannot read"),
        ("labels", 'qkv: "a" b', "cannot read"),
        ("labels", "qkv: a, qkv: b", "'qkv' has two labels"),
        ("notes", "qvk: a", r"no 'qvk' that could have a note \(did you mean 'qkv'\?\)"),
        ("notes", "qkv", "write 'id: note, id: note'"),
        ("notes", "qkv: a, qkv: b", "'qkv' has two notes"),
    ],
)
def test_an_invalid_value_is_an_error_of_its_option(option: str, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        document(load("gpt2"), ("formula",), read({option: text}, ViewOptions))
    assert caught.value.option == option


def test_invisible_characters_in_a_label_are_left_out() -> None:
    assert read_labels("qkv: a\u202eb") == (("qkv", "ab"),)


@pytest.mark.parametrize(
    ("model", "label"),
    [
        ("jamba-v0.1", "Mamba"),
        ("qwen3-next-80b-a3b", "Linear attention"),
        ("lfm2-350m", "Convolution"),
        ("falcon-h1-3b", "Mamba-2"),  # beside attention in every layer
        ("mamba-130m", "Sequence mixing"),  # it has no attention
    ],
)
def test_what_mixes_sequences_beside_attention_has_a_name(model: str, label: str) -> None:
    assert label in names(table(model))


def test_authors_name_it_as_they_like() -> None:
    shown = names(table("jamba-v0.1", labels="sequence_mixing: State space"))
    assert "State space" in shown
    assert "Mamba" not in shown


@pytest.mark.parametrize(
    ("model", "symbol", "meaning"),
    [
        ("gemma-2b", "H_kv", "key/value head"),
        ("roberta-base", "V_t", "token type"),
        ("mamba2-130m", "G_m", "group of state-space heads"),
        ("bge-reranker-v2-m3", "N_labels", "label of the classifier"),
    ],
)
def test_a_size_of_1_has_a_singular(model: str, symbol: str, meaning: str) -> None:
    assert meanings(model)[symbol] == meaning


def meanings(model: str, *others: str) -> dict[str, str]:
    """The meanings of the symbols in the list of sizes, if other views are shown too."""
    (facts, *_others) = document(load(model), ("table", *others), ViewOptions())
    assert isinstance(facts, Facts)
    return {str(fact.symbol): fact.meaning for fact in facts.facts}


@pytest.mark.parametrize(
    ("model", "order"),
    [
        ("jamba-v0.1", "D V L L_Mamba L_attn L_dense L_MoE H H_kv d_h F E k D_inner S W R_dt"),
        ("deepseek-v3", "D V L L_dense L_MoE H R_q R_kv d_nope d_rope d_v F E k F_e"),
        ("t5-base", "D V L_enc L_dec H d_h F B"),
        ("gemma-3n-e4b", "D V V_p L L_own L_shared H H_kv d_h F n_a R_l d_p"),
    ],
)
def test_sizes_come_in_the_order_in_which_readers_look_for_them(model: str, order: str) -> None:
    assert [*meanings(model)] == order.split()


def test_sizes_are_listed_if_a_view_has_them() -> None:
    assert {"H", "d_h"}.isdisjoint(meanings("gpt2"))  # its weights are D × D
    assert meanings("gpt2", "diagram")["H"] == "attention heads"  # "12 heads" in a box
    assert {"H", "d_h"} <= meanings("gpt2", "memory").keys()
    assert {"H", "d_h"} <= meanings("gpt2", "compute").keys()  # in the FLOPs of attention
    assert {"d_qk", "d_v"}.isdisjoint(meanings("xlstm-7b"))
    assert {"d_qk", "d_v"} <= meanings("xlstm-7b", "memory").keys()  # in its state
    assert "F" not in meanings("gpt2")  # 4D
