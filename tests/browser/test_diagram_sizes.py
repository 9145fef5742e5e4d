"""Diagrams of one released model per family: their heights, and legible texts.

Usually only those of :data:`HEIGHTS` are drawn; ``nox -s presets`` draws all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from families import EVERY_PRESET, ONE_OF_EACH_FAMILY

from . import sample
from .visit import Look, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
HEIGHTS = {"llama-7b": 920, "deepseek-v3": 1100, "jamba-v0.1": 1100}
"""Largest heights in pixels."""
CHAINS = {
    **{name: frozenset[str]() for name in ("llama-7b", "mamba-130m", "qwen2-7b")},
    "gpt2": frozenset(("tokens", "embedding", "position")),
    "bert-base-uncased": frozenset(("position", "token_type")),
}
"""Models whose diagram is one chain of boxes, except for these: embeddings that are added."""
ON_A_PHONE = (*CHAINS, "jamba-v0.1", "deepseek-v3")
"""Models whose diagram fits the column of a phone."""
MAX_HEIGHT = 1400
"""Largest height of any other model."""


PER_PAGE = 16
"""Number of diagrams on a page, which Mermaid draws in a few seconds."""
PAGES = -(-len(ONE_OF_EACH_FAMILY) // PER_PAGE) if EVERY_PRESET else 1
"""Number of pages: for one preset of each family, or for the models of :data:`HEIGHTS`."""


def names_on(page: int) -> list[str]:
    """The models of :data:`HEIGHTS`, and then one of each other family."""
    others = [name for name in ONE_OF_EACH_FAMILY if name not in HEIGHTS] if EVERY_PRESET else []
    return [*HEIGHTS, *others][page * PER_PAGE : (page + 1) * PER_PAGE]


@pytest.fixture(scope="module", params=range(PAGES))
def drawn(
    browser: Browser,
    packages: Path,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> Iterator[dict[str, dict[str, Any]]]:
    """Each diagram of a page as the browser draws it, by the name of the model."""
    names = names_on(request.param)
    pages = built(names, tmp_path_factory.mktemp("sizes"), packages)
    with served(pages) as address, visit(browser, address, Look("light", 1200)) as seen:
        found = seen.measured(with_contrasts=False)["diagrams"]
        yield dict(zip(names, found, strict=True))


def built(names: Iterable[str], folder: Path, packages: Path) -> Path:
    """The folder of a page with the diagrams of some models."""
    uses = "".join(f".. llm-size:: {name}\n   :show: diagram\n\n" for name in names)
    page = f"Diagrams\n========\n\n:math:`x`\n\n{uses}"  # visits wait for MathJax
    return sample.build(folder, "alabaster", packages, page)


@pytest.fixture(scope="module")
def on_a_phone(
    browser: Browser, packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, dict[str, Any]]]:
    """Diagrams in the column of a phone, by the name of the model."""
    pages = built(ON_A_PHONE, tmp_path_factory.mktemp("phone"), packages)
    with served(pages) as address, visit(browser, address, Look("light", 390)) as seen:
        found = seen.measured(with_contrasts=False)["diagrams"]
        yield dict(zip(ON_A_PHONE, found, strict=True))


def test_heights_fit_a_page(drawn: dict[str, dict[str, Any]]) -> None:
    heights = {name: diagram["height"] for name, diagram in drawn.items()}
    limits = {name: HEIGHTS.get(name, MAX_HEIGHT) for name in heights}
    assert {name: h for name, h in heights.items() if not 100 < h <= limits[name]} == {}


def test_texts_are_legible_and_fit_their_boxes(drawn: dict[str, dict[str, Any]]) -> None:
    boxes = [(name, box) for name, diagram in drawn.items() for box in diagram["boxes"]]
    assert [(name, box) for name, box in boxes if box["size"] < 12] == []
    steps = [(name, box) for name, box in boxes if box["kind"] != "addition"]
    assert [(name, box) for name, box in steps if not box["fits"]] == []


@pytest.mark.parametrize("drawn", [0], indirect=True)
def test_no_line_crosses_a_text(drawn: dict[str, dict[str, Any]]) -> None:
    # in some families, a residual line that begins where the layers differ crosses their labels
    assert {name: drawn[name]["crossed"] for name in HEIGHTS} == {name: [] for name in HEIGHTS}


def test_no_button_covers_a_diagram(drawn: dict[str, dict[str, Any]]) -> None:
    assert [name for name, diagram in drawn.items() if diagram["covered"]] == []


def test_a_chain_of_boxes_is_straight(on_a_phone: dict[str, dict[str, Any]]) -> None:
    for name, others in CHAINS.items():
        boxes = on_a_phone[name]["boxes"]
        middles = [box["middle"] for box in boxes if box["id"] not in others]
        assert max(middles) - min(middles) <= 2, name


@pytest.mark.parametrize("drawn", [0], indirect=True)  # the page with Jamba
def test_the_way_between_alternatives_is_straight(drawn: dict[str, dict[str, Any]]) -> None:
    ends = {"tokens", "mixer_norm", "add", "ffn_norm", "add_2", "logits"}
    middles = [box["middle"] for box in drawn["jamba-v0.1"]["boxes"] if box["id"] in ends]
    assert len(middles) == len(ends)
    assert max(middles) - min(middles) <= 2


def test_diagrams_fit_a_phone(on_a_phone: dict[str, dict[str, Any]]) -> None:
    overflows = {name: diagram["overflow"] for name, diagram in on_a_phone.items()}
    assert overflows == dict.fromkeys(ON_A_PHONE, 0)
    boxes = [(name, box) for name, diagram in on_a_phone.items() for box in diagram["boxes"]]
    assert [(name, box) for name, box in boxes if box["size"] < 12] == []
    steps = [(name, box) for name, box in boxes if box["kind"] != "addition"]
    assert [(name, box) for name, box in steps if not box["fits"]] == []
