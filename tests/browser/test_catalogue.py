"""The script of catalogues: a table that sorts and filters, by keyboard too, without a server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from project import write_conf
from sphinx.testing.util import SphinxTestApp

from .visit import Look, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
INDEX = """\
Models
======

.. llm-catalogue:: gpt2, opt-*, llama-2-7b, deepseek-v3, bert-base-uncased

.. llm-catalogue:: llama-2-7b, llama-3-8b
   :show: lineage

.. llm-catalogue:: llama-2-7b, deepseek-v3, jamba-v0.1, bart-base
   :show: pipelines
"""
ROWS = "tbody tr:visible"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Address of the folder with the built page."""
    source = tmp_path_factory.mktemp("catalogue")
    (source / "index.rst").write_text(INDEX)
    write_conf(source, extensions=["sphinx_llmsize"], html_theme="furo", llmsize_diagram="svg")
    app = SphinxTestApp("html", srcdir=source)
    app.build()
    app.cleanup()
    return f"{Path(app.outdir).as_uri()}/"


def names(page: Page) -> list[str]:
    return page.locator(f"{ROWS} > th").all_inner_texts()


def test_sorting_by_keyboard(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{address}index.html")
    assert names(page)[:4] == ["BERT base uncased", "DeepSeek-V3", "GPT-2 small", "Llama 2 7B"]
    page.get_by_role("button", name="Parameters").focus()
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Parameters")
    assert names(page)[:2] == ["DeepSeek-V3", "OPT 175B"]
    page.keyboard.press("Enter")
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    assert names(page)[:2] == ["BERT base uncased", "GPT-2 small"]
    page.get_by_role("button", name="Model").click()
    assert names(page)[:4] == ["BERT base uncased", "DeepSeek-V3", "GPT-2 small", "Llama 2 7B"]
    page.close()


def test_filtering_is_in_the_address(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{address}index.html")
    total = len(names(page))
    page.get_by_role("searchbox", name="Filter").fill("meta 13b")
    assert names(page) == ["OPT 13B"]
    assert page.get_by_role("status").inner_text() == f"1 of {total}"
    assert page.url.endswith("?models=meta+13b")
    page.reload()
    assert names(page) == ["OPT 13B"]
    page.get_by_role("searchbox", name="Filter").fill("")
    assert len(names(page)) == total
    assert "?" not in page.url
    page.close()


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("llama-2-7b", ["Llama 2 7B"]),
        ("facebook/opt-13b", ["OPT 13B"]),
        ("deepseek_v3", ["DeepSeek-V3"]),
        ("7b", ["Llama 2 7B"]),
        ("mla", ["DeepSeek-V3"]),
        ("moe", ["DeepSeek-V3"]),
        ("llama 2", ["Llama 2 7B"]),
        ("opt 3", []),  # not OPT 30B, 350M or 1.3B
        ("mha llama", ["Llama 2 7B"]),
        ("gqa", []),
        ("8.8gb", []),
    ],
)
def test_words_are_found_in_names(
    address: str, browser: Browser, words: str, found: list[str]
) -> None:
    page = browser.new_page()
    page.goto(f"{address}index.html?models={words}")
    assert names(page) == found
    page.close()


def test_models_without_a_number_are_last(address: str, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{address}index.html")
    page.get_by_role("button", name="KV cache").click()
    ends = [names(page)[-1]]
    page.get_by_role("button", name="KV cache").click()
    assert [*ends, names(page)[-1]] == ["BERT base uncased"] * 2
    page.close()


def test_everything_is_there_without_scripts(address: str, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}index.html")
    assert len(names(page)) > 10
    assert page.get_by_role("button", name="Parameters").count() == 0
    context.close()


@pytest.mark.parametrize("look", [Look("light", 1280), Look("dark", 390)], ids=str)
def test_axe_finds_no_violation(address: str, browser: Browser, axe: Path, look: Look) -> None:
    with visit(browser, address, look) as seen:
        assert seen.violations(axe, within="article") == {}
        width = seen.page.evaluate("document.documentElement.scrollWidth")
        assert width <= look.width


@pytest.mark.parametrize("look", [Look("light", 1280), Look("light", 390)], ids=str)
def test_text_of_pipelines_has_nearly_one_size(address: str, browser: Browser, look: Look) -> None:
    with visit(browser, address, look) as seen:
        cards = seen.page.locator(".llmsize-card")
        for card in cards.all():
            card.scroll_into_view_if_needed()
        drawn = [each for each in seen.found["letters"] if each["text"].strip()]
        assert cards.count() == 4
        assert drawn
        assert [each for each in drawn if not 12.5 <= each["size"] <= 13] == []
