"""The pipeline of a model as rows that can be aligned with those of another model.

A row is a stage outside the layers, a norm, or all stages of an attention or a feed-forward
network. Layers of several kinds are merged: a row has the number of layers that it is in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.parts.layer_kinds import SHARED_LAYER
from sphinx_llmsize.architecture.stacks import Item, PlacedStage, Stack, placed_stages_of, stacks_of
from sphinx_llmsize.architecture.stages import Group, Parallel, Source, stages_of
from sphinx_llmsize.config.symbols import D
from sphinx_llmsize.formats import short_or_exact
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.difference.layer_arrangement import parallel_feed_forward
from sphinx_llmsize.views.difference.stage_row import (
    RowId,
    RowSection,
    RowSize,
    SharedWeights,
    StageRow,
)
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.layers_in_words import stacks_with_shared_weights
from sphinx_llmsize.views.in_words.part_components import layers_with, tensors_of
from sphinx_llmsize.views.in_words.parts_in_words import describe_group
from sphinx_llmsize.views.in_words.windows_in_words import describe_windows_among_layers
from sphinx_llmsize.views.shared.wording import capital

LAST = 99
"""Number of the section after the last layers, greater than those of all others."""
CROSS_ATTENTION_ID = "cross-attention"
"""Id of the row of attention to an encoder."""
CROSS_ATTENTION = N_("Cross-attention")
"""Title of a block of attention to an encoder."""


@cached(64)  # rows of a model are compared with those of each of its changes
def sections(model: Model) -> tuple[RowSection, ...]:
    """The pipeline from the first stage to the last; sections with and without layers alternate."""
    found: list[RowSection] = []
    runs = groupby(model.architecture.items, key=lambda item: bool(stacks_of(item)))
    for is_in_layers, items in runs:
        section_of = _layers if is_in_layers else _outside
        found.append(section_of(model, tuple(items)))
    return tuple(found)


def numbered_sections(model: Model) -> dict[int, RowSection]:
    """The sections by number: from 0, but :data:`LAST` for the stages after the last layers.

    So the heads of an encoder-decoder and of a decoder are in sections of the same number.
    """
    *others, last = sections(model)
    number_of_last = len(others) if last.layers or not others else LAST
    return {**dict(enumerate(others)), number_of_last: last}


def rows_by_id(model: Model) -> dict[RowId, StageRow]:
    """The rows of a model's pipeline."""
    return {
        (number, row.id): row
        for number, section in numbered_sections(model).items()
        for row in section.rows
    }


def _outside(model: Model, items: tuple[Item, ...]) -> RowSection:
    """The section of stages outside the layers, each with a row; added embeddings have a ⊕."""
    sums = (item for item in items if isinstance(item, Parallel) and item.is_sum)
    further = (branch for each in sums for branch in each.branches[1:])
    summands = {stage for branch in further for stage in stages_of(branch)}
    rows: list[StageRow] = []
    for placed in placed_stages_of(items):
        row = _row(model, placed.stage.id, [placed])
        if placed.stage in summands:
            kind = replace(row.kind, about=("sum", row.kind.about), text=f"⊕ {row.kind.text}")
            row = replace(row, kind=kind)
        rows.append(row)
    return RowSection(0, tuple(rows))


def _layers(model: Model, items: tuple[Item, ...]) -> RowSection:
    """The section of these stacks, in which rows with the same id are merged."""
    stacks = [stack for item in items for stack in stacks_of(item)]
    placed_by_row: dict[str, list[PlacedStage]] = {}
    order: list[str] = []
    ids_in_stacks: list[tuple[str, ...]] = []
    for stack in stacks:
        ids: list[str] = []
        for id, placed in _with_row_ids(stack):
            placed_by_row.setdefault(id, []).append(placed)
            ids.append(id)
        ids_in_stacks.append(tuple(dict.fromkeys(ids)))
        order = _merged(order, ids_in_stacks[-1])
    count = layers_with(model, [placed for stack in stacks for placed in stack.placed_stages])
    rows = tuple(_row(model, id, placed_by_row[id], count) for id in order)
    return RowSection(count, rows, tuple(ids_in_stacks))


def _merged(order: Sequence[str], ids: Sequence[str]) -> list[str]:
    """The ids of both lists, each once, in an order that fits both.

    An id that is only in the second list is inserted before the id that follows it there and is in
    the first list too, or else at the end.
    """
    merged = list(order)
    for position, id in enumerate(ids):
        if id not in merged:
            following = [other for other in ids[position:] if other in order]
            index = merged.index(following[0]) if following else len(merged)
            merged.insert(index, id)
    return merged


def _with_row_ids(stack: Stack) -> Iterator[tuple[str, PlacedStage]]:
    """Each stage of a stack with the id of its row.

    It is ``attention``, ``attention 2`` for a second block of attention in a layer, and
    ``cross-attention`` for one that reads the output of an encoder.
    """
    numbers: Counter[str] = Counter()  # number of blocks so far, by their name
    for group, placed_stages in _blocks(stack):
        if group is None:
            yield from ((placed.stage.id, placed) for placed in placed_stages)
            continue
        name = CROSS_ATTENTION_ID if _reads_encoder(placed_stages) else group.value
        numbers[name] += 1
        id = name if numbers[name] == 1 else f"{name} {numbers[name]}"
        yield from ((id, placed) for placed in placed_stages)


