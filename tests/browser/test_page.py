"""A page in a browser: drawn, legible, accessible, and without requests to other servers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import pytest

from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.diagram_boxes import Growth
from sphinx_llmsize.inline import FormulaText, Inline, Line
from sphinx_llmsize.typography import with_breaks

from . import sample
from .visit import Visit

pytestmark = pytest.mark.browser
NARROW = 600
"""Width in pixels up to which a column is narrow."""


def by_mermaid(seen: Visit) -> list[Diagram]:
    """The diagrams that Mermaid draws: none in a narrow column."""
    return sample.diagrams() if seen.look.width > NARROW else []


def test_every_diagram_is_drawn(seen: Visit) -> None:
    assert len(seen.found["diagrams"]) == len(by_mermaid(seen))
    assert len(seen.found["diagrams"] + seen.found["drawn"]) == len(sample.diagrams())
    assert all(drawn["width"] > 50 for drawn in seen.found["diagrams"] + seen.found["drawn"])


def test_boxes_have_the_lines_of_the_view(seen: Visit) -> None:
    for drawn, diagram in zip(seen.found["diagrams"], by_mermaid(seen), strict=True):
        assert drawn["title"] == diagram.title
        shown = {box["id"]: " ".join(box["lines"]) for box in drawn["boxes"]}
        assert shown == {box.id: text(((box.title,), *box.lines)) for box in diagram.boxes}
        labels = [text((arrow.label,)) for arrow in diagram.arrows if arrow.label]
        assert sorted(drawn["arrows"]) == sorted(labels)
        assert drawn["clusters"] == [cluster.title for cluster in diagram.clusters]
        assert drawn["crossed"] == []


def text(lines: Iterable[Line]) -> str:
    """Lines as text with the places where they may break; indices are letters below the line."""
    return " ".join("".join(map(shown, with_breaks(line))) for line in lines)


def shown(piece: Inline) -> str:
    """A piece of a line on a page."""
    return str(piece.typeset if isinstance(piece, FormulaText) else piece).replace("_", "")


def test_text_fits_in_its_box(seen: Visit) -> None:
    boxes = [box for drawn in seen.found["diagrams"] for box in drawn["boxes"]]
    # the line of a plus sign is higher than its circle
    steps = [box for box in boxes if box["kind"] != "addition"]
    assert [box for box in steps if not box["fits"]] == []


def test_growth_is_visible_in_shape_and_colour(seen: Visit) -> None:
    for drawn, diagram in zip(seen.found["diagrams"], by_mermaid(seen), strict=True):
        growths = {box.id: box.growth.value for box in diagram.boxes}
        assert {box["id"]: box["growth"] for box in drawn["boxes"]} == growths
        steps = [box for box in drawn["boxes"] if box["kind"] in {"step", "norm"}]
        square = [box for box in steps if box["growth"] == "square"]
        assert [box["id"] for box in steps if box["isDouble"]] == [box["id"] for box in square]
        fills = [{b["fill"] for b in steps if b["growth"] == g.value} for g in Growth]
        assert all(one.isdisjoint(other) for one, other in combinations(fills, 2))


def test_text_in_diagrams_has_contrast(seen: Visit) -> None:
    for drawn in seen.found["diagrams"]:
        steps = [box for box in drawn["boxes"] if box["kind"] != "addition"]  # it has a drawn sign
        assert min(box["contrast"] for box in steps) >= 4.5
        assert min(drawn["otherContrasts"], default=21) >= 4.5


def test_diagrams_have_the_font_of_the_page(seen: Visit) -> None:
    font_of = "text => getComputedStyle(text).fontFamily"
    font = seen.page.eval_on_selector(".llmsize figcaption p", font_of)
    assert {box["font"] for drawn in seen.found["diagrams"] for box in drawn["boxes"]} <= {font}


def test_symbols_have_the_typeface_of_formulas_everywhere(seen: Visit) -> None:
    """In tables, captions and diagrams; upright words of subscripts too."""
    in_pictures = ".mermaid :is(i, sub), .llmsize svg tspan[font-style=italic]"
    symbols = f".llmsize-symbol, .llmsize-symbol *, {in_pictures}"
    fonts_of = "all => all.map((symbol) => getComputedStyle(symbol).fontFamily)"
    fonts = set(seen.page.eval_on_selector_all(symbols, fonts_of))
    # MathJax's fonts come first in text, where it has loaded them
    assert len({font.removeprefix("MJXTEX-I, ").removeprefix("MJXTEX, ") for font in fonts}) == 1
    assert all(font.endswith(" serif") for font in fonts)


def test_buttons_are_not_printed(seen: Visit) -> None:
    seen.page.emulate_media(media="print")
    shown = seen.page.locator(".llmsize .mermaid-fullscreen-btn:visible").count()
    seen.page.emulate_media(media="screen")
    assert shown == 0


def test_diagrams_are_printed_as_they_are_shown(seen: Visit) -> None:
    shown = ".llmsize-diagram svg:visible"
    on_the_screen = seen.page.locator(shown).count()
    seen.page.emulate_media(media="print")
    printed = seen.page.locator(shown).count()
    sources = seen.page.locator("pre.mermaid:not([data-processed]):visible").count()
    seen.page.emulate_media(media="screen")
    assert (printed, sources) == (on_the_screen, 0)


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
    assert any(sample.HOSTILE in name for name in seen.found["names"])
    assert seen.found["injected"] == []


def test_axe_finds_no_violation(seen: Visit, axe: Path) -> None:
    assert seen.violations(axe) == {}


def test_no_errors_in_the_console(seen: Visit) -> None:
    # last, so that the errors of all other tests are included
    assert seen.problems == []
