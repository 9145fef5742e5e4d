"""Build a catalogue and the same number of pages typed by hand; print the ratio."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from handwritten import typed
from markup import MARKUPS
from projects import write_conf, write_index
from whole_process import in_turn

from sphinx_llmsize import load
from sphinx_llmsize.lineage.predecessors import predecessor
from sphinx_llmsize.sources.presets import presets
from sphinx_llmsize.views import document
from sphinx_llmsize.views.difference.difference_options import DifferenceOptions
from sphinx_llmsize.views.difference.difference_view import differences
from sphinx_llmsize.views.view_options import ViewOptions

VIEWS = ("table", "formula", "features", "diagram", "memory", "name")
"""Views of a catalogue's page."""
WAYS = ("catalogue", "by hand")
MARKUP = MARKUPS["rst"]
INDEX = "Models\n======\n\n.. llm-catalogue::\n"


def main() -> None:
    """Write both projects, build them in turn, and print the medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    names = list(presets())[:: len(presets()) // wanted.models][: wanted.models]
    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_catalogue(root / WAYS[0], names)
        write_by_hand(root / WAYS[1], names)
        seconds = in_turn(root, WAYS, wanted.rounds)
        pages = len(list((root / f"{WAYS[0]} built" / "models").glob("*.html")))
    assert pages == len(names)
    catalogue, by_hand = (median(seconds[way]) for way in WAYS)
    print(f"{pages} models: catalogue {catalogue:.2f} s, by hand {by_hand:.2f} s", end=", ")
    print(f"ratio {catalogue / by_hand:.2f}")


def write_catalogue(folder: Path, names: list[str]) -> None:
    """Write a project with a catalogue of these models and its table."""
    folder.mkdir()
    write_conf(folder, ("sphinx_llmsize",), f'llmsize_catalogue = {{"models": {names!r}}}')
    (folder / "index.rst").write_text(INDEX, "utf-8")


def write_by_hand(folder: Path, names: list[str]) -> None:
    """Write a project with a page of static text for each of these models, in a plain list."""
    folder.mkdir()
    write_conf(folder, ("sphinxcontrib.mermaid",))
    for name in names:
        (folder / f"{name}.rst").write_text("\n".join(page(name, names)), "utf-8")
    write_index(folder, names)


def page(name: str, names: list[str]) -> list[str]:
    """Lines of a page: the views of a model, and the difference from its predecessor."""
    model = load(name)
    blocks = document(model, VIEWS, ViewOptions())
    before = predecessor(model)
    if before and before.preset and before.preset.name in names:
        blocks += differences(before, model, ("text", "table"), DifferenceOptions())
    return [*MARKUP.heading(model.name), *typed(blocks, MARKUP)]


if __name__ == "__main__":
    main()
