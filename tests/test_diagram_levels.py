"""Levels of detail of diagrams: the most detailed that fits, and what the legend says of it."""

from __future__ import annotations

from typing import Any

import pytest
from families import SOME_MODELS, SOME_PRESETS

from sphinx_llmsize import load
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Fork, Residual, boxes_of, forks_of, has_residual
from sphinx_llmsize.views.pipeline.pipeline import pipeline
from sphinx_llmsize.views.view_options import Detail, ViewOptions

BOTH = "Norms and residual connections are not drawn."
NORMS = "Norms are not drawn."
TEXTBOOK = {"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}


def diagram(model: Any, detail: Detail = Detail.COMPONENT, **options: Any) -> Diagram:
    (block,) = pipeline(load(model), ViewOptions(detail=detail, **options))
    assert isinstance(block, Diagram)
    return block


def legend_of(drawn: Diagram) -> str:
    return "".join(map(str, drawn.legend))


@pytest.mark.parametrize("name", ["glm-5.2", "deepseek-v4-flash", "longcat-flash"])
def test_attention_with_latents_is_one_box_with_norms_and_additions_around_it(name: str) -> None:
    drawn = diagram(name)
    titles = [box.title for box in drawn.boxes]
    assert "Attention" in titles
    assert not any("latent" in title for title in titles)
    assert {"Attention norm", "FFN norm", "Final norm"} <= set(titles)
    assert has_residual(drawn.items)
    assert BOTH not in legend_of(drawn)


@pytest.mark.presets
@pytest.mark.parametrize("detail", [Detail.BRIEF, Detail.COMPONENT, Detail.FULL])
@pytest.mark.parametrize("model", SOME_MODELS.values(), ids=SOME_MODELS)
def test_the_legend_says_what_is_left_out(model: Any, detail: Detail) -> None:
    drawn = diagram(model, detail)
    legend = legend_of(drawn)
    if detail is Detail.BRIEF:
        assert BOTH in legend
        return
    stages = load(model).architecture.stages()
    norms = {stage.id for stage in stages if stage.group is Group.NORMS}
    names = {name for box in drawn.boxes for name in box.names}
    has_norms = norms <= names
    assert has_norms == any(box.kind is BoxKind.NORM for box in drawn.boxes)
    assert (BOTH in legend) == (not has_norms)
    assert NORMS not in legend


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_PRESETS)
def test_diagrams_of_released_models_have_norms_and_residual_connections(name: str) -> None:
    drawn = diagram(name)
    assert has_residual(drawn.items)
    assert "not drawn" not in legend_of(drawn)


def test_a_model_without_norms_has_residual_connections() -> None:
    assert NORMS in legend_of(diagram(TEXTBOOK))
    assert BOTH in legend_of(diagram(TEXTBOOK, Detail.BRIEF))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("glm-5.2", "Shared-index and own-index layers share boxes."),
        ("step-3.5-flash", "Full-attention and sliding-attention layers share boxes."),
        ("gemma-4-31b", "Sliding-attention and full-attention layers share boxes."),
        ("gemma-3n-e4b", "Own-KV and shared-KV layers share boxes."),
        ("jamba-v0.1", ""),  # of Mamba and attention, dense and MoE layers, each has its box
    ],
)
def test_brief_diagrams_have_one_box_for_blocks_with_the_same_name(
    name: str, sentence: str
) -> None:
    drawn = diagram(name, Detail.BRIEF)
    assert [box.title for box in drawn.boxes].count("Attention") == 1
    legend = legend_of(drawn)
    assert sentence in legend
    assert ("share boxes" in legend) == bool(sentence)


@pytest.mark.presets
@pytest.mark.parametrize("name", SOME_PRESETS)
def test_alternatives_of_named_layers_are_told_apart(name: str) -> None:
    """Boxes of two brief alternatives differ in title, or in the numbers of their layers."""
    for fork in forks_of(diagram(name, Detail.BRIEF).items):
        texts = [str([(box.title, box.lines) for box in branch.boxes]) for branch in fork.branches]
        assert len(set(texts)) == len(texts)


def test_of_parallel_branches_only_the_one_that_differs_has_alternatives() -> None:
    drawn = diagram("gemma-3n-e4b", Detail.FULL)
    fork = next(fork for fork in forks_of(drawn.items) if not fork.has_alternatives)
    first, second = fork.branches
    assert isinstance(first.parts[0], Fork)
    assert first.parts[0].has_alternatives
    titles = [box.title for box in second.boxes if box.kind is BoxKind.STEP]
    assert titles == ["Laurel: down", "Laurel: up and norm"]


