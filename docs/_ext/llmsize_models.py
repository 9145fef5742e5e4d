"""The released models by maker, with notes where a published figure is another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from docutils import nodes
from folded import filtered, fold
from sphinx.util.docutils import SphinxDirective

from sphinx_llmsize.config.symbols import H_KV, D, F, H, L, V
from sphinx_llmsize.formats import short, thousands
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.makers import ORGANISATIONS, maker_of
from sphinx_llmsize.sources.preset_files import presets

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

HEADER = ("Name", "D", "L", "Heads", "F", "V", "Parameters", "Active")
OTHERS = "Other makers, universities and communities"
"""Heading of makers with few models."""


class ReleasedModels(SphinxDirective):
    """Tables of all presets with their sizes and exact totals, and with numbered notes."""

    def run(self) -> list[nodes.Node]:
        """A folded table for each maker, the first one open, followed by its notes."""
        by_maker: dict[str, list[Model]] = {maker: [] for maker in (*ORGANISATIONS, OTHERS)}
        for model in map(load_preset, presets()):
            assert model.preset
            maker = maker_of(model.preset)
            by_maker[maker if maker in ORGANISATIONS else OTHERS].append(model)
        parts = (
            fold(maker, extent(models), *tables(models), open=position == 0)
            for position, (maker, models) in enumerate(by_maker.items())
        )
        return [filtered(*parts)]


def extent(models: Sequence[Model]) -> str:
    """``57 models, 7B to 405B``."""
    totals = [model.total for model in models]
    number = f"{len(models)} model{'s' if len(models) > 1 else ''}"
    first, last = short(min(totals)), short(max(totals))
    return f"{number}, {first} to {last}" if first != last else f"{number}, {first}"


def tables(models: Sequence[Model]) -> Iterator[nodes.Element]:
    """The table of a maker's models, families with most models first, and its notes if any."""
    counts = Counter(model.family.title for model in models)
    titles = sorted(counts, key=lambda title: (-counts[title], title.casefold()))
    models = sorted(models, key=lambda model: (titles.index(model.family.title), model.total))
    notes = list(dict.fromkeys(note for model in models for note in model.notes))
    yield table(models, notes)
    if notes:
        items = (nodes.list_item("", nodes.paragraph("", note)) for note in notes)
        listed = nodes.enumerated_list("", *items, enumtype="arabic", prefix="", suffix=".")
        listed["classes"].append("reference-notes")
        yield listed


def table(models: Sequence[Model], notes: list[str]) -> nodes.table:
    """A row for each model; notes are referred to by number."""
    group = nodes.tgroup(cols=len(HEADER))
    group += [nodes.colspec(colwidth=1, stub=int(i == 0)) for i in range(len(HEADER))]
    header = (entry(label, numeric=position > 0) for position, label in enumerate(HEADER))
    group += nodes.thead("", nodes.row("", *header))
    group += nodes.tbody("", *rows(models, notes))
    return nodes.table("", group, classes=["colwidths-auto", "reference-table", "released-models"])


def rows(models: Sequence[Model], notes: list[str]) -> Iterator[nodes.row]:
    """For each family, a row with its title and a row for each model."""
    for title, members in groupby(models, key=lambda model: model.family.title):
        heading = entry(title, numeric=False)
        heading["morecols"] = len(HEADER) - 1
        yield nodes.row("", heading, classes=["reference-heading"])
        for model in members:
            yield row(model, notes)


def row(model: Model, notes: list[str]) -> nodes.row:
    """The model's name, linked to its source, and its numbers; Hub ids are the link's tooltip."""
    assert model.preset
    tooltip = {"reftitle": ", ".join(model.preset.hub)} if model.preset.hub else {}
    name, source = model.preset.name, model.preset.source
    link = nodes.reference("", name, refuri=source, internal=False, **tooltip)
    cell = nodes.paragraph("", "", link)
    if model.notes:
        numbers = ",\N{THIN SPACE}".join(str(notes.index(note) + 1) for note in model.notes)
        cell += nodes.superscript(numbers, numbers)
    active = thousands(model.active) if model.active != model.total else "–"
    cells = (*sizes(model), thousands(model.total), active)
    return nodes.row("", nodes.entry("", cell), *(entry(text, numeric=True) for text in cells))


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
