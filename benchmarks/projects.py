"""Sphinx projects on disk: the same pages with the directive, and typed by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from configurations import Configuration, configurations
from handwritten import source_lines
from markup import Markup

from sphinx_llmsize import load
from sphinx_llmsize.views import document
from sphinx_llmsize.views.view_options import ViewOptions

VIEWS = ("table", "diagram")
"""Views that can be typed by hand with the same result, unlike sums, whose HTML is their own."""
Use = Callable[[Configuration, Markup], list[str]]
"""Function that writes a configuration as lines of a page."""


def with_directive(configuration: Configuration, markup: Markup) -> list[str]:
    """One use of the directive."""
    options = {"show": ", ".join(VIEWS)}
    return [*markup.directive("llm-size", configuration.name, options, configuration.body), ""]


def by_hand(configuration: Configuration, markup: Markup) -> list[str]:
    """The same content as static text."""
    blocks = document(load(*configuration), VIEWS, ViewOptions())
    return source_lines(blocks, markup)


WAYS: dict[str, tuple[Use, str]] = {
    "directive": (with_directive, "sphinx_llmsize"),
    "by hand": (by_hand, "sphinxcontrib.mermaid"),
}
"""Both ways of writing a page, and the extension that each needs."""


class Size(NamedTuple):
    """Numbers of uses, of pages, and of different configurations in a project."""

    uses: int
    pages: int
    configurations: int


def write_project(folder: Path, markup: Markup, way: str, size: Size) -> None:
    """Write a project into a new folder, its uses spread evenly over the pages."""
    use, extension = WAYS[way]
    different = [use(each, markup) for each in configurations(size.configurations)]
    texts = list(islice(cycle(different), size.uses))
    folder.mkdir(parents=True)
    write_conf(folder, (extension, *markup.extensions), markup.settings)
    write_pages(folder, markup, texts, size.pages)


def write_pages(folder: Path, markup: Markup, texts: Sequence[list[str]], pages: int) -> None:
    """Write the texts evenly spread over pages, and the start page.

    Args:
        folder: folder of the project.
        markup: markup language.
        texts: lines of each text.
        pages: number of pages.
    """
    names = [f"page{number}" for number in range(1, pages + 1)]
    for position, name in enumerate(names):
        start = len(texts) * position // pages
        end = len(texts) * (position + 1) // pages
        lines = markup.heading(name) + [line for text in texts[start:end] for line in text]
        (folder / f"{name}{markup.suffix}").write_text("\n".join(lines), encoding="utf-8")
    write_index(folder, names)


def write_conf(folder: Path, extensions: tuple[str, ...], settings: str = "") -> None:
    """Write a ``conf.py`` with these extensions."""
    text = f'project = "benchmark"\nextensions = {list(extensions)}\n{settings}\n'
    (folder / "conf.py").write_text(text, encoding="utf-8")


def write_index(folder: Path, names: list[str]) -> None:
    """Write the start page, which lists the others."""
    entries = "".join(f"   {name}\n" for name in names)
    text = f"Pages\n=====\n\n.. toctree::\n\n{entries}"
    (folder / "index.rst").write_text(text, encoding="utf-8")
