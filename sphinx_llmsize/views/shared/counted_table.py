"""Tables that count something in every stage, such as parameters, with shares of the total."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Bar, Cell, Column, Row, RowKind, cell
from sphinx_llmsize.formats import percent, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.parts import NUM_LAYERS, PER_LAYER
from sphinx_llmsize.views.numbers.row_names import with_words
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences

Names = tuple[str, ...]
EMPTY: Cell = ((),)
OUTSIDE_LAYERS = cell("–")


@dataclass(frozen=True)
class Counted:
    """A stage or tensor with its count.

    Attributes:
        occurrence: the stage.
        head: the first cell: name and notes.
        source: the shape or operation from which the count is computed.
        in_layer: the count in one layer.
        layers: the number of layers to multiply it by.
        name: name of the count in the role: ``qkv``, ``flops.qkv``.
        words: words after the name: ``2048``.
    """

    occurrence: Occurrence
    head: Cell
    source: Cell
    in_layer: int
    layers: int
    name: str = ""
    words: tuple[object, ...] = ()

    @property
    def count(self) -> int:
        """The count in all layers."""
        return self.in_layer * self.layers


def occurrences_by_group(model: Model, places: Iterable[PlacedStage]) -> Iterator[Occurrence]:
    """The occurrences of stages, group by group."""
    stages = list(places)
    for group in Group:
        members = (place for place in stages if place.stage.group is group)
        yield from occurrences(members, model.architecture)


def counted_columns(what: str, source: str) -> tuple[Column, ...]:
    """The columns of a table with counts.

    Args:
        what: heading of the counts, such as ``Parameters``.
        source: heading of the shapes or operations from which they are computed.
    """
    return (
        Column(_("Component")),
        Column(source),
        Column(_("{counted} per layer", counted=what), numeric=True),
        Column(_("Layers"), numeric=True),
        Column(what, numeric=True),
        Column(_("Share"), numeric=True),
    )


def counted_rows(counted: Sequence[Counted], total: int) -> Iterator[Row]:
    """A row for each group, followed by its stages or tensors."""
    for group in Group:
        members = [each for each in counted if each.occurrence.stage.group is group]
        if members:
            stacks, *others = {each.occurrence.stacks for each in members}
            layers = (EMPTY, EMPTY)
            if stacks and not others:  # all members are in the same layers
                layers = _layer_cells(sum(m.in_layer for m in members), members[0].layers)
            count = sum(member.count for member in members)
            quantity = members[0].name.partition(".")[0] if members[0].words else ""
            name = ".".join(filter(None, (quantity, group.value)))
            names = count_names(name, members[0].words, in_layers=layers != (EMPTY, EMPTY))
            yield Row(
                (
                    cell(_(group.label)),
                    EMPTY,
                    *layers,
                    *_count_cells(count, total),
                ),
                RowKind.GROUP,
                names,
            )
        for each in members:
            layers = _layer_cells(each.in_layer, each.layers)
            layers = layers if each.occurrence.stacks else (OUTSIDE_LAYERS, OUTSIDE_LAYERS)
            names = count_names(each.name, each.words, in_layers=bool(each.occurrence.stacks))
            cells = (each.head, each.source, *layers, *_count_cells(each.count, total))
            yield Row(cells, names=names)


def total_row(head: Cell, count: int, total: int, name: str, *words: object) -> Row:
    """A row at the end of the table, with its share of the total."""
    cells = (head, EMPTY, EMPTY, EMPTY, *_count_cells(count, total))
    return Row(cells, RowKind.TOTAL, count_names(name, words, in_layers=False))


def count_names(name: str, words: tuple[object, ...], *, in_layers: bool) -> tuple[Names, ...]:
    """Names of the numbers in a row: per layer, layers, count, share."""
    layers: tuple[Names, ...] = ((), ())
    if in_layers:
        layers = tuple(
            (with_words(f"{name}.{suffix}", *words),) for suffix in (PER_LAYER, NUM_LAYERS)
        )
    return ((), (), *layers, (with_words(name, *words),), (with_words(name, *words, "share"),))


def number_cell(number: int) -> Cell:
    """``6,738,415,616``."""
    return cell(thousands(number))


def share_cell(share: float) -> Cell:
    """``31.8%`` with a bar."""
    return ((percent(share), Bar(share)),)


def _layer_cells(in_layer: int, layers: int) -> tuple[Cell, Cell]:
    return number_cell(in_layer), number_cell(layers)


def _count_cells(count: int, total: int) -> tuple[Cell, Cell]:
    return number_cell(count), share_cell(count / total)
