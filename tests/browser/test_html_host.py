"""Pages of the HTML host, and of Sphinx with MathML, in a browser that has no network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sphinx_llmsize import load
from sphinx_llmsize.hosts.html import show
from sphinx_llmsize.report import Report
from sphinx_llmsize.views import VIEWS, document
from sphinx_llmsize.views.view_options import ViewOptions

from . import every_view, sample
from .conftest import LOOKS
from .visit import Look, Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser
MODEL = "llama-7b"
WIDE = 1000
"""Width of a page in pixels from which sums have columns."""
WIDEST = "openelm-3b"
"""The model with the widest formulas."""
THEME = """body svg, body img { height: auto; max-width: 100%; }
body table th[role=columnheader]::after { content: ""; display: inline-block; width: 1.2em; }
html body div div table { border: none; display: block; overflow: auto; width: 100%; }
html body div div table:not(.field-list) tr:nth-child(2n - 1) td { background: #f3f6f6; }
"""
"""Rules of Material for MkDocs and Zensical, and of MkDocs's theme readthedocs."""
NUMBERS = """() => [...document.querySelectorAll(".llmsize-sum")].flatMap((table, index) =>
  [...table.querySelectorAll("th:last-child, .llmsize-result:not(:empty)")].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    const right = range.getBoundingClientRect().right - table.getBoundingClientRect().right;
    const isOfOneLayer = cell.parentElement.matches(".llmsize-inner, .llmsize-subtotal");
    return [isOfOneLayer ? `one layer in sum ${index}` : "all layers", Math.round(right)];
  }))"""
"""Distances of numbers and their headings from the right edges of sums.

Each is a pair with the name of a column: the numbers of one layer have a column in each sum.
"""
EDGES = """() => [...document.querySelectorAll(".llmsize-sum")]
  .filter((table) => table.querySelector("th").getBoundingClientRect().height > 1)
  .map((table) => {
    const heading = table.querySelector("th:nth-child(2)").getBoundingClientRect();
    return Math.round(heading.right - table.getBoundingClientRect().left);
  })"""
"""Right edges of the symbols in sums with columns; a phone shows none."""
LINES = """() => [...document.querySelectorAll(".llmsize-sum tbody tr")].map((row) => {
  const [symbols, numbers] = ["symbols", "numbers"].map((name) =>
    [...row.querySelectorAll(`.llmsize-${name} :is(math, span:not(:has(math)))`)].map((each) => {
      const box = each.getBoundingClientRect();
      return (box.top + box.bottom) / 2;
    }));
  return [row.cells[0].textContent, symbols, numbers];
})"""
"""Name of each row of sums, and the heights at which the pieces of its symbols and numbers are."""
UNLIKE_OURS = """() => [...document.querySelectorAll(".llmsize :is(table, td)")].filter((each) => {
  const {backgroundColor, display} = getComputedStyle(each);
  return display === "block" || backgroundColor !== "rgba(0, 0, 0, 0)";
}).length"""
"""Number of tables and cells that have the theme's style in place of ours."""
REQUESTS = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"
MATH = """() => [...document.querySelectorAll("math")].map((math) => {
  const box = math.getBoundingClientRect();
  const room = math.closest(".llmsize-display > p > span, td, th").getBoundingClientRect();
  return {height: box.height, excess: box.right - room.right};
})"""


SEEN = (*((MODEL, look) for look in LOOKS), (WIDEST, Look("dark", 320)))


@pytest.fixture(scope="module", params=SEEN, ids=lambda seen: f"{seen[0]}-{seen[1]}")
def seen(
    browser: Browser, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Visit]:
    """A visit to a model's page with every view."""
    name, look = request.param
    folder, model = tmp_path_factory.mktemp("page"), load(name)
    shown = show(Report(model.name, (model,), lambda: document(model, tuple(VIEWS), ViewOptions())))
    (folder / "index.html").write_text(shown, "utf-8")
    with served(folder) as address, visit(browser, address, look) as seen:
        yield seen


def test_nothing_is_wider_than_the_page(seen: Visit) -> None:
    assert seen.found["contentWidth"] <= seen.found["pageWidth"]


def test_sums_below_each_other_have_the_same_columns(seen: Visit) -> None:
    edges = seen.page.evaluate(EDGES)
    if seen.look.width >= WIDE:
        assert len(edges) > 1
        assert len(set(edges)) == 1


def test_formulas_are_drawn_and_fit(seen: Visit) -> None:
    math = seen.page.evaluate(MATH)
    assert len(math) > 20
    assert [each for each in math if each["height"] < 5 or each["excess"] > 1] == []


def test_letters_in_pictures_are_legible(seen: Visit) -> None:
    too_small = [drawn for drawn in seen.found["letters"] if drawn["size"] < 11]
    too_faint = [drawn for drawn in seen.found["letters"] if drawn["contrast"] < 4.5]
    assert (too_small, too_faint) == ([], [])


def test_within_a_theme(seen: Visit) -> None:
    style = seen.page.add_style_tag(content=THEME)
    margins, unlike_ours = seen.page.evaluate(NUMBERS), seen.page.evaluate(UNLIKE_OURS)
    letters = seen.measured(with_contrasts=False)["letters"]
    style.evaluate("style => style.remove()")
    if seen.look.width > 1000:  # narrow rows are stacked
        columns: dict[str, set[int]] = {}
        for column, margin in margins:
            columns.setdefault(column, set()).add(margin)
        assert [len(found) for found in columns.values()] == [1] * len(columns)
        assert unlike_ours == 0
    assert [drawn for drawn in letters if drawn["size"] < 11] == []


def test_accessibility(seen: Visit, axe: Path) -> None:
    assert seen.violations(axe, within="html") == {}


def test_nothing_is_requested(seen: Visit) -> None:
    assert seen.page.evaluate(REQUESTS) == []
    assert seen.problems == []


@pytest.mark.parametrize(
    ("name", "row", "lines"),
    [("deepseek-v3", "Norms", 1), ("gemma-3n-e4b", "Norms", 2), ("zamba2-7b", "Causal", 2)],
)
def test_numbers_are_beside_the_last_line_of_symbols(
    browser: Browser, tmp_path: Path, name: str, row: str, lines: int
) -> None:
    model = load(name)
    report = Report(model.name, (model,), lambda: document(model, ("formula",), ViewOptions()))
    (tmp_path / "index.html").write_text(show(report), "utf-8")
    with served(tmp_path) as address, visit(browser, address, Look("light", 1280)) as seen:
        (found,) = (each for each in seen.page.evaluate(LINES) if each[0].startswith(row))
    _name, symbols, numbers = found
    assert symbols[-1] - symbols[0] == pytest.approx(20 * (lines - 1), abs=5)
    assert numbers[0] == pytest.approx(symbols[-1], abs=4)


def test_a_notebook_without_styles_shows_text(browser: Browser) -> None:
    """JupyterLab removes them, with SVG and MathML, if a notebook is not trusted."""
    bundle = load("gpt2")._repr_mimebundle_()
    page = browser.new_page()
    page.set_content(bundle["text/html"])
    plain, styled = page.locator(".llmsize-plain pre"), page.locator(".llmsize")
    assert (plain.is_visible(), styled.is_visible()) == (False, True)
    page.evaluate("() => document.querySelectorAll('style, svg, math').forEach((e) => e.remove())")
    assert (plain.is_visible(), styled.is_visible()) == (True, False)
    assert plain.text_content() == bundle["text/plain"]
    page.close()


def test_a_sphinx_page_requests_nothing_of_ours(
    browser: Browser, packages: Path, tmp_path: Path
) -> None:
    settings = {"llmsize_diagram": "svg", "llmsize_math": "mathml"}
    page = every_view.every_view()
    pages = sample.build(tmp_path, "alabaster", packages, page, **settings)
    with served(pages) as address, visit(browser, address, LOOKS[0]) as seen:
        names = {url.partition("?")[0].rpartition("/")[2] for url in seen.page.evaluate(REQUESTS)}
        ours = re.compile("llmsize|mathjax|mermaid|tex")
        assert "alabaster.css" in names
        assert list(filter(ours.search, names)) == []
        assert len(seen.page.evaluate(MATH)) > 20
        assert seen.problems == []
