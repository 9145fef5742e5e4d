"""Sites of Material for MkDocs and of Zensical in a browser: light, dark and narrow."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starts import DOCS, files_of, write

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = Path(os.environ.get("LLMSIZE_NODE_MODULES", "node_modules"), "axe-core", "axe.min.js")
CHROMIUM = Path(os.environ.get("LLMSIZE_CHROMIUM") or "/usr/bin/chromium")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking")
PAGE = (
    (DOCS / "snippets" / "python-markdown.md").read_text("utf-8")
    + "\n```llm-size deepseek-v3\n:show: table, formula, diagram, memory\n```\n"
    + "\n```llm-compare gpt2, llama-7b, mixtral-8x7b\n```\n"
    + "\n```llm-diff llama-2-7b, llama-3-8b\n```\n"
)
MKDOCS_THEME = """  name: material
  font: false
  palette:
    - {media: "(prefers-color-scheme: light)", scheme: default}
    - {media: "(prefers-color-scheme: dark)", scheme: slate}
"""
ZENSICAL_THEME = """[project.theme]
font = false
[[project.theme.palette]]
media = "(prefers-color-scheme: light)"
scheme = "default"
[[project.theme.palette]]
media = "(prefers-color-scheme: dark)"
scheme = "slate"
"""
SITES = {
    "mkdocs": ("mkdocs.yml", "  name: material\n", MKDOCS_THEME),
    "zensical": ("zensical.toml", "", ZENSICAL_THEME),
}
"""Files of the sites; light and dark, and without a font that is requested from elsewhere."""
TOO_WIDE = """() => [...document.querySelectorAll(".llmsize")].flatMap((each) =>
  [each, ...each.querySelectorAll("table, figure, math")]).filter((each) =>
  each.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map((each) => each.outerHTML.slice(0, 80))"""
VIOLATIONS = """() => axe.run({include: [[".llmsize"]]}, {resultTypes: ["violations"]}).then(
  (found) => found.violations.map(({id, nodes}) => [id, nodes.map((node) => node.html)]))"""


@pytest.fixture(scope="module", params=SITES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built page of a site."""
    folder = tmp_path_factory.mktemp(request.param)
    name, before, after = SITES[request.param]
    config = files_of(f"hosts/{request.param}.md")[name]
    config = config.replace(before, after) if before else config + after
    write(folder, {name: config, "docs/index.md": PAGE})
    program = Path(sys.executable).with_name(request.param)
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([program, "build"], cwd=folder, env=environment, check=True)
    return folder / "site" / "index.html"


@pytest.fixture(scope="module", params=[("light", 1200), ("dark", 1200), ("light", 390)], ids=str)
def page(site: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page, opened in Chromium with a color scheme and a width."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if not (CHROMIUM.exists() and AXE.exists()):
        pytest.skip("Chromium or axe-core is missing")
    scheme, width = request.param
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page.goto(site.as_uri())
        page.wait_for_timeout(300)  # colors change gradually
        palette = {"light": "default", "dark": "slate"}[scheme]
        assert page.evaluate("document.body.dataset.mdColorScheme") == palette
        yield page
        browser.close()


def test_nothing_is_wider_than_the_page(page: Page) -> None:
    assert page.evaluate("document.querySelectorAll('.llmsize').length") >= 6
    assert not page.evaluate(TOO_WIDE)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.evaluate("document.documentElement.clientWidth")


def test_everybody_can_read_it(page: Page) -> None:
    page.add_script_tag(path=AXE)
    assert page.evaluate(VIOLATIONS) == []
