"""The table of released models, by family, with notes where a published figure is another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.config.symbols import H_KV, D, F, H, L, V
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model, released
from sphinx_llmsize.sources.presets import presets

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

HEADER = ("Name", "D", "L", "Heads", "F", "V", "Parameters", "Active")


class ReleasedModels(SphinxDirective):
    """Table of all presets with their sizes and exact totals, followed by numbered notes."""

    def run(self) -> list[nodes.Node]:
        """The table and its notes."""
        models = sorted(map(released, presets()), key=by_family)
        notes = list(dict.fromkeys(note for model in models for note in model.notes))
        group = nodes.tgroup(cols=len(HEADER))
        group += [nodes.colspec(colwidth=1, stub=int(i == 0)) for i in range(len(HEADER))]
        header = (entry(label, numeric=position > 0) for position, label in enumerate(HEADER))
        group += nodes.thead("", nodes.row("", *header))
        group += nodes.tbody("", *rows(models, notes))
        classes = ["colwidths-auto", "reference-table", "released-models"]
        items = (nodes.list_item("", nodes.paragraph("", note)) for note in notes)
        footer = nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".")
        return [nodes.table("", group, classes=classes), footer]


def by_family(model: Model) -> tuple[str, int]:
    """Sort key: title of the family, then size."""
    return model.family.title.casefold(), model.total


def rows(models: list[Model], notes: list[str]) -> Iterator[nodes.row]:
    """For each family, a row with its title and a row for each model."""
    for title, members in groupby(models, key=lambda model: model.family.title):
        heading = entry(title, numeric=False)
        heading["morecols"] = len(HEADER) - 1
        yield nodes.row("", heading, classes=["released-family"])
        for model in members:
            yield row(model, notes)


def row(model: Model, notes: list[str]) -> nodes.row:
    """The model's name, linked to its source, and its numbers."""
    assert model.preset
    link = nodes.reference("", model.preset.name, refuri=model.preset.source, internal=False)
    name = nodes.paragraph("", "", link)
    if model.notes:
        numbers = ",\N{THIN SPACE}".join(str(notes.index(note) + 1) for note in model.notes)
        name += nodes.superscript(numbers, numbers)
    active = thousands(model.active) if model.active != model.total else "–"
    cells = (*sizes(model), thousands(model.total), active)
    return nodes.row("", nodes.entry("", name), *(entry(text, numeric=True) for text in cells))


def sizes(model: Model) -> Iterator[str]:
    """D, L, heads (query / key-value heads if they differ), F and V."""
    known = {symbol: thousands(size) for symbol, size in model.architecture.sizes.items()}
    stacks = (model.architecture.count(stack.layers) for stack in model.architecture.stacks())
    yield known[D]
    yield known.get(L) or " + ".join(map(thousands, stacks))
    heads, shared = known.get(H, "–"), known.get(H_KV)
    yield f"{heads} / {shared}" if shared not in (heads, None) else heads
    yield known.get(F, "–")
    yield known[V]


def entry(text: str, *, numeric: bool) -> nodes.entry:
    """A table cell."""
    classes = ["reference-number"] if numeric else []
    return nodes.entry("", nodes.paragraph("", text), classes=classes)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("llmsize-presets", ReleasedModels)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
