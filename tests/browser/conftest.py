"""Chromium, the pages to open, and the opened pages.

Environment:
    LLMSIZE_CHROMIUM: the browser, if it is not /usr/bin/chromium.
    LLMSIZE_NODE_MODULES: the npm packages, if they are not in the repository's node_modules.
    LLMSIZE_EVERY_THEME: 1 for every theme in every look; ``nox -s themes`` sets it.
    LLMSIZE_REQUIRE_BROWSER: 1 to fail instead of skipping tests if something is missing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from . import sample
from .visit import CHROMIUM_FLAGS, Look, Visit, served, visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
CHROMIUM = Path(os.environ.get("LLMSIZE_CHROMIUM") or "/usr/bin/chromium")
PACKAGES = Path(os.environ.get("LLMSIZE_NODE_MODULES") or ROOT / "node_modules")
SCREENSHOTS = ROOT / "screenshots"
LOOKS = (Look("light", 1200), Look("dark", 1200), Look("light", 390))
EVERY_LOOK = bool(os.environ.get("LLMSIZE_EVERY_THEME"))
THEMES_AND_LOOKS = tuple(
    (theme, look)
    for theme in (sample.THEMES if EVERY_LOOK else sample.THEMES[:2])
    for look in LOOKS
    if EVERY_LOOK or look == LOOKS[0] or theme == sample.THEMES[0]
)


def _need(*files: Path) -> None:
    """Skip or fail the test if one of these files is missing."""
    missing = [str(file) for file in files if not file.exists()]
    if not find_spec("playwright"):
        missing.append("the Python package playwright")
    if missing:
        give_up = pytest.fail if os.environ.get("LLMSIZE_REQUIRE_BROWSER") == "1" else pytest.skip
        give_up(f"missing: {', '.join(missing)}")


def need_theme(name: str) -> str:
    """Skip the test if this theme is missing; return its name."""
    if not find_spec(name):
        pytest.skip(f"missing: the theme {name}")
    return name


@pytest.fixture(scope="session")
def packages() -> Path:
    """The folder of npm packages."""
    _need(CHROMIUM, *(PACKAGES / file for file in sample.PACKAGE_FILES))
    return PACKAGES


@pytest.fixture(scope="session")
def axe(packages: Path) -> Path:
    """The accessibility checker."""
    script = packages / "axe-core" / "axe.min.js"
    _need(script)
    return script


@pytest.fixture(scope="session")
def address(
    packages: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], str]]:
    """Address of the served project with a theme."""
    with ExitStack() as servers:

        @cache
        def address(theme: str) -> str:
            pages = sample.build(tmp_path_factory.mktemp(theme), theme, packages, sample.markup())
            return servers.enter_context(served(pages))

        yield address


@pytest.fixture(scope="module")
def browser(packages: Path) -> Iterator[Browser]:
    """Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module", params=THEMES_AND_LOOKS, ids=lambda seen: f"{seen[0]}-{seen[1]}")
def seen(
    browser: Browser, address: Callable[[str], str], request: pytest.FixtureRequest
) -> Iterator[Visit]:
    """The opened page; a screenshot is saved."""
    theme, look = request.param
    with visit(browser, address(need_theme(theme)), look) as seen:
        SCREENSHOTS.mkdir(exist_ok=True)
        seen.page.screenshot(path=SCREENSHOTS / f"{theme}-{look}.png", full_page=True)
        yield seen
