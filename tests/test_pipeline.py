"""The diagram: highlighting, and Mermaid source with hostile labels."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from families import DEFAULTS
from project import Build, make_fifo

from sphinx_llmsize import load
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.diagram import BoxKind, Diagram, Direction
from sphinx_llmsize.escaping import escape_mermaid
from sphinx_llmsize.hosts.sphinx.directive_output import mermaid_source
from sphinx_llmsize.views.pipeline import pipeline
from sphinx_llmsize.views.view_options import ViewOptions

TEXTBOOK = {"hidden_dim": 64, "num_layers": 2, "num_heads": 4, "vocab_size": 100}
MODELS: dict[str, Any] = {
    **{name: name for name in ("llama-7b", "llama-3-8b", "llama-3.2-1b", "gpt2")},
    "textbook": TEXTBOOK,
    "textbook with head_dim": {**TEXTBOOK, "head_dim": 8},
    **DEFAULTS,
}
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
    """A label as Mermaid renders it."""
    return re.sub(r"#(\d+);", lambda found: chr(int(found[1])), label)


@every_model
def test_highlighted_boxes_are_those_with_d_in_a_weight(model: Any) -> None:
    stages = [place.stage for place in load(model).architecture.places()]
    boxes = [box for box in diagram(model).boxes if box.kind is not BoxKind.DATA]
    for box, stage in zip(boxes, stages, strict=True):
        dimensions = [dimension for tensor in stage.tensors for dimension in tensor.shape]
        has_d = any(D in dimension.symbols() for dimension in dimensions)
        assert box.kind is (BoxKind.HIGHLIGHTED if has_d else BoxKind.STEP)


@every_model
def test_every_stage_is_a_box_in_its_place(model: Any) -> None:
    stages = [place.stage.id for place in load(model).architecture.places()]
    boxes = diagram(model).boxes
    assert [box.name for box in boxes if box.kind is not BoxKind.DATA] == stages
    assert len({box.id for box in boxes}) == len(boxes)


@every_model
def test_highlighting_is_a_shape_and_a_class(model: Any) -> None:
    drawn = diagram(model)
    source = mermaid_source(drawn, ())
    highlighted = {box.id for box in drawn.boxes if box.kind is BoxKind.HIGHLIGHTED}
    (members,) = re.findall(r"^class (\S+) llmsize-highlighted$", source, re.MULTILINE)
    assert set(members.split(",")) == highlighted
    assert set(re.findall(r"^ *(\w+)\[\[", source, re.MULTILINE)) == highlighted


@every_model
def test_arrows_are_labelled_with_output_shapes(model: Any) -> None:
    drawn = diagram(model)
    arrows = re.findall(r'^(\w+) -->\|"(\S*)"\| (\w+)$', mermaid_source(drawn, ()), re.MULTILINE)
    assert [(start, rendered(shape), end) for start, shape, end in arrows] == [
        (start.id, start.output, end.id) for start, end in drawn.arrows
    ]


@pytest.mark.parametrize("model", ["llama-7b", "gpt2", {"model_type": "mixtral"}])
def test_without_branches_each_box_leads_to_the_next(model: Any) -> None:
    drawn = diagram(model)
    assert list(drawn.arrows) == list(pairwise(drawn.boxes))


def test_branches_start_and_end_together() -> None:
    arrows = [(start.id, end.id) for start, end in diagram({"model_type": "gptj"}).arrows]
    assert {("attention_norm", "qkv"), ("attention_norm", "ffn_up")} < set(arrows)
    assert {("attention_output", "final_norm"), ("ffn_down", "final_norm")} < set(arrows)
    assert ("attention_output", "ffn_up") not in arrows


def test_stacks_of_layers_have_distinct_titles() -> None:
    drawn = diagram({"model_type": "deepseek_v3"})
    assert [cluster.title for cluster in drawn.clusters] == ["× 3 dense layers", "× 58 MoE layers"]
    router = next(box for box in drawn.boxes if box.id == "router")
    assert {end.id for start, end in drawn.arrows if start is router} == {"experts_up"}
    experts = next(box for box in drawn.boxes if box.id == "experts_up")
    assert experts.lines[-1] == "256 experts, 8 active"


def test_boxes_show_shapes_in_symbols_and_numbers() -> None:
    boxes = {box.id: box for box in diagram("llama-3-8b").boxes}
    assert boxes["qkv"].lines == (
        *("q: D × H·d_h", "4,096 × 4,096"),
        *("k, v: D × H_kv·d_h", "4,096 × 1,024"),
    )
    assert boxes["qkv"].output == "[T, H·d_h + 2·H_kv·d_h]"
    assert boxes["ffn_up"].lines == ("gate, up: D × F", "4,096 × 14,336")


def test_tied_head_is_marked() -> None:
    head = diagram("llama-3.2-1b").boxes[-2]
    assert head.lines[-1] == "tied to the token embedding"


def test_description_for_screen_readers() -> None:
    drawn = diagram("gpt2")
    source = mermaid_source(drawn, ())
    titles = re.findall(r"^acc(?:Title|Descr): (.*)$", source, re.MULTILINE)
    assert [rendered(text) for text in titles] == [drawn.title, drawn.description]
    assert "Token embedding (highlighted), then" in drawn.description
    assert ", Attention scores, " in drawn.description


def test_legend_explains_the_highlighting() -> None:
    legend = "".join(map(str, diagram("llama-7b").legend))
    assert "every step that grows with the hidden dimension D (4,096)" in legend
    assert "double frame" in legend


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
    assert "flowchart LR\n13 boxes" in project.output("index.html")
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
