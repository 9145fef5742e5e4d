"""Every view and comparison in a browser, pipelines drawn by the build: legible and accessible."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import every_view, sample
from .conftest import LOOKS, need_theme
from .visit import Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
ON_PAPER = """() => {
  const styles = (selector, pseudo) =>
    [...document.querySelectorAll(`.llmsize ${selector}`)].map((e) => getComputedStyle(e, pseudo));
  return {
    overflow: styles(".llmsize-scroll").map((style) => style.overflowX),
    bars: styles(".llmsize-share", "::after").map((style) => style.printColorAdjust),
    dark: styles(".llmsize-chart").map((style) => style.getPropertyValue("--llmsize-ink")),
  };
}"""


@pytest.fixture(scope="module", params=every_view.THEMES)
def opened(
    browser: Browser,
    packages: Path,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Visit]:
    """A visit to the page with all views."""
    theme = need_theme(request.param)
    folder, page = tmp_path_factory.mktemp(theme), every_view.every_view()
    pages = sample.build(folder, theme, packages, page, llmsize_diagram="svg")
    with served(pages) as address, visit(browser, address, LOOKS[0]) as opened:
        yield opened


@pytest.fixture(scope="module", params=LOOKS, ids=str)
def seen(opened: Visit, request: pytest.FixtureRequest) -> Visit:
    """The page in one of its looks."""
    return opened.at(request.param)


def test_letters_in_pictures_are_legible(seen: Visit) -> None:
    assert len(seen.found["letters"]) > 100
    too_small = [drawn for drawn in seen.found["letters"] if drawn["size"] < 11]
    too_faint = [drawn for drawn in seen.found["letters"] if drawn["contrast"] < 4.5]
    assert (too_small, too_faint) == ([], [])


def test_only_symbols_in_captions_are_italic(seen: Visit) -> None:
    """A theme, such as Read the Docs, may have a rule that makes all captions of figures italic."""
    rule = ":root figure .caption-text { font-style: italic }"
    style = seen.page.add_style_tag(content=rule)
    styles = seen.page.evaluate(
        """() => [...document.querySelectorAll(".llmsize figcaption span")]
          .filter((each) => !each.closest(".llmsize-symbol"))
          .map((each) => getComputedStyle(each).fontStyle)"""
    )
    style.evaluate("each => each.remove()")
    assert set(styles) == {"normal"}


def test_captions_of_charts_are_above_them_as_those_of_tables(seen: Visit) -> None:
    gaps = seen.page.evaluate(
        """() => [...document.querySelectorAll(".llmsize figure.llmsize-chart:has(figcaption)")]
          .map((chart) => {
            const [caption, picture] = ["figcaption", ".llmsize-scroll"]
              .map((each) => chart.querySelector(each).getBoundingClientRect());
            return picture.top - caption.bottom;
          })"""
    )
    assert len(gaps) > 1
    assert all(-1 <= gap < 12 for gap in gaps), gaps


def test_nothing_is_wider_than_the_page(seen: Visit) -> None:
    assert seen.found["contentWidth"] <= seen.found["pageWidth"]


def test_formulas_are_not_cut_off(seen: Visit) -> None:
    assert seen.found["formulas"]
    assert [each["cut"] for each in seen.found["formulas"] if each["cut"]] == []


def test_only_regions_scroll(seen: Visit) -> None:
    assert seen.found["nested"] == []


def test_axe_finds_no_violation(seen: Visit, axe: Path) -> None:
    assert seen.violations(axe) == {}


def test_on_paper_nothing_scrolls_and_bars_are_printed(seen: Visit) -> None:
    seen.page.emulate_media(media="print")
    printed = seen.page.evaluate(ON_PAPER)
    seen.page.emulate_media(media="screen")
    assert set(printed["overflow"]) == {"visible"}
    assert set(printed["bars"]) == {"exact"}
    assert set(printed["dark"]) == {""}


def test_no_errors_in_the_console(seen: Visit) -> None:
    # last, so that the errors of all other tests are included
    assert seen.problems == []
