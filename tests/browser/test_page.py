"""A page in a browser: drawn, legible, accessible, and without requests to other servers."""

from __future__ import annotations

from pathlib import Path

import pytest

from sphinx_llmsize.diagram import BoxKind, Cluster

from . import sample
from .visit import Visit

pytestmark = pytest.mark.browser


def test_every_diagram_is_drawn(seen: Visit) -> None:
    assert len(seen.found["diagrams"]) == len(sample.diagrams())
    assert all(drawn["width"] > 50 for drawn in seen.found["diagrams"])


def test_boxes_have_the_lines_of_the_view(seen: Visit) -> None:
    for drawn, diagram in zip(seen.found["diagrams"], sample.diagrams(), strict=True):
        assert drawn["title"] == diagram.title
        shown = {box["id"]: box["lines"] for box in drawn["boxes"]}
        assert shown == {box.id: [box.title, *box.lines] for box in diagram.boxes}
        assert drawn["arrows"] == [box.output for box in diagram.boxes if box.output]
        clusters = [item.title for item in diagram.items if isinstance(item, Cluster)]
        assert drawn["clusters"] == clusters


def test_text_fits_in_its_box(seen: Visit) -> None:
    assert [
        box for drawn in seen.found["diagrams"] for box in drawn["boxes"] if not box["fits"]
    ] == []


def test_highlighted_boxes_are_those_of_the_view(seen: Visit) -> None:
    for drawn, diagram in zip(seen.found["diagrams"], sample.diagrams(), strict=True):
        highlighted = {box["id"] for box in drawn["boxes"] if box["highlighted"]}
        assert highlighted == {box.id for box in diagram.boxes if box.kind is BoxKind.HIGHLIGHTED}


def test_highlighting_is_visible_in_shape_and_colour(seen: Visit) -> None:
    for drawn in seen.found["diagrams"]:
        highlighted = [box for box in drawn["boxes"] if box["highlighted"]]
        plain = [box for box in drawn["boxes"] if not box["highlighted"]]
        assert {box["crossings"] for box in highlighted} == {4}  # a double frame
        assert {box["crossings"] for box in plain} == {2}
        assert {box["fill"] for box in highlighted}.isdisjoint(box["fill"] for box in plain)


def test_text_in_diagrams_has_contrast(seen: Visit) -> None:
    for drawn in seen.found["diagrams"]:
        assert min(box["contrast"] for box in drawn["boxes"]) >= 4.5
        assert min(drawn["otherContrasts"]) >= 4.5


def test_formulas_are_typeset(seen: Visit) -> None:
    assert seen.found["formulas"]
    for formula in seen.found["formulas"]:
        assert formula["typeset"]
        assert not formula["failed"]


def test_nothing_is_wider_than_the_page(seen: Visit) -> None:
    assert seen.found["contentWidth"] <= seen.found["pageWidth"]
    for formula in seen.found["formulas"]:
        assert formula["contentWidth"] <= formula["width"] + 1


def test_hostile_name_is_only_text(seen: Visit) -> None:
    assert seen.found["captions"] == list(sample.captions())
    assert sample.HOSTILE in seen.found["captions"][-1]
    assert seen.found["injected"] == []


def test_axe_finds_no_violation(seen: Visit, axe: Path) -> None:
    assert seen.violations(axe) == {}


def test_no_errors_in_the_console(seen: Visit) -> None:
    # last, so that the errors of all other tests are included
    assert seen.problems == []