@pytest.mark.parametrize(
    ("name", "title", "text"),
    [
        ("gemma-3n-e2b", "× 30 layers", "6.6%"),  # own KV, or shared
        # those of three blocks, of which two are used twice
        ("funnel-medium", "× 18 layers with 12 sets of weights", "27.1%"),
    ],
)
def test_where_a_page_has_no_room_layers_of_different_sizes_share_boxes(
    name: str, title: str, text: str
) -> None:
    drawn = diagram(name)
    first = drawn.clusters[0]
    assert first.title == title
    (attention,) = (box for box in boxes_of(first.parts) if box.title == "Attention")
    assert "".join(map(str, *attention.lines)) == text
    assert has_residual(drawn.items)


def test_a_funnel_pools_in_the_first_layer_of_each_block_but_the_first() -> None:
    drawn = diagram("funnel-small")
    pooling = next(box for box in drawn.boxes if box.is_called("pooling"))
    assert "".join(map(str, *pooling.lines)) == "2 of 12 layers"
    assert diagram("funnel-medium").clusters[0].remark == (
        "Block-1, block-2 pooling, block-2 repeated, block-2, block-3 pooling, block-3 repeated "
        "and block-3 layers share boxes."
    )


def test_a_funnel_pools_keys_and_values_in_these_layers_too() -> None:
    drawn = diagram({"model_type": "funnel", "pool_q_only": False, "block_repeats": [1, 2, 1]})
    pooling = next(box for box in drawn.clusters[0].boxes if box.is_called("pooling"))
    assert "".join(map(str, *pooling.lines)) == "2 of 16 layers"


def test_what_the_first_layer_adds_is_beside_the_steps_of_all_layers() -> None:
    drawn = diagram("deberta-v2-xlarge")
    (fork,) = (fork for fork in forks_of(drawn.items) if fork.addition)
    layer, convolution = fork.branches
    assert [type(part) for part in layer.parts] == [Residual, Box, Residual, Box]
    labels = {arrow.end.title: "".join(map(str, arrow.label)) for arrow in drawn.arrows}
    assert [box.title for box in convolution.boxes] == ["Convolution"]
    assert labels["Convolution"] == labels["Norm after convolution"] == "layer 1"


def test_experts_beside_several_blocks_are_added_to_their_result() -> None:
    drawn = diagram("longcat-flash")
    (fork,) = forks_of(drawn.items)
    beside, experts = fork.branches
    assert [type(part) for part in beside.parts] == [Residual] * 3
    norm = experts.parts[0]
    assert isinstance(norm, Box)
    assert (norm.title, norm.is_weightless) == ("FFN norm", True)  # that of the first FFN
    assert isinstance(experts.parts[-1], Box)
    assert fork.addition is not None
    assert [arrow.end.title for arrow in drawn.arrows if arrow.start == fork.addition][-1] == (
        "Final norm"
    )


def test_a_step_that_some_layers_lack_has_no_box_beside_it() -> None:
    drawn = diagram("llama-3.2-11b-vision")
    gate = next(box for box in drawn.boxes if box.is_called("ffn_residual"))
    assert "Skipped" not in {box.title for box in drawn.boxes}
    assert "".join(map(str, gate.lines[0])).startswith("8 of 40 layers · ")
    (ends,) = ([arrow.end.title for arrow in drawn.arrows if arrow.start == gate],)
    assert ends == ["+"]
    assert "Skipped" in {box.title for box in diagram("llama-3.2-11b-vision", Detail.FULL).boxes}


def test_a_norm_that_some_layers_lack_is_beside_those_without() -> None:
    drawn = diagram("modernbert-base")
    assert "Skipped" in {box.title for box in drawn.boxes}


def lines_in(drawn: Diagram, columns: int) -> dict[str, str]:
    """Text below the title of each box in at least this number of columns."""
    return {
        box.title: "".join(map(str, *box.lines)).replace("\N{NO-BREAK SPACE}", " ")
        for box, number in drawn.columns.items()
        if number >= columns and box.lines
    }


def test_long_shapes_in_three_columns_are_left_out() -> None:
    lines = lines_in(diagram("deepseek-v3.2"), 3)
    assert lines["Q projection"] == "0.3%"
    assert lines["Q latent"] == "D × R_q · 0.1%"
    assert all(len(line) <= 28 for line in lines.values())


@pytest.mark.parametrize(
    ("name", "is_broad"), [("youtu-llm-2b", True), ("deepseek-v3.2", False), ("llama-7b", False)]
)
def test_long_shapes_in_two_columns_make_them_broad(name: str, is_broad: bool) -> None:
    drawn = diagram(name)
    assert drawn.is_broad == is_broad
    if is_broad:
        assert lines_in(drawn, 2)["Q projection"] == "R_q × H·(d_nope + d_rope) · 7.7%"


def test_parallel_residual_connections_and_experts_are_added() -> None:
    (fork,) = (fork for fork in forks_of(diagram("arctic").items) if len(fork.branches) > 1)
    assert fork.addition is not None
