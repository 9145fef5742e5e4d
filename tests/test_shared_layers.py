"""Diagrams of models whose hybrid layers apply attention and FFN with shared weights."""

from __future__ import annotations

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.algebra import Number, Size, product
from sphinx_llmsize.config.symbols import D, H
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Box, BoxKind
from sphinx_llmsize.diagram_tree import Branch, Cluster, Fork, Part, Residual, forks_of
from sphinx_llmsize.views.pipeline.box_shape import sum_of
from sphinx_llmsize.views.pipeline.pipeline import pipeline
from sphinx_llmsize.views.view_options import Coloring, Detail, ViewOptions

MODELS = ("zamba-7b-v1", "zamba2-1.2b", "zamba2-2.7b", "zamba2-7b")
LEVELS = (Detail.COMPONENT, Detail.FULL)
every_model = pytest.mark.parametrize("model", MODELS)


def diagram(model: str, detail: Detail = Detail.COMPONENT) -> Diagram:
    (block,) = pipeline(load(model), ViewOptions(detail=detail))
    assert isinstance(block, Diagram)
    return block


def applied(drawn: Diagram) -> tuple[Branch, tuple[Part, ...]]:
    """The branch of the hybrid layers, and what comes after the sum at its end."""
    (cluster,) = drawn.clusters
    (layer,) = cluster.parts
    assert isinstance(cluster, Cluster)
    assert isinstance(layer, Residual)
    first, *others = layer.parts
    assert isinstance(first, Residual)
    (fork,) = first.parts
    assert isinstance(fork, Fork)
    (branch,) = fork.branches
    return branch, tuple(others)


@every_model
@pytest.mark.parametrize("detail", LEVELS)
def test_shared_layers_are_inside_the_layers_that_apply_them(model: str, detail: Detail) -> None:
    """The sum of layer input and shared layer's result is only the input of the mixer."""
    drawn = diagram(model, detail)
    branch, others = applied(drawn)
    assert not any(isinstance(part, Residual) for part in branch.parts)
    titles = [box.title for box in branch.boxes]
    assert titles[0] == "Attention norm"
    assert titles[-1] == "Shared layer's result"
    assert isinstance(others[0], Box)
    assert others[0].title == "Input norm"
    after_shared_layer = {arrow.end.id for arrow in drawn.arrows if arrow.start == branch.boxes[-1]}
    assert after_shared_layer == {"add"}


@every_model
def test_the_embedding_leads_to_the_layers(model: str) -> None:
    drawn = diagram(model)
    read_embedding = [arrow.end.title for arrow in drawn.arrows if arrow.start.id == "embedding"]
    assert sorted(read_embedding) == ["+", "+", "Attention norm"]


@pytest.mark.parametrize(
    ("model", "layers"), [("zamba-7b-v1", "13 of 76"), ("zamba2-1.2b", "6 of 38")]
)
def test_the_branch_names_its_layers_as_the_legend_does(model: str, layers: str) -> None:
    drawn = diagram(model)
    branch, _others = applied(drawn)
    assert "".join(map(str, branch.label)) == f"hybrid · {layers}"
    legend = "".join(map(str, drawn.legend))
    assert "The hybrid layers are " in legend
    assert "“or”" not in legend
    assert not any(fork.has_alternatives for fork in forks_of(drawn.items))


@pytest.mark.parametrize(
    ("model", "weights"),
    [
        ("zamba2-1.2b", "All hybrid layers share the weights of attention and FFN."),
        ("zamba2-7b", "Hybrid layers use 2 sets of weights of attention and FFN in turn."),
    ],
)
def test_the_legend_says_which_weights_are_shared(model: str, weights: str) -> None:
    legend = "".join(map(str, diagram(model).legend))
    assert weights in legend
    assert "The attention in hybrid layers also reads the token embedding." in legend


@every_model
def test_shares_count_shared_weights_once_per_set(model: str) -> None:
    """Boxes with a shade have all parameters of the model except those of norms."""
    loaded = load(model)
    (drawn,) = pipeline(loaded, ViewOptions(color=Coloring.SHARE))
    assert isinstance(drawn, Diagram)
    assert sum(box.shade or 0 for box in drawn.boxes) == pytest.approx(1)


@every_model
def test_adapters_are_in_the_box_that_they_are_added_to(model: str) -> None:
    branch, _others = applied(diagram(model))
    adapted = [box for box in branch.boxes if box.title.endswith(" with adapters")]
    ids = {placed.stage.id for placed in load(model).architecture.placed_stages()}
    adapters = ids & {"attention_adapters", "ffn_adapter"}
    assert {name for box in adapted for name in box.names if "adapter" in name} == adapters


@pytest.mark.parametrize(
    ("sizes", "total"),
    [
        ((2 * D, D), "3·D"),
        ((2 * D, 2 * D, 2 * D, D), "7·D"),
        ((product(2, 4, D), 4 * D), "12·D"),
        ((H * D, 2 * H * D), "3·H·D"),
        ((Number(2), Number(3)), "5"),
        ((H * D, D), "(H + 1)·D"),
    ],
)
def test_sums_of_multiples_of_a_size_have_one_number(sizes: tuple[Size, ...], total: str) -> None:
    assert str(sum_of(sizes)) == total


def test_all_boxes_are_in_the_order_of_the_model() -> None:
    boxes = [box.title for box in diagram("zamba-7b-v1").boxes if box.kind is not BoxKind.ADDITION]
    assert boxes[2:7] == [
        "Attention norm",
        "QKV projection",
        "Dot-product attention",
        "Output projection",
        "FFN norm",
    ]