def _blocks(stack: Stack) -> list[tuple[Group | None, list[PlacedStage]]]:
    """The blocks of a stack, each with its group; None for a norm with a row of its own.

    Norms of width D have rows of their own. Other norms, such as those of queries and keys, belong
    to the block around them; one that isn't inside a block has its own row, too.
    """
    blocks: list[tuple[Group | None, list[PlacedStage]]] = []
    current: Group | None = None  # group of the block that the stage belongs to
    for placed in stack.placed_stages:
        group = placed.stage.group
        if group is Group.NORMS and placed.stage.output[-1:] == (D,):
            current = None
        elif group is not Group.NORMS and group is not current:
            current = group
            blocks.append((group, []))
        if current is None:
            blocks.append((None, []))
        blocks[-1][1].append(placed)
    return blocks


def _reads_encoder(placed_stages: Sequence[PlacedStage]) -> bool:
    """True for a block of cross-attention."""
    return any(placed.stage.source is Source.ENCODER for placed in placed_stages)


def _row(model: Model, id: str, placed_stages: list[PlacedStage], layers: int = 0) -> StageRow:
    """The row of some stages, with its parameters in one of the layers that have it.

    Args:
        model: the model.
        id: id of the row.
        placed_stages: the stages, in every stack that has them.
        layers: number of layers of the section; 0 outside the layers.
    """
    count = model.architecture.count
    stacks = {placed.stack for placed in placed_stages if placed.stack}
    first = placed_stages[0].stage
    return StageRow(
        id=id,
        kind=_kind(model, placed_stages),
        group=first.group,
        size=_size(model, placed_stages, layers),
        windows=describe_windows_among_layers(model, placed_stages, layers),
        norm=first.norm,
        is_parallel=any(first in parallel_feed_forward(stack.block) for stack in stacks),
        shared_weights=_shared_weights(model, placed_stages),
        reads_tokens=first.source is Source.TOKENS,
        sizes=tuple((symbol, count(symbol)) for symbol in _symbols(placed_stages)),
        placed_stages=tuple(placed_stages),
    )


def _size(model: Model, placed_stages: list[PlacedStage], layers: int) -> RowSize:
    """The parameters of a row in one of the layers that have it; those with all weights tied apart.

    Shared layers (Zamba) run inside others, which may have weights of their own for them.
    """
    count = model.architecture.count
    used_in = layers_with(model, placed_stages)
    some_layers = (used_in, layers) if used_in < layers else None
    own = [placed for placed in placed_stages if count(placed.stage.parameters)]
    if not own:
        is_tied = any(placed.stage.tied_to for placed in placed_stages)
        return RowSize(None if is_tied else 0, layers > 0, some_layers)
    # each layer has all parameters of shared weights
    total = sum(count(placed.uses) * count(placed.stage.parameters) for placed in own)
    by_stack: Counter[Stack | None] = Counter()
    for placed in own:
        by_stack[placed.stack] += count(placed.stage.parameters)
    are_equal = len(set(map(short_or_exact, by_stack.values()))) == 1
    mean = total // (layers_with(model, own) or 1)
    return RowSize(mean, layers > 0, some_layers, not are_equal and not _run_inside(by_stack))


def _shared_weights(model: Model, placed_stages: list[PlacedStage]) -> SharedWeights | None:
    """The weights of a row if some of its layers share them."""
    count = model.architecture.count
    stacks = {p.stack for p in placed_stages if p.stack and count(p.stage.parameters)}
    shared = stacks.intersection(stacks_with_shared_weights(model, placed_stages)[0])
    if not shared:
        return None
    counted = shared if _run_inside(stacks) else stacks  # layers around shared ones don't count
    sets = sum(count(stack.layers) for stack in counted)
    return SharedWeights(sets, counted == shared, layers_with(model, placed_stages))


def _run_inside(stacks: Iterable[Stack | None]) -> bool:
    """True if some of the layers run inside others."""
    return any(stack and SHARED_LAYER in stack.kinds for stack in stacks)


def _symbols(placed_stages: list[PlacedStage]) -> list[Symbol]:
    """The symbols in the shapes of the stages' own tensors, in order; not of tied ones."""
    shapes = (tensor.shape for tensor in tensors_of(placed_stages) if not tensor.tied_to)
    return sorted({s for shape in shapes for size in shape for s in size.symbols()}, key=str)


def _kind(model: Model, placed_stages: list[PlacedStage]) -> Description:
    """Label of a single stage or norm; for a block, its kind: ``Grouped-query attention``."""
    if len(placed_stages) == 1 or placed_stages[0].stage.group is Group.NORMS:
        label = placed_stages[0].stage.label
    elif _reads_encoder(placed_stages):
        label = CROSS_ATTENTION
    else:
        kind = describe_group(model, placed_stages)
        return replace(kind, text=capital(kind.text))
    return Description(("stages", (label,)), frozenset(), _(label))
