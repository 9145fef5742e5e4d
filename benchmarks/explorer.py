"""Measure a step of a slider on an interactive page, and the same views drawn again from HTML."""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from sphinx_llmsize import load
from sphinx_llmsize.html.standalone_page import page as html_page
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.document import interactive_document
from sphinx_llmsize.views import TRACEABLE_VIEWS, VIEWS
from sphinx_llmsize.views.view_options import ViewOptions

MODELS = ("llama-7b", "deepseek-v3")
MEASURE = """rounds => {
  const element = document.querySelector(".llmsize-explorer");
  const {explorer} = element;
  const milliseconds = {step: [], redrawn: []};
  const measure = (name, action) => {
    const start = performance.now();
    action();
    document.body.offsetHeight; // layout is part of what a reader waits for
    milliseconds[name].push(performance.now() - start);
  };
  for (let round = 0; round < rounds; round += 1)
    for (const {name, steps} of explorer.data.controls) for (const step of steps.slice(-6)) {
      explorer.values = {[name]: step};
      measure("step", () => explorer.update());
      const views = [...element.querySelectorAll(".llmsize-view")].filter((view) => !view.hidden);
      const html = views.map((view) => view.innerHTML);
      const copies = views.map((view) => view.cloneNode());
      views.forEach((view, index) => view.replaceWith(copies[index]));
      document.body.offsetHeight;
      measure("redrawn", () => copies.forEach((copy, index) => (copy.innerHTML = html[index])));
      copies.forEach((copy, index) => copy.replaceWith(views[index]));
      document.body.offsetHeight;
    }
  const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];
  return [median(milliseconds.step), median(milliseconds.redrawn)];
}"""
"""Medians in milliseconds: of a step, and of setting the HTML of the views that it shows."""


def main() -> None:
    """Measure and print the medians for each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    args = parser.parse_args()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=args.chromium, args=["--no-sandbox"])
        for name in MODELS:
            file = Path(folder, f"{name}.html")
            file.write_text(interactive_page(name), "utf-8")
            step, redrawn = measure(browser, file, args.rounds)
            print(f"{name}: {step:.1f} ms, from HTML {redrawn:.1f} ms, ratio {step / redrawn:.2f}")
        browser.close()


def interactive_page(name: str) -> str:
    """A page with all views that follow the controls."""
    views = tuple(view for view in VIEWS if view in TRACEABLE_VIEWS)
    return html_page(name, interactive_document(load(name), views, ViewOptions(), Source(name)))


def measure(browser: Browser, file: Path, rounds: int) -> tuple[float, float]:
    """Open a page and return both medians in milliseconds."""
    page = browser.new_page()
    page.goto(file.as_uri())
    page.wait_for_function("document.querySelector('.llmsize-explorer')?.explorer")
    step, redrawn = page.evaluate(MEASURE, rounds)
    page.close()
    return step, redrawn


if __name__ == "__main__":
    main()
