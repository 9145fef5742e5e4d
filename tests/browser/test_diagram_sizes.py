"""Diagrams of one released model per family: heights, legible texts, and lines clear of them.

Usually only those of :data:`HEIGHTS` and :data:`UNUSUAL` are drawn; ``nox -s presets`` draws all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from families import EVERY_PRESET, ONE_OF_EACH_FAMILY

from sphinx_llmsize import load

from . import sample
from .visit import Look, Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
HEIGHTS = {"llama-7b": 920, "deepseek-v3": 1100, "jamba-v0.1": 1100}
"""Largest heights in pixels."""
UNUSUAL = (
    *("albert-xxlarge-v2", "olmo-hybrid-7b", "t5-small", "gemma-3n-e4b", "gpt2"),
    *("bamba-9b", "youtu-llm-2b", "deepseek-v3.2", "deberta-v2-xlarge", "arctic"),
    "funnel-medium",
)
"""Models with long titles, alternatives from the first box, an encoder, connections around others,
a sum of two embeddings, a long text beside an arrow, long shapes in two or three columns, a branch
beside whole blocks, or several clusters of layers."""
CHAINS = ("llama-7b", "gpt2", "bert-base-uncased", "mamba-130m", "qwen2-7b")
"""Models whose diagram is one chain of boxes."""
BESIDE = ("position", "position_ids", "token_type", "token_type_ids")
"""Boxes beside the chain: embeddings that are added to the first, and their inputs."""
SUMS_OF_TWO = ("gpt2",)
"""Models of :data:`CHAINS` whose first embedding is beside the chain too: there are two."""
ON_A_PHONE = (*CHAINS, "jamba-v0.1", "deepseek-v3", "t5-small")
"""Models whose diagrams are on the page for the phone."""
BRIEF = (
    *("llama-7b", "deepseek-v3", "jamba-v0.1", "t5-small", "mobilebert-uncased"),
    *("gemma-3n-e4b", "deepseek-v4-flash", "zaya1-8b"),  # with weights of residual connections
    "albert-base-v2",  # its layers have a long title
    *("switch-base-8", "funnel-medium"),  # with so many boxes that they run down
)
"""Models whose brief diagram to the right fits the column of a page."""
TO_THE_RIGHT = "   :detail: brief\n   :direction: LR\n"
COLUMN = 736
"""Width of that column in pixels."""
MAX_HEIGHT = 1400
"""Largest height of any other model."""
MIN_GAP = 16
"""Least distance between boxes side by side."""

PER_PAGE = 16
"""Number of diagrams on a page, which Mermaid draws in a few seconds."""
PAGES = -(-len({*HEIGHTS, *UNUSUAL, *ONE_OF_EACH_FAMILY}) // PER_PAGE) if EVERY_PRESET else 1
"""Number of pages."""


def names_on(page: int) -> list[str]:
    """The models of :data:`HEIGHTS` and :data:`UNUSUAL`, and then one of each other family."""
    names = dict.fromkeys((*HEIGHTS, *UNUSUAL, *(ONE_OF_EACH_FAMILY if EVERY_PRESET else ())))
    return [*names][page * PER_PAGE : (page + 1) * PER_PAGE]


@pytest.fixture(scope="module", params=range(PAGES))
def drawn(
    browser: Browser,
    packages: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> dict[str, Any]:
    """Each diagram of a page as the browser draws it, by name of the model, from top to bottom."""
    names = names_on(request.param)
    pages = built(used(names), tmp_path_factory.mktemp("sizes"), packages)
    with served(pages) as address, visit(browser, address, Look("light", 1200)) as seen:
        found = seen.measured(with_contrasts=False)["diagrams"]
    return dict(zip(names, found, strict=True))


def used(names: Iterable[str], options: str = "") -> str:
    """Uses of the directive for some models."""
    return "".join(f".. llm-size:: {name}\n   :show: diagram\n{options}\n" for name in names)


def built(uses: str, folder: Path, packages: Path) -> Path:
    """The folder of a page with some diagrams."""
    page = f"Diagrams\n========\n\n:math:`x`\n\n{uses}"  # visits wait for MathJax
    return sample.build(folder, "alabaster", packages, page)


@pytest.fixture(scope="module")
def chains(
    browser: Browser, packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visit]:
    """A page with the diagrams of :data:`ON_A_PHONE`, in a wide column."""
    pages = built(used(ON_A_PHONE), tmp_path_factory.mktemp("phone"), packages)
    with served(pages) as address, visit(browser, address, Look("light", 1200)) as seen:
        yield seen


@pytest.mark.presets
def test_heights_fit_a_page(drawn: dict[str, dict[str, Any]]) -> None:
    heights = {name: diagram["height"] for name, diagram in drawn.items()}
    limits = {name: HEIGHTS.get(name, MAX_HEIGHT) for name in heights}
    assert {name: h for name, h in heights.items() if not 100 < h <= limits[name]} == {}


@pytest.mark.presets
def test_texts_are_legible_and_fit_their_boxes(drawn: dict[str, dict[str, Any]]) -> None:
    boxes = [(name, box) for name, diagram in drawn.items() for box in diagram["boxes"]]
    assert [(name, box) for name, box in boxes if box["size"] < 12] == []
    steps = [(name, box) for name, box in boxes if box["kind"] != "addition"]
    assert [(name, box) for name, box in steps if not box["fits"]] == []


@pytest.mark.presets
def test_no_line_crosses_a_text(drawn: dict[str, dict[str, Any]]) -> None:
    assert {name: diagram["crossed"] for name, diagram in drawn.items() if diagram["crossed"]} == {}


@pytest.mark.presets
def test_lines_have_right_angles(drawn: dict[str, dict[str, Any]]) -> None:
    assert {name: diagram["slant"] for name, diagram in drawn.items() if diagram["slant"] > 1} == {}


@pytest.mark.presets
def test_boxes_side_by_side_stand_apart(drawn: dict[str, dict[str, Any]]) -> None:
    gaps = {name: diagram["gap"] for name, diagram in drawn.items()}
    assert {name: gap for name, gap in gaps.items() if round(gap, 2) < MIN_GAP} == {}


@pytest.mark.presets
def test_widths_fit_a_column(drawn: dict[str, dict[str, Any]]) -> None:
    widths = {name: diagram["width"] for name, diagram in drawn.items()}
    assert {name: w for name, w in widths.items() if w > COLUMN} == {}


MOVED = {"gemma-3n-e4b", "longcat-flash"}
"""Presets with residual connections around or beside others: Mermaid moves sums by 2 to 7 px."""


@pytest.mark.parametrize("drawn", [0], indirect=True)  # a few families have branches of two widths
def test_lines_have_no_jogs(drawn: dict[str, dict[str, Any]]) -> None:
    jogs = {name: max(diagram["jogs"]) for name, diagram in drawn.items() if diagram["jogs"]}
    assert {name for name, jog in jogs.items() if name not in MOVED or jog > 7} == set()


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_lines_past_residual_connections_are_in_one_lane(drawn: dict[str, dict[str, Any]]) -> None:
    for name in (*HEIGHTS, "gpt2"):
        one, other = sorted(drawn[name]["lanes"])[-2:]
        assert other - one <= 0.5, name


@pytest.mark.presets
def test_no_button_covers_a_diagram(drawn: dict[str, dict[str, Any]]) -> None:
    assert [name for name, diagram in drawn.items() if diagram["covered"]] == []


def test_brief_diagrams_to_the_right_fit_a_column(
    browser: Browser, packages: Path, tmp_path: Path
) -> None:
    pages = built(used(BRIEF, TO_THE_RIGHT), tmp_path, packages)
    with served(pages) as address, visit(browser, address, Look("light", 1200)) as seen:
        found = seen.measured(with_contrasts=False)["diagrams"]
    assert len(found) == len(BRIEF)
    assert [diagram["width"] for diagram in found if diagram["width"] > COLUMN] == []
    boxes = [box for diagram in found for box in diagram["boxes"]]
    assert [box for box in boxes if box["size"] < 12 or not box["fits"]] == []


def test_a_chain_of_boxes_is_straight(chains: Visit) -> None:
    found = dict(zip(ON_A_PHONE, chains.measured(with_contrasts=False)["diagrams"], strict=True))
    for name in CHAINS:
        boxes = found[name]["boxes"]
        beside = (*BESIDE, "tokens", "embedding") if name in SUMS_OF_TWO else BESIDE
        middles = [box["middle"] for box in boxes if box["id"] not in beside]
        assert max(middles) - min(middles) <= 1, name


@pytest.mark.parametrize("drawn", [0], indirect=True)  # the page with Jamba
def test_the_way_between_alternatives_is_straight(drawn: dict[str, dict[str, Any]]) -> None:
    ends = {"tokens", "mixer_norm", "add", "ffn_norm", "add_2", "logits"}
    for name in ("jamba-v0.1", "bamba-9b"):
        middles = [box["middle"] for box in drawn[name]["boxes"] if box["id"] in ends]
        assert len(middles) == len(ends)
        assert max(middles) - min(middles) <= 1


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_alternatives_of_both_blocks_are_in_line(drawn: dict[str, dict[str, Any]]) -> None:
    middles = {box["id"]: box["middle"] for box in drawn["jamba-v0.1"]["boxes"]}
    assert abs(middles["mixer_input"] - middles["ffn_down"]) <= 1
    assert abs(middles["qkv"] - middles["experts"]) <= 1


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_dense_layers_are_level_with_the_experts(drawn: dict[str, dict[str, Any]]) -> None:
    boxes = {box["id"]: box for box in drawn["deepseek-v3"]["boxes"]}
    rows = (("ffn_up", "router"), ("ffn_down", "experts"), ("shared_up", "experts"))
    for one, other in rows:
        assert abs(boxes[one]["top"] - boxes[other]["top"]) <= 3  # heights of lines differ
    between = (boxes["experts"]["middle"] + boxes["shared_up"]["middle"]) / 2
    assert abs(boxes["expert_sum"]["middle"] - between) <= 1


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_lines_end_at_the_middle_of_a_sum(drawn: dict[str, dict[str, Any]]) -> None:
    for name, diagram in drawn.items():
        assert max(map(abs, diagram["besides"]), default=0) <= 1, name
    assert len(drawn["deepseek-v3"]["besides"]) == 4


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_boxes_in_line_have_one_width(drawn: dict[str, dict[str, Any]]) -> None:
    for name, ids in {
        "llama-7b": {"embedding", "qkv", "scores", "ffn_up", "ffn_down", "lm_head"},
        "deepseek-v3": {"embedding", "scores", "attention_output", "lm_head"},
    }.items():
        widths = [box["width"] for box in drawn[name]["boxes"] if box["id"] in ids]
        assert len(widths) == len(ids)
        assert max(widths) - min(widths) <= 1


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_boxes_have_two_lines(drawn: dict[str, dict[str, Any]]) -> None:
    for name in (*HEIGHTS, "bamba-9b", "youtu-llm-2b", "deepseek-v3.2"):
        assert [box["lines"] for box in drawn[name]["boxes"] if len(box["lines"]) > 2] == []


def test_a_phone_shows_the_drawn_diagrams(chains: Visit) -> None:
    found = chains.at(Look("light", 390)).measured(with_contrasts=False)
    assert found["diagrams"] == []
    overflows = {each["title"]: each["overflow"] for each in found["drawn"]}
    assert overflows == {f"Pipeline of {load(name).name}": 0 for name in ON_A_PHONE}
    assert min(text["size"] for text in found["letters"]) >= 12
