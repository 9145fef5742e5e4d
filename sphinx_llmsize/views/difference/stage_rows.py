"""The pipeline of a model as rows that can be aligned with those of another model.

A row is a stage outside the layers, a norm, or all stages of an attention or a feed-forward
network. Layers of several kinds are merged: a row says in how many of them it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from sphinx_llmsize.architecture.stacks import Item, PlacedStage, Stack, places_of, stacks_of
from sphinx_llmsize.architecture.stages import Group, Parallel, Source, Stage, stages_of
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.formats import short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.parts_in_words import blocks_in_words
from sphinx_llmsize.views.shared.layer_text import layers_text
from sphinx_llmsize.views.shared.wording import capital


@dataclass(frozen=True)
class StageRow:
    """A row of a pipeline.

    Attributes:
        id: the same for rows of different models that do the same.
        title: displayed name.
        group: group of its stages.
        number: its parameters, in one layer.
        reads_tokens: its input is tokens, as for the embedding of a decoder after its encoder.
    """

    id: str
    title: str
    group: Group
    number: str
    reads_tokens: bool = False


@dataclass(frozen=True)
class Section:
    """Consecutive rows: all those in layers, or some outside.

    Attributes:
        title: ``× 32 layers``; empty outside the layers.
        rows: the rows in order.
    """

    title: str
    rows: tuple[StageRow, ...]


def sections(model: Model) -> tuple[Section, ...]:
    """The pipeline from the first stage to the last; sections with and without layers alternate."""
    runs = groupby(model.architecture.items, key=lambda item: bool(stacks_of(item)))
    return tuple(
        _layers(model, tuple(run)) if in_layers else _outside(model, tuple(run))
        for in_layers, run in runs
    )


def _outside(model: Model, items: tuple[Item, ...]) -> Section:
    summands = {stage for item in items for stage in _further_summands(item)}
    rows = (_row(model, place.stage.id, [place]) for place in places_of(items))
    titled = (
        replace(row, title=f"⊕ {row.title}") if place.stage in summands else row
        for row, place in zip(rows, places_of(items), strict=True)
    )
    return Section("", tuple(titled))


def _further_summands(item: Item) -> Iterator[Stage]:
    """The stages that are added to the token embedding."""
    if isinstance(item, Parallel) and item.is_sum:
        for branch in item.branches[1:]:
            yield from stages_of(branch)


def _layers(model: Model, items: tuple[Item, ...]) -> Section:
    """The rows of all these stacks."""
    stacks = [stack for item in items for stack in stacks_of(item)]
    places: dict[str, list[PlacedStage]] = {}
    order: list[str] = []
    for stack in stacks:
        named = tuple(_named(stack))
        for id, place in named:
            places.setdefault(id, []).append(place)
        order = _merged(order, list(dict.fromkeys(id for id, _place in named)))
    count = sum(model.architecture.count(stack.uses) for stack in stacks)
    return Section(layers_text(count), tuple(_row(model, id, places[id], count) for id in order))


def _merged(order: list[str], ids: list[str]) -> list[str]:
    """Both lists in one: each new id is before the next one that the first list has too."""
    merged = list(order)
    for position, id in enumerate(ids):
        if id not in merged:
            following = (merged.index(other) for other in ids[position:] if other in order)
            merged.insert(next(following, len(merged)), id)
    return merged


def _named(stack: Stack) -> Iterator[tuple[str, PlacedStage]]:
    """Each stage of a stack with the id of its row; norms within a block belong to it."""
    blocks: dict[str, int] = {}  # number of blocks so far, by group
    current = ""  # the block that the stage belongs to, such as "attention" or "attention 2"
    for place in stack.places:
        stage = place.stage
        is_norm = stage.group is Group.NORMS and stage.output[-1:] == (D,)
        if is_norm:
            current = ""
            yield stage.id, place
            continue
        group = stage.group.value
        if stage.group is not Group.NORMS and current.partition(" ")[0] != group:
            blocks[group] = blocks.get(group, 0) + 1
            current = group if blocks[group] == 1 else f"{group} {blocks[group]}"
        yield current or stage.id, place


def _row(model: Model, id: str, places: list[PlacedStage], layers: int = 0) -> StageRow:
    """The row of some stages, with its parameters in one of the layers that have it."""
    count = model.architecture.count
    stacks = {place.stack for place in places if place.stack}
    used_in = sum(count(stack.uses) for stack in stacks)
    total = sum(count(place.parameters) for place in places)
    # layers with shared weights have their parameters once
    layers_with_weights = sum(count(stack.layers) for stack in stacks)
    number = _number(places, total // (layers_with_weights or 1))
    if layers:
        number = _("{number} per layer", number=number)
    if used_in < layers:
        number = _("{number}, in {layers} of {all}", number=number, layers=used_in, all=layers)
    first = places[0].stage
    reads_tokens = first.source is Source.TOKENS
    return StageRow(id, _title(model, places), first.group, number, reads_tokens)


def _title(model: Model, places: list[PlacedStage]) -> str:
    if len(places) == 1 or places[0].stage.group is Group.NORMS:
        return _(places[0].stage.label)
    if any(place.stage.source is Source.ENCODER for place in places):
        return _("Cross-attention")
    return capital(blocks_in_words(model, places))


def _number(places: list[PlacedStage], parameters: int) -> str:
    if parameters:
        return short(parameters)
    return _("tied") if any(place.stage.tied_to for place in places) else "0"
