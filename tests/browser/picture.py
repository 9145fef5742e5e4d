"""The picture of the README: the page that the extension makes for LLaMA 7B.

``python -m browser.picture`` writes ``docs/images/llama-7b.png``; an argument is another file.
It needs Chromium and the npm packages; see ``conftest.py``.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from . import sample
from .conftest import CHROMIUM, PACKAGES, ROOT
from .visit import CHROMIUM_FLAGS, Look, served, visit

PICTURE = ROOT / "docs" / "images" / "llama-7b.png"
PAGE = "Sizes\n=====\n\n.. llm-size:: llama-7b\n"
LOOK = Look("light", 1500)
MARGIN = 12
"""Space around the extension's output, in pixels."""
TWO_COLUMNS = """
.content { width: 1140px; }
.sidebar-drawer, .toc-drawer, .mermaid-fullscreen-btn { display: none !important; }
div.llmsize { padding-right: 380px !important; position: relative; }
div.llmsize > figure { position: absolute !important; right: 0; top: 90px; }
div.llmsize > figure { width: 348px !important; }
"""
"""Styles that put the diagram beside the rest, so that the picture isn't long."""


def take_picture(file: Path) -> None:
    """Build the page with the theme furo, and save the extension's output in two columns."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = sample.build(Path(folder), "furo", PACKAGES, PAGE)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        with served(pages) as address, visit(browser, address, LOOK) as seen:
            seen.page.add_style_tag(content=TWO_COLUMNS)
            boxes = (each.bounding_box() for each in seen.page.query_selector_all(".llmsize"))
            shown = [box for box in boxes if box]
            left, top = min(box["x"] for box in shown), min(box["y"] for box in shown)
            right = max(box["x"] + box["width"] for box in shown)
            bottom = max(box["y"] + box["height"] for box in shown)
            area = {
                "x": left - MARGIN,
                "y": top - MARGIN,
                "width": right - left + 2 * MARGIN,
                "height": bottom - top + 2 * MARGIN,
            }
            seen.page.screenshot(path=file, clip=area, full_page=True)
            if seen.problems:
                raise SystemExit("\n".join(seen.problems))
        browser.close()


if __name__ == "__main__":
    take_picture(Path(sys.argv[1]) if sys.argv[1:] else PICTURE)
