"""The filters of the reference: models, families and keys. They work without a server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sphinx_llmsize.architecture.families import all_keys
from sphinx_llmsize.sources.preset_files import presets

from .conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
CONF = f"""\
import sys
sys.path.insert(0, {str(ROOT / "docs" / "_ext")!r})
extensions = ["folded", "llmsize_models", "llmsize_families", "llmsize_keys"]
html_static_path = [{str(ROOT / "docs" / "_static")!r}]
html_js_files = ["filter.js"]
"""
PAGES = {
    "index.rst": "Models\n======\n\n.. llmsize-presets::\n\n.. toctree::\n\n   families\n   keys\n",
    "families.rst": "Families\n========\n\n.. llmsize-families::\n",
    "keys.rst": "Keys\n====\n\n.. llmsize-keys::\n",
}
PARTS = ".reference-filtered > details"
SHOWN = f"{PARTS}:visible tbody tr:visible:not(.reference-heading)"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the built pages."""
    source, output = tmp_path_factory.mktemp("reference"), tmp_path_factory.mktemp("pages")
    for name, text in {"conf.py": CONF, **PAGES}.items():
        (source / name).write_text(text, "utf-8")
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", str(source), str(output)], check=True
    )
    return output


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of the browser."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def test_the_filter_shows_matching_models_of_all_makers(pages: Path, page: Page) -> None:
    page.goto((pages / "index.html").as_uri())
    assert page.locator(f"{PARTS}[open]").count() == 1
    assert "Meta" in page.locator(f"{PARTS}[open] > summary").inner_text()
    page.get_by_role("searchbox").fill("Meta-Llama 405b")
    assert page.locator(SHOWN).all_inner_texts()[0].startswith("llama-3.1-405b")
    assert page.get_by_role("status").inner_text() == f"1 of {len(presets())}"
    page.get_by_role("searchbox").fill("deepseek")
    assert page.locator(f"{PARTS}:visible > summary > strong").all_inner_texts()[0] == "DeepSeek"
    page.get_by_role("searchbox").fill("")
    assert page.locator(f"{PARTS}:visible").count() > 30
    assert page.locator(f"{PARTS}[open]").count() == 1


def test_a_link_unfolds_the_part_with_its_target(pages: Path, page: Page) -> None:
    page.goto((pages / "families.html").as_uri())
    assert page.locator(f"{PARTS}[open]").count() == 0
    page.goto(f"{(pages / 'families.html').as_uri()}#family-mixtral")
    assert page.locator(f"{PARTS}[open] > summary > strong").inner_text() == "Mixtures of experts"
    assert page.locator("#family-mixtral").is_visible()


def test_keys_are_found_by_their_other_names(pages: Path, page: Page) -> None:
    page.goto((pages / "keys.html").as_uri())
    assert page.locator(f"{PARTS} tbody tr").count() == len(all_keys())
    page.get_by_role("searchbox").fill("n_embd")
    assert page.locator(f"{SHOWN} > th").all_inner_texts()[0].startswith("hidden_dim")


def test_without_scripts_everything_is_there(pages: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((pages / "index.html").as_uri())
    rows = page.locator(f"{PARTS} tbody tr:not(.reference-heading)")
    assert rows.count() == len(presets())
    context.close()
