"""Build a catalogue and the same pages typed by hand; print the ratio of their times."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from handwritten import source_lines
from markup import MARKUPS
from projects import write_conf, write_index
from sphinx_builds import time_builds

from sphinx_llmsize import load
from sphinx_llmsize.lineage.predecessors import predecessor
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.views import document
from sphinx_llmsize.views.difference.counted_difference import DifferenceOptions
from sphinx_llmsize.views.difference.difference_view import difference_blocks
from sphinx_llmsize.views.view_options import ViewOptions

VIEWS = ("table", "formula", "features", "diagram", "memory", "name")
"""Views on a catalogue's page."""
CATALOGUE, BY_HAND = "catalogue", "by hand"
"""Names of the two projects."""
MARKUP = MARKUPS["rst"]
INDEX = "Models\n======\n\n.. llm-catalogue::\n"


def main() -> None:
    """Write both projects, build them in turn, and print the medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    step = len(presets()) // args.models
    names = list(presets())[::step][: args.models]
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_catalogue(root / CATALOGUE, names)
        write_by_hand(root / BY_HAND, names)
        seconds = time_builds(root, (CATALOGUE, BY_HAND), args.rounds)
        pages = len(list((root / f"{CATALOGUE} built" / "models").glob("*.html")))
    assert pages == len(names)
    catalogue, by_hand = median(seconds[CATALOGUE]), median(seconds[BY_HAND])
    times = f"catalogue {catalogue:.2f} s, by hand {by_hand:.2f} s"
    print(f"{pages} models: {times}, ratio {catalogue / by_hand:.2f}")


def write_catalogue(folder: Path, names: list[str]) -> None:
    """Write a project that makes the pages of these models with the catalogue."""
    folder.mkdir()
    write_conf(folder, ("sphinx_llmsize",), f'llmsize_catalogue = {{"models": {names!r}}}')
    (folder / "index.rst").write_text(INDEX, "utf-8")


def write_by_hand(folder: Path, names: list[str]) -> None:
    """Write a project with a page of static text for each of these models."""
    folder.mkdir()
    write_conf(folder, ("sphinxcontrib.mermaid",))
    for name in names:
        (folder / f"{name}.rst").write_text("\n".join(page(name, names)), "utf-8")
    write_index(folder, names)


def page(name: str, names: list[str]) -> list[str]:
    """Lines of a page: the views of a model, and the difference from its predecessor."""
    model = load(name)
    blocks = document(model, VIEWS, ViewOptions())
    older = predecessor(model)
    if older and older.preset and older.preset.name in names:
        blocks += difference_blocks(older, model, ("text", "table"), DifferenceOptions())
    return [*MARKUP.heading(model.name), *source_lines(blocks, MARKUP)]


if __name__ == "__main__":
    main()
