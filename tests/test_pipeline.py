"""The diagram: highlighting, and Mermaid source with hostile labels."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from itertools import product
from math import log2
from pathlib import Path
from typing import Any

import pytest
from families import NOT_SCALED, SOME_DEFAULTS, SOME_PRESETS
from project import Build, make_fifo

from sphinx_llmsize import load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Facts, Table
from sphinx_llmsize.data import line_text
from sphinx_llmsize.diagram import Diagram, Direction
from sphinx_llmsize.diagram_boxes import Box, BoxKind, Growth
from sphinx_llmsize.diagram_connections import Connection, Course, LineKind, ranks_of
from sphinx_llmsize.diagram_joints import Joint, JointKind
from sphinx_llmsize.escaping import escape_mermaid
from sphinx_llmsize.hosts.sphinx.directive_output import DIAGRAM_TEMPLATE, mermaid_source
from sphinx_llmsize.html.class_names import NARROW_CLASS
from sphinx_llmsize.inline import Line, Variable
from sphinx_llmsize.model import Model
from sphinx_llmsize.templating import render
from sphinx_llmsize.typography import NO_BREAK, with_breaks
from sphinx_llmsize.views import document
from sphinx_llmsize.views.pipeline.pipeline import pipeline
from sphinx_llmsize.views.scaling.scaled_models import ONE, scaled_models
from sphinx_llmsize.views.shared.wording import COMMA, STATE_SPACE_LETTERS
from sphinx_llmsize.views.view_options import Detail, Legend, ViewOptions

TEXTBOOK = {"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}
MODELS: dict[str, Any] = {
    **{name: name for name in ("llama-7b", "llama-3-8b", "llama-3.2-1b", "gpt2")},
    "textbook": TEXTBOOK,
    "textbook with head_dim": {**TEXTBOOK, "head_dim": 8},
    **SOME_DEFAULTS,
}
D = Variable("D")
HOSTILE = [
    "direction TB",
    'a"]; click x href "javascript:alert(1)"',
    "<img src=x onerror=alert(1)>",
    "`markdown` **bold**",
    "$$\\frac{1}{2}$$",
    "%%{init: {'theme': 'dark'}}%%",
    "end",
    "a\nsubgraph b",
    "#quot;&lt;&#60;",
    "\u202etxet",
    "模型 é 🦙",
]

every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


def diagram(model: Any, **options: Any) -> Diagram:
    (block,) = pipeline(load(model), ViewOptions(**options))
    assert isinstance(block, Diagram)
    return block


def rendered(label: str) -> str:
    """A label as Mermaid renders it, without the fonts of formulas."""
    label = re.sub("</?i>|</?span[^>]*>", "", label).replace("<br>", " · ")
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label)


def boxes_with_weights(drawn: Diagram) -> list[Box]:
    boxes = (box for box in drawn.boxes if box.kind in {BoxKind.STEP, BoxKind.NORM})
    return [box for box in boxes if box.names and not box.is_weightless]


WIDER = Fraction(2)
SCALABLE = {name: model for name, model in MODELS.items() if name not in NOT_SCALED}


def parameters_of_stages(model: Model) -> dict[str, int]:
    """By id, without stages that differ by layer, and without those with tied weights."""
    counts: dict[str, set[int]] = {}
    for stage in model.architecture.stages():
        parameters = model.architecture.count(stage.parameters)
        counts.setdefault(stage.id, set()).add(0 if stage.tied_to else parameters)
    return {id: count for id, (count, *others) in counts.items() if not others}


@pytest.mark.presets
@pytest.mark.parametrize("model", SCALABLE.values(), ids=SCALABLE)
def test_growth_is_that_of_the_scaling_view(model: Any) -> None:
    """A box grows with D, or with D², if its number of parameters does when D is scaled."""
    models = scaled_models(load(model), ViewOptions(vary="hidden_dim", factors=(WIDER,))).models
    before, after = (parameters_of_stages(models[factor]) for factor in (ONE, WIDER))
    for box in boxes_with_weights(diagram(model, detail=Detail.TENSOR)):
        (name, *others) = box.names
        if not others and before.get(name) and name in after:
            exponent = log2(after[name] / before[name]) / log2(WIDER)
            degree = list(Growth)[::-1].index(box.growth)
            assert abs(min(exponent, 2) - degree) < 0.6, (name, exponent, degree)


@pytest.mark.parametrize(
    ("model", "stage", "growth"),
    [
        ({"model_type": "reformer"}, "ffn_up", Growth.SQUARE),  # it can't be scaled
        ("mobilebert-uncased", "qkv", Growth.LINEAR),  # d_h shrinks as H grows
        ("deepseek-v4-flash", "attention", Growth.LINEAR),  # not that of a small indexer
        ("llama-7b", "qkv", Growth.SQUARE),
        ("llama-7b", "ffn_down", Growth.SQUARE),
        ("llama-7b", "embedding", Growth.LINEAR),
        ("llama-7b", "attention_norm", Growth.LINEAR),
        ("llama-7b", "scores", Growth.NONE),
        ("deepseek-v3", "router", Growth.LINEAR),
        ("deepseek-v3", "experts_up", Growth.SQUARE),
        ("deepseek-v3", "q_up", Growth.LINEAR),
        ("deepseek-v3", "q_norm", Growth.NONE),
    ],
)
def test_growth(model: str, stage: str, growth: Growth) -> None:
    boxes = [box for box in diagram(model).boxes if box.is_called(stage)]
    assert {box.growth for box in boxes} == {growth}


@pytest.mark.presets
@every_model
def test_every_stage_is_in_a_box(model: Any) -> None:
    placed_stages = tuple(load(model).architecture.placed_stages())
    stages = {placed.stage.id for placed in placed_stages}
    norms, connections = (
        {placed.stage.id for placed in placed_stages if placed.stage.group is group}
        for group in (Group.NORMS, Group.RESIDUAL)
    )
    for detail in (Detail.BRIEF, Detail.COMPONENT, Detail.FULL):
        drawn = diagram(model, detail=detail)
        names = {name for box in drawn.boxes for name in box.names}
        assert names <= stages | {group.value for group in Group}
        left_out = norms | connections if detail is Detail.BRIEF else norms
        assert stages - names <= left_out
        assert len({box.id for box in drawn.boxes}) == len(drawn.boxes)


@pytest.mark.presets
@every_model
def test_the_source_has_the_boxes_and_arrows_of_the_diagram(model: Any) -> None:
    drawn = diagram(model)
    assert [box for box in drawn.boxes if len(box.lines) > 1] == []
    source = mermaid_source(drawn, ())
    square = {box.id for box in drawn.boxes if box.growth is Growth.SQUARE}
    (members,) = re.findall(r"^class (\S+) llmsize-square$", source, re.MULTILINE)
    assert set(members.split(",")) == square
    label = r"""(?:\|"<span class='llmsize-[ \w-]*'>(?:<span>(.*)</span>)?</span>"\|)?"""
    pattern = rf"^(\w+) (?:\w+@)?(?:--+[->]|-\.+-|~~~+){label} (\w+)$"
    lines = re.findall(pattern, source, re.MULTILINE)
    assert [(start, rendered(label), end) for start, label, end in lines] == [
        (line.start.id, on_page(text(line.label)), line.end.id) for line in drawn.connections
    ]
    heads = re.findall(r"^(\w+) .*?--+>.* (\w+)$", source, re.MULTILINE)
    assert set(heads) <= {(line.start.id, line.end.id) for line in drawn.connections}
    # the heads of lines to the sides of sums are drawn by the stylesheet
    at_sides = {line.end.id for line in drawn.connections if line.side}
    assert {end for _start, end in heads} | at_sides == {arrow.end.id for arrow in drawn.arrows}


def test_double_lines_show_growth_without_the_stylesheet() -> None:
    drawn = diagram("llama-7b")
    source = render(DIAGRAM_TEMPLATE, diagram=drawn, coloured=True)
    square = {box.id for box in drawn.boxes if box.growth is Growth.SQUARE}
    assert set(re.findall(r"^ *(\w+)\[\[", source, re.MULTILINE)) == square


def test_the_title_of_a_cluster_is_in_the_corner_of_its_frame() -> None:
    lines = diagram("llama-7b").connections
    left = [line for line in lines if line.kind is LineKind.FRAME][:3]
    assert [text(line.label) for line in left] == ["× 32 layers", "", ""]
    # the corner is at the first rank, since the lines below it have the lengths of all others
    ranks = ranks_of(line for line in lines if line.kind is LineKind.FLOW)
    assert sum(line.length for line in left) == ranks[left[-1].end] - ranks[left[0].start] == 12


def on_page(label: str) -> str:
    """A label with spaces between factors, as pages show it."""
    return re.sub("(?<! )·(?! )", "\N{NO-BREAK SPACE}", label)


def text(line: Line) -> str:
    """A line as text, with subscripts as in HTML."""
    return "".join(
        f"{piece.base}<sub>{piece.subscript}</sub>"
        if isinstance(piece, Variable) and piece.subscript
        else str(piece)
        for piece in line
    )


def test_residual_connections_pass_their_steps() -> None:
    arrows = diagram("gpt2").arrows
    passing = [(arrow.start.id, arrow.end.id) for arrow in arrows if arrow.is_residual]
    assert passing == [("embedding_sum", "add"), ("add", "add_2")]
    into = [arrow.start.id for arrow in arrows if arrow.end.id == "add"]
    assert into == ["attention_output", "embedding_sum"]


def test_embeddings_of_positions_and_token_types_have_inputs_of_their_own() -> None:
    inputs = {box.title: box for box in diagram("bert-base-uncased").boxes if box.reads == ()}
    assert list(inputs) == ["Positions", "Token type ids"]
    starts = {arrow.end.id: arrow.start for arrow in diagram("bert-base-uncased").arrows}
    assert [starts["position"], starts["token_type"]] == list(inputs.values())
    assert [box for box in diagram("t5-small").boxes if box.title in inputs] == []


@pytest.mark.parametrize(
    ("name", "summed"),
    [
        ("gpt2", ["embedding", "position"]),
        ("bert-base-uncased", ["embedding", "position", "token_type"]),
        # the token embedding is narrower than the sum, and projected before it
        ("opt-350m", ["embedding_projection", "position"]),
        ("deberta-v2-xlarge", []),
        ("roformer-chinese-base", ["embedding", "token_type"]),  # its positions are rotary
    ],
)
def test_embeddings_are_added(name: str, summed: list[str]) -> None:
    drawn = diagram(name)
    arrows = {(arrow.start.id, arrow.end.id): arrow.label for arrow in drawn.arrows}
    assert [start for start, end in arrows if end == "embedding_sum"] == summed
    # only the token embedding reads the tokens
    assert [end for start, end in arrows if start == "tokens"] == ["embedding"]
    labels = ["".join(map(str, arrows[start, "embedding_sum"])) for start in summed]
    assert not any(labels)


def test_norms_after_the_addition_are_outside_the_residual_connection() -> None:
    arrows = [(arrow.start.id, arrow.end.id) for arrow in diagram("bert-base-uncased").arrows]
    assert ("add", "attention_norm") in arrows
    arrows = [(arrow.start.id, arrow.end.id) for arrow in diagram("olmo-2-1124-7b").arrows]
    assert ("attention_norm", "add") in arrows


def test_parallel_branches_start_and_end_together() -> None:
    arrows = {(arrow.start.id, arrow.end.id) for arrow in diagram({"model_type": "gptj"}).arrows}
    assert {("attention_norm", "qkv"), ("attention_norm", "ffn_up")} < arrows
    assert {("attention_output", "add"), ("ffn_down", "add")} < arrows
    assert ("attention_output", "ffn_up") not in arrows


def test_a_state_space_reads_the_convolution_and_what_is_computed_from_it() -> None:
    arrows = diagram("mamba-130m", detail=Detail.FULL).arrows
    read = {arrow.start.id for arrow in arrows if arrow.end.id == "state_space"}
    assert read == {"convolution", "selection", "time_steps"}
    gated = {arrow.start.id for arrow in arrows if arrow.end.id == "mixer_output"}
    assert gated == {"state_space", "mixer_input"}
    # with less detail, all between the projections is one box, which the gate bypasses
    drawn = diagram("mamba-130m")
    titles = [box.title for box in drawn.boxes]
    assert titles[3:6] == ["Input projection", "Convolution and SSM", "Output projection"]
    gated = {arrow.start.id for arrow in drawn.arrows if arrow.end.id == "mixer_output"}
    assert gated == {"convolution", "mixer_input"}


def test_the_gate_of_a_state_space_is_multiplied_before_the_norm() -> None:
    for name in ("mamba2-130m", "bamba-9b"):  # beside attention, no line shows the gate
        gated_norm = next(box for box in diagram(name).boxes if box.id == "gated_norm")
        assert (gated_norm.kind, gated_norm.lines) == (BoxKind.NORM, ())
    arrows = diagram("mamba2-130m").arrows
    gated = {arrow.start.id for arrow in arrows if arrow.end.id == "gated_norm"}
    assert gated == {"convolution", "mixer_input"}


def test_layers_that_differ_are_alternatives_in_one_cluster() -> None:
    drawn = diagram("jamba-v0.1")
    assert [cluster.title for cluster in drawn.clusters] == ["× 32 layers"]
    labels = {"".join(map(str, arrow.label)) for arrow in drawn.arrows}
    assert labels >= {
        "Mamba · 28 of 32",
        "attention · 4 of 32",
        "dense · odd layers",
        "MoE · even layers",
    }
    assert sum(box.kind is BoxKind.NORM for box in drawn.boxes) == 3


@pytest.mark.presets
@every_model
def test_every_symbol_is_explained_on_the_page(model: Any) -> None:
    """In the list of the table or, without a table, in the legend."""

    def variables(line: Line) -> set[Variable]:
        return {piece for piece in line if isinstance(piece, Variable)}

    for views, detail in product((("diagram",), ("table", "diagram")), Detail):
        blocks = document(load(model), views, ViewOptions(detail=detail))
        drawn = blocks[-1]
        assert isinstance(drawn, Diagram)
        explained = {f.symbol for block in blocks if isinstance(block, Facts) for f in block.facts}
        legend = line_text(drawn.legend)
        for box in drawn.boxes:
            for line in (*box.lines, *box.short_lines, box.output):
                # readers of Mamba's paper know its letters
                for symbol in variables(line) - explained - {*map(Variable, STATE_SPACE_LETTERS)}:
                    assert re.search(rf"\b{symbol} (=|is the) ", legend), (symbol, detail)


def test_legend_explains_symbols_only_without_a_list_of_sizes() -> None:
    (drawn,) = document(load("llama-7b"), ("diagram",), ViewOptions(detail=Detail.BRIEF))
    assert isinstance(drawn, Diagram)
    assert "V = 32,000 (vocabulary size), H = 32 (attention heads), " in line_text(drawn.legend)
    for view in ("table", "shapes"):
        *_, beside_list = document(load("llama-7b"), (view, "diagram"), ViewOptions())
        assert isinstance(beside_list, Diagram)
        assert "vocabulary" not in line_text(beside_list.legend)


def test_layers_of_a_branch_are_listed_below_if_its_label_only_has_their_number() -> None:
    def listed(model: Any, **options: Any) -> list[str]:
        legend = line_text(diagram(model, **options).legend)
        return [
            text.strip() for text in re.findall(r"The [^.]* are [^.]*, counted from 1\.", legend)
        ]

    assert listed("jamba-v0.1") == ["The attention layers are 5, 13, 21 and 29, counted from 1."]
    assert listed("deepseek-v3") == []
    assert listed("jamba-1.5-large") == [
        "The attention layers are 5, 13, 21, …, 69, counted from 1."
    ]
    assert listed("jamba-1.5-large", detail=Detail.BRIEF) == listed("jamba-1.5-large")
    assert listed("jamba-1.5-large", legend=Legend.NO) == []
    # at equal distances, of an encoder and a decoder, and irregular
    assert listed("gemma-4-31b") == [
        "The full-attention layers are 6, 12, 18, …, 60, counted from 1."
    ]
    assert listed("nllb-moe-54b") == [
        "The encoder MoE layers are 4, 8, 12, …, 24, counted from 1.",
        "The decoder MoE layers are 4, 8, 12, …, 24, counted from 1.",
    ]
    assert listed("lfm2-350m") == [
        "The attention layers are 3, 6, 9, 11, 13 and 15, counted from 1."
    ]
    # the label has them, or the list would be long
    assert listed("deepseek-v3") == listed("llama-7b") == []
    kinds = ["full_attention" if n % 2 or n % 6 == 0 else "conv" for n in range(60)]
    assert listed({"model_type": "lfm2", "num_layers": 60, "layer_types": kinds}) == []


def test_consecutive_layers_are_a_range() -> None:
    labels = {"".join(map(str, arrow.label)) for arrow in diagram("deepseek-v3").arrows}
    assert {"dense · layers 1–3", "MoE · layers 4–61"} <= labels


@pytest.mark.parametrize(
    ("model", "layers"),
    [
        ("modernbert-base", {"layer 1", "layers 2–22"}),
        ("gpt-neox-japanese-2.7b", {"layers 1–31", "layer 32"}),
    ],
)
def test_layers_named_by_their_position_have_only_numbers(model: str, layers: set[str]) -> None:
    labels = {"".join(map(str, arrow.label)) for arrow in diagram(model).arrows}
    assert {label for label in labels if "layer" in label} == layers


def test_layers_without_a_kind_have_only_numbers() -> None:
    labels = {"".join(map(str, arrow.label)) for arrow in diagram("openelm-270m").arrows}
    assert "layers 1–5" in labels


def test_n_gram_embeddings_are_a_residual_connection_of_their_own() -> None:
    """Layers with them have one more connection before their mixer than others."""
    config = {"index_n_heads": 4, "index_head_dim": 64, "ngram_layers": [2, 3]}
    config = {"model_type": "qwen4_exp_text", **config}
    model = load(config)
    labels = [text(arrow.label) for arrow in diagram(config).arrows]
    assert [label for label in labels if "n-gram" in label] == [
        "n-gram · layer 2",
        "n-gram · layer 3",
    ]
    table = next(b for b in document(model, ("table",), ViewOptions()) if isinstance(b, Table))
    heads = [" ".join(map(text, row.cells[0])) for row in table.rows]
    assert [head for head in heads if "N-gram embeddings" in head] == [
        "N-gram embeddings in layer 2",
        "N-gram embeddings in layer 3",
    ]


def scores_line(model: str) -> str:
    """The second line of the box of attention scores."""
    (line,) = next(box.lines for box in diagram(model).boxes if box.id == "scores")
    return text(line)


def test_boxes_show_shape_and_share() -> None:
    lines = {box.id: tuple(map(text, box.lines)) for box in diagram("llama-3-8b").boxes}
    assert lines["qkv"] == ("D × (H + 2H<sub>kv</sub>)·d<sub>h</sub> · 10.0%",)
    assert lines["scores"] == ("32 heads, 8 KV heads",)
    assert lines["ffn_up"] == ("2 × D × F · 46.8%",)
    assert scores_line("deepseek-v3") == "128 heads, 1 RoPE key"  # not from the KV latent
    assert scores_line("minicpm3-4b") == "40 heads, 1 RoPE key"
    assert lines["attention_norm"] == ()
    experts = next(box for box in diagram("mixtral-8x7b").boxes if box.is_called("experts_up"))
    assert (experts.title, text(experts.lines[0])) == (
        "8 experts, 2 active",
        "3 × E × D × F · 96.6%",
    )


def test_a_brief_box_of_matrices_of_two_widths_has_their_common_factors() -> None:
    lines = {
        box.id: text(box.lines[0])
        for box in diagram("llama-3-8b", detail=Detail.BRIEF).boxes
        if box.lines
    }
    assert lines["attention"] == "2 × D × (H + H<sub>kv</sub>)·d<sub>h</sub> · 16.7%"
    assert lines["feed_forward"] == "3 × D × F · 70.2%"


def test_equal_matrices_side_by_side_are_counted_in_a_brief_diagram() -> None:
    boxes = {
        box.id: text(box.lines[0])
        for box in diagram("gpt2", detail=Detail.BRIEF).boxes
        if box.lines
    }
    assert boxes["attention"] == "4 × D × D · 22.8%"
    assert boxes["feed_forward"] == "2 × D × 4D · 45.5%"


def test_a_box_of_experts_and_their_router_has_no_common_shape() -> None:
    (experts,) = (box for box in diagram("nllb-moe-54b").boxes if box.id == "experts")
    assert text(experts.lines[0]) == "47.3%"


@pytest.mark.parametrize(
    ("model", "title"),
    [
        ("mamba-130m", "Mamba"),
        ("mamba2-130m", "Mamba-2"),
        ("qwen3-next-80b-a3b", "Linear attention"),
    ],
)
def test_a_brief_box_has_the_name_of_its_mixer(model: str, title: str) -> None:
    boxes = diagram(model, detail=Detail.BRIEF).boxes
    assert [box.title for box in boxes if box.id == "sequence_mixing"] == [title]


def test_the_textbook_decoder_has_residual_connections() -> None:
    drawn = diagram(TEXTBOOK)
    past = [(arrow.start.id, arrow.end.id) for arrow in drawn.arrows if arrow.is_residual]
    assert past == [("embedding", "add"), ("add", "add_2")]
    assert load(TEXTBOOK).total == 2 * 12 * 64**2 + 2 * 100 * 64


@pytest.mark.parametrize(("model", "is_said"), [(TEXTBOOK, True), ("llama-7b", False)])
def test_the_legend_says_that_norms_are_left_out(model: Any, is_said: bool) -> None:
    legend = "".join(map(str, diagram(model).legend))
    assert ("Norms are not drawn." in legend) == is_said


def test_arrows_show_shapes_where_the_width_changes() -> None:
    labels = [text(arrow.label) for arrow in diagram("llama-7b").arrows if arrow.label]
    assert labels == [f"[T{COMMA}D]", f"[T{COMMA}F]"]


def test_full_detail_shows_all_shapes_in_symbols_and_numbers() -> None:
    boxes = {box.id: box for box in diagram("llama-3-8b", detail=Detail.TENSOR).boxes}
    assert [text(line) for line in boxes["qkv"].lines] == [
        *("Q: D × H·d<sub>h</sub>", "4,096 × 4,096"),
        *("K, V: 2 × D × H<sub>kv</sub>·d<sub>h</sub>", "2 × 4,096 × 1,024"),
    ]
    assert text(boxes["qkv"].output).split(COMMA) == [
        "[T",
        "H·d<sub>h</sub> + 2H<sub>kv</sub>·d<sub>h</sub>]",
    ]


def test_tied_head_is_marked() -> None:
    (head,) = (box for box in diagram("llama-3.2-1b").boxes if box.is_called("lm_head"))
    assert text(head.lines[-1]) == "D × V · tied"
    assert (head.is_weightless, head.growth) == (True, Growth.NONE)


def test_long_models_have_a_box_for_each_block() -> None:
    titles = [box.title for box in diagram("t5-base").boxes]
    assert titles.count("FFN") == 2
    assert "FFN up" not in titles


def test_a_box_for_attention_has_its_table_for_positions() -> None:
    attention = [box for box in diagram("t5-base").boxes if box.title == "Attention"]
    assert [box.names[-1] for box in attention] == ["encoder_position", "decoder_position"]
    (embedding,) = (b for b in diagram("t5-base").boxes if b.is_called("decoder_embedding"))
    assert "".join(map(text, embedding.lines)) == "V × D · tied"


def test_description_for_screen_readers() -> None:
    drawn = diagram("gpt2")
    source = mermaid_source(drawn, ())
    titles = re.findall(r"^acc(?:Title|Descr): (.*)$", source, re.MULTILINE)
    assert [rendered(text) for text in titles] == [drawn.title, drawn.description]
    assert (
        "then Token embedding (grows with D) + (Positions, Position embedding (grows with D)), then"
        in drawn.description
    )
    assert (
        "input + (Attention norm, QKV projection (grows with D²), Dot-product attention, "
        in drawn.description
    )


def test_legend_explains_what_is_drawn() -> None:
    def legend(model: str) -> str:
        return "".join(map(str, diagram(model).legend)).replace(NO_BREAK, " ")

    llama = legend("llama-7b")
    assert "Double frame: weights grow with D². Single frame: weights grow with D. Dotted" in llama
    assert "shares of all parameters. D = 4,096 (hidden dimension), V = 32,000 (" in llama
    assert "F = 11,008 (FFN dimension). H, H_kv and F are assumed to scale with D. T is" in llama
    # the norms of its latents
    assert "Rounded frame: weights do not grow with D." in legend("deepseek-v3")
    assert (
        "The RoPE key, shared by all heads, bypasses the KV latent norm and projection."
        in legend("deepseek-v3")
    )
    assert "RoPE" not in legend("longcat-flash")  # its attention is one box
    assert "RoPE" not in llama
    gate = "The gate, a part of the input projection's output, bypasses this box and is multiplied"
    assert gate in legend("jamba-v0.1")
    assert gate in legend("mamba-130m")
    assert gate not in legend("qwen3-next-80b-a3b")  # its attention is one box
    assert "(rank of Δ). D_inner and R_dt are assumed to scale with D." in legend("mamba-2.8b")


def test_beside_a_list_of_sizes_the_legend_only_names_those_that_scale() -> None:
    def legend(model: str) -> str:
        *_, drawn = document(load(model), ("table", "diagram"), ViewOptions())
        assert isinstance(drawn, Diagram)
        return line_text(drawn.legend)

    assert legend("falcon-7b").startswith("H is assumed to scale with D. T is")
    assert legend("llama-7b").startswith("H and F are assumed to scale with D. T is")


def test_steps_without_weights_are_dotted() -> None:
    drawn = diagram("deepseek-v3")
    assert [box.id for box in drawn.boxes if box.is_weightless] == ["scores"]
    assert re.search("^class scores llmsize-weightless$", mermaid_source(drawn, ()), re.MULTILINE)
    assert "Dotted frame: no weights of its own." in "".join(map(str, drawn.legend))
    assert "Dotted" not in "".join(map(str, diagram("rwkv-4-169m-pile").legend))


@pytest.mark.parametrize(
    ("name", "is_hybrid"), [("llama-7b", False), ("mixtral-8x7b", False), ("jamba-v0.1", True)]
)
def test_legend_explains_lines_that_occur(name: str, is_hybrid: bool) -> None:
    legend = "".join(map(str, diagram(name).legend))
    assert ("“or”: each layer takes one branch." in legend) == is_hybrid


def test_a_note_has_the_symbols_of_the_model() -> None:
    notes = (("scores", "products ∝ T² × D, not T5 or d_model"),)
    (box,) = (box for box in diagram("llama-7b", notes=notes).boxes if box.is_called("scores"))
    symbols = [str(piece) for piece in box.output if isinstance(piece, Variable)]
    assert symbols == ["T", "D"]
    assert "".join(map(str, box.output)) == notes[0][1]


@pytest.mark.parametrize(
    ("note", "symbols"),
    [
        ("Q, K and V", []),
        ("softmax(QKᵀ / √d) V", []),
        ("a vector per token, T × D", ["T", "D"]),
        ("V tokens", ["V"]),
        ("T和D", ["T", "D"]),
    ],
)
def test_letters_of_a_note_with_other_letters_are_no_symbols(note: str, symbols: list[str]) -> None:
    boxes = diagram("llama-7b", notes=(("qkv", note),)).boxes
    (box,) = (box for box in boxes if box.is_called("qkv"))
    assert [str(piece) for piece in box.output if isinstance(piece, Variable)] == symbols
    assert "".join(map(str, box.output)) == note


@pytest.mark.parametrize("name", ["deepseek-v3", "jamba-v0.1", "mixtral-8x7b"])
def test_a_router_has_a_share_too(name: str) -> None:
    (box,) = (box for box in diagram(name).boxes if box.is_router)
    assert [text(line) for line in box.lines] == ["D × E · <0.1%"]


@pytest.mark.presets
@every_model
def test_boxes_say_whether_they_show_a_share(model: Any) -> None:
    for box in (box for detail in Detail for box in diagram(model, detail=detail).boxes):
        has_percentage = any("%" in text(line) for line in (*box.lines, *box.short_lines))
        assert box.shows_share == has_percentage, box


def test_legend_explains_percentages_where_a_box_has_one() -> None:
    sentence = "Percentages are shares of all parameters."
    assert sentence in "".join(map(str, diagram("llama-7b").legend))
    assert sentence not in "".join(map(str, diagram("llama-7b", detail=Detail.FULL).legend))


def test_lines_to_a_sum_end_at_its_sides_or_above() -> None:
    sides = {
        (line.start.id, line.end.id): line.side and line.side.value
        for line in flow("bert-base-uncased")
    }
    assert sides["embedding", "embedding_sum"] is None
    assert sides["position", "embedding_sum"] == "left"
    assert sides["token_type", "embedding_sum"] == "right"
    assert sides["attention_output", "add"] is None
    sides = {line.start.id: line.side and line.side.value for line in flow("gpt2")}
    assert (sides["embedding"], sides["position"]) == ("left", "right")


def test_routed_and_shared_experts_are_added_before_the_alternative() -> None:
    lines = flow("deepseek-v3")
    at_sides = {line.start.id: line.end.id for line in lines if line.course is Course.ALONG}
    assert at_sides["experts"] == at_sides["shared_up"] == "expert_sum"
    (below,) = (line.end.id for line in lines if line.start.id == "expert_sum")
    assert at_sides[below] == at_sides["ffn_down"]


def test_a_decoder_alone_reads_its_tokens_and_the_states_of_an_encoder() -> None:
    drawn = diagram({"model_type": "marian", "architectures": ["MarianForCausalLM"]})
    inputs = [box.id for box in drawn.boxes if box.kind is BoxKind.DATA]
    assert inputs == ["encoder_states", "tokens", "decoder_position_ids", "logits"]
    assert [box.id for box in drawn.boxes if "encoder_states" in (box.reads or ())] == ["cross_kv"]


@pytest.mark.parametrize(
    ("model", "output"),
    [
        ("ms-marco-minilm-l6-v2", "Logits [1, N_labels]"),
        ("bert-base-uncased", "Pooled state [1, D]"),
        ({"model_type": "gpt2", "architectures": ["GPT2Model"]}, "Hidden states [T, D]"),
    ],
)
def test_the_last_box_is_the_output(model: Any, output: str) -> None:
    box = [*diagram(model).boxes][-1]
    shape = "".join(map(str, box.lines[0])).replace("\xa0", " ")
    assert f"{box.title} {shape}" == output


@pytest.mark.parametrize("name", ["mixtral-8x7b", "deepseek-v3", "jamba-v0.1"])
@pytest.mark.parametrize("detail", [Detail.COMPONENT, Detail.FULL])
def test_a_router_is_in_line_with_its_experts(name: str, detail: Detail) -> None:
    arrows = [(arrow.start.id, arrow.end.id) for arrow in diagram(name, detail=detail).arrows]
    experts = "experts" if detail is Detail.COMPONENT else "experts_up"
    assert [start for start, end in arrows if end == experts] == ["router"]
    assert [end for start, end in arrows if start == "router"] == [experts]


def test_a_router_is_beside_steps_between_its_input_and_the_experts() -> None:
    # in Gemma 4, the router has no norm before it
    arrows = [(arrow.start.id, arrow.end.id) for arrow in diagram("gemma-4-26b-a4b").arrows]
    assert {("add", "router"), ("add", "experts_norm")} < set(arrows)
    assert [start for start, end in arrows if end == "experts"] == ["router", "experts_norm"]


def test_an_output_gate_is_beside_the_attention_that_it_weights() -> None:
    arrows = {(arrow.start.id, arrow.end.id) for arrow in diagram({"model_type": "afmoe"}).arrows}
    assert {("attention_norm", "qkv"), ("attention_norm", "output_gate")} < arrows
    assert {("scores", "attention_output"), ("output_gate", "attention_output")} < arrows
    assert ("scores", "output_gate") not in arrows


def test_alternatives_begin_at_a_word() -> None:
    source = mermaid_source(diagram("deepseek-v3"), ())
    assert source.count("<span class='llmsize-badge'><span>or</span></span>") == 1
    assert "llmsize-badge" not in mermaid_source(diagram("mixtral-8x7b"), ())


@pytest.mark.parametrize(
    ("name", "arrows"),
    [
        ("deberta-base", {("relative_position", "relative_projection")}),
        ("mpnet-base", {("relative_position", "scores")}),
        ("cpm-ant-10b", {("position_bias", "scores")}),
        ("roformer-chinese-base", {("position", "scores")}),
        ("t5-small", {("encoder_position", "scores"), ("decoder_position", "scores_2")}),
    ],
)
def test_tables_for_positions_are_read_by_attention_alone(
    name: str, arrows: set[tuple[str, str]]
) -> None:
    drawn = diagram(name, detail=Detail.FULL).arrows
    found = {(arrow.start.id, arrow.end.id) for arrow in drawn}
    tables = {start for start, _end in arrows}
    assert {(start, end) for start, end in found if tables & {start, end}} == arrows
    assert not any(start.endswith("norm") and end.startswith("relative") for start, end in found)


def flow(model: Any) -> list[Connection]:
    """The lines that Mermaid draws, without frames and guides."""
    return [line for line in diagram(model).connections if line.kind is LineKind.FLOW]


def test_a_residual_connection_leaves_at_a_dot_and_turns_twice() -> None:
    lines = flow("llama-7b")
    (dot,) = (line.start for line in lines if line.end.id == "attention_norm")
    assert isinstance(dot, Joint)
    assert dot.kind is JointKind.DOT
    down, aside = (line for line in lines if line.start == dot)
    assert (down.end.id, aside.course) == ("attention_norm", Course.ACROSS)
    (back,) = (line for line in lines if line.start == aside.end)
    assert (back.end.id, back.course, back.has_head) == ("add", Course.ALONG, True)


def test_a_diagram_without_legend(build: Build) -> None:
    page = "T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n   :legend: no\n"
    assert "Double frame" in build({"index.rst": page.replace("no", "yes")}).output("index.html")
    assert "figcaption" not in build({"index.rst": page}).output("index.html")


def test_an_encoder_is_above_its_decoder() -> None:
    lines = diagram("t5-base").connections
    guides = {(line.start.id, line.end.id) for line in lines if line.kind is LineKind.GUIDE}
    (below,) = {line.end.id for line in lines if line.start.id == "encoder_final_norm"}
    assert (below, "decoder_tokens") in guides


def test_layers_that_differ_only_in_lengths_share_their_boxes() -> None:
    titles = [box.title for box in diagram("funnel-large-base").boxes]
    assert titles.count("FFN norm") == titles.count("FFN up") == 1


def test_a_long_brief_diagram_to_the_right_has_no_ends_and_the_longest_have_two_lines() -> None:
    short, long, longest = (
        diagram(model, detail=Detail.BRIEF, direction=Direction.LR)
        for model in ("deepseek-v3", "jamba-v0.1", "t5-base")
    )
    assert short.boxes[-1].title == "Logits"
    for one in (long, longest):
        assert BoxKind.DATA not in {box.kind for box in one.boxes}
    (decoder_embedding,) = (box for box in longest.boxes if box.reads == ())
    assert (decoder_embedding.title, *decoder_embedding.lines) == (
        "Token embedding",
        ("decoder · tied",),
    )


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_PRESETS)
def test_boxes_of_brief_diagrams_to_the_right_have_two_lines(name: str) -> None:
    found = diagram(name, detail=Detail.BRIEF, direction=Direction.LR)
    if found.direction is Direction.LR:
        lines = {len((*box.title_lines, *box.lines)) for box in found.boxes if box.lines}
        assert lines == {2}


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        (("2 × ", D, " × ", D), "2|×_D|×_D"),
        (("(", D, " + 2", D, ")·", D), "(D_+_2D)·D"),
        (("(2", D, "·10,000 + ", D, "·10,000) × ", D), "(2D·10,000_+_D·10,000)|×_D"),
        (("32 heads, 8 key/value heads",), "32|heads,|8|key/value|heads"),
    ],
)
def test_formulas_break_between_factors(line: Line, broken: str) -> None:
    shown = text(with_breaks(line))
    assert shown.replace(" ", "|").replace(NO_BREAK, "_") == broken


@pytest.mark.presets
@every_model
def test_merged_steps_have_names(model: Any) -> None:
    assert [box.title for box in diagram(model).boxes if "…" in box.title] == []


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("jamba-v0.1", "Convolution and SSM"),
        ("bamba-9b", "Convolution and SSM"),
        ("qwen3-next-80b-a3b", "Convolution and delta rule"),
    ],
)
def test_names_of_merged_steps(model: str, name: str) -> None:
    assert name in {box.title for box in diagram(model).boxes}


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("t5-base", Direction.LR),
        ("jamba-v0.1", Direction.LR),
        ("switch-base-8", Direction.TB),  # eleven boxes
        ("switch-c-2048", Direction.TB),  # eight, of which two are "MoE, 1 of 2,048 experts"
        ("funnel-medium", Direction.LR),
    ],
)
def test_a_brief_diagram_without_room_in_a_column_runs_down(
    name: str, direction: Direction
) -> None:
    found = diagram(name, detail=Detail.BRIEF, direction=Direction.LR)
    assert found.direction is direction
    if direction is Direction.TB:
        assert found == diagram(name, detail=Detail.BRIEF)


@pytest.mark.parametrize("direction", Direction)
def test_direction(direction: Direction) -> None:
    source = mermaid_source(diagram("gpt2", direction=direction), ())
    assert f"\nflowchart {direction.value}\n" in source


@pytest.mark.parametrize("text", HOSTILE)
def test_labels_are_escaped_for_mermaid(text: str) -> None:
    escaped = escape_mermaid(text)
    assert re.fullmatch(r"(?:[A-Za-z0-9]|#\d+;)*", escaped)
    assert rendered(escaped) == re.sub(r"[\n\u202e]", "", text)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_model_may_have_any_name(name: str) -> None:
    (drawn,) = pipeline(load(name, TEXTBOOK), ViewOptions())
    (plain,) = pipeline(load("model", TEXTBOOK), ViewOptions())
    assert isinstance(drawn, Diagram)
    assert isinstance(plain, Diagram)
    lines, expected = (mermaid_source(d, ()).split("\n") for d in (drawn, plain))
    differing = [new for new, old in zip(lines, expected, strict=True) if new != old]
    assert [line.split(":")[0] for line in differing] == ["accTitle"]


def test_a_template_of_the_project(build: Build) -> None:
    files = {
        "index.rst": "T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n",
        "templates/llmsize/diagram.mmd.jinja": "flowchart LR\n{{ diagram.boxes | length }} boxes\n",
    }
    project = build(files, templates_path=["templates"])
    page = project.output("index.html")
    assert "flowchart LR\n17 boxes" in page
    assert NARROW_CLASS not in page  # phones show the project's diagram, too
    assert project.log == ""


def test_a_page_is_rebuilt_when_its_template_changes(build: Build) -> None:
    files = {
        "index.rst": "T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n",
        "templates/llmsize/diagram.mmd.jinja": "flowchart LR\n",
    }
    project = build(files, templates_path=["templates"])
    template = Path(project.app.srcdir) / "templates/llmsize/diagram.mmd.jinja"
    template.write_text("flowchart LR\nnew\n", "utf-8")
    project.app.build()
    assert "flowchart LR\nnew" in project.output("index.html")


@pytest.mark.parametrize(
    ("template", "line"),
    [("{{ nope }}", ("index.rst", 4)), ("\n{% if %}", ("diagram.mmd.jinja", 2))],
)
def test_a_template_that_fails_is_a_warning(
    template: str, line: tuple[str, int], build: Build
) -> None:
    files = {
        "index.rst": "T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n",
        "templates/llmsize/diagram.mmd.jinja": template,
    }
    project = build(files, templates_path=["templates"])
    (warned,) = project.warned
    assert (Path(warned.file).name, warned.line) == line
    assert "llmsize-error" in project.output("index.html")


@pytest.mark.parametrize(
    ("kind", "reason"), [("folder", "directory"), ("link", "No such file"), ("fifo", "regular")]
)
def test_a_template_that_cannot_be_read_is_a_warning(
    kind: str, reason: str, tmp_path: Path, build: Build
) -> None:
    template = tmp_path / "own" / "llmsize" / "diagram.mmd.jinja"
    template.parent.mkdir(parents=True)
    make = {"folder": os.mkdir, "link": lambda path: os.symlink("nothing", path), "fifo": make_fifo}
    make[kind](template)
    page = "T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n"
    (warned,) = build({"index.rst": page}, templates_path=[str(tmp_path / "own")]).warned
    assert (Path(warned.file).name, warned.line) == ("index.rst", 4)
    assert warned.type == "llmsize.template"
    assert reason in warned.message


@pytest.mark.parametrize("direction", ["LR", "tb"])
def test_direction_in_a_page(direction: str, build: Build) -> None:
    page = f"T\n=\n\n.. llm-size:: gpt2\n   :show: diagram\n   :direction: {direction}\n"
    assert f"flowchart {direction.upper()}\n" in build({"index.rst": page}).output("index.html")
