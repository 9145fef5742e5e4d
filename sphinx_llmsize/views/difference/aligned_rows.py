"""The rows of two pipelines, aligned by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.diagram_boxes import Mark
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.pairs import Models
from sphinx_llmsize.views.difference.stage_row import RowId, RowSection, StageRow
from sphinx_llmsize.views.difference.stage_rows import numbered_sections
from sphinx_llmsize.views.shared.encoders import has_encoder, is_encoder, is_encoder_decoder

Pair = tuple[StageRow | None, StageRow | None]
"""Rows next to each other; None where a model has no such row."""
NO_SECTION = RowSection(0, ())


@dataclass(frozen=True)
class AlignedSection:
    """A section of both models' pipelines, aligned row by row.

    Attributes:
        number: number of the section in the first model; without meaning if only the second model
            has the section.
        layers: number of layers in each model; 0 outside the layers.
        pairs: rows next to each other.
    """

    number: int
    layers: tuple[int, int]
    pairs: list[Pair]

    @property
    def mark(self) -> Mark:
        """The mark of the frames around the layers."""
        one, other = self.layers
        if one == other:
            return Mark.SAME
        if one and other:
            return Mark.CHANGED
        return Mark.REMOVED if one else Mark.ADDED

    def row_id(self, pair: Pair) -> RowId:
        """The id of the first model's row in a pair; an id that no row has if there is none."""
        return self.number, pair[0].id if pair[0] else ""


def aligned_sections(models: Models) -> list[AlignedSection]:
    """The sections of both pipelines in order; some of one model may be empty."""
    sections = _by_place(*models)
    sections_of_other = _by_place(*reversed(models))
    aligned: list[AlignedSection] = []
    for place in sorted({*sections, *sections_of_other}):
        number, one = sections.get(place, (place, NO_SECTION))
        _number, other = sections_of_other.get(place, (place, NO_SECTION))
        rows_of_other = _in_order_of(one.rows, other)
        pairs = _pairs(_in_order_of(rows_of_other, one), rows_of_other)
        aligned.append(AlignedSection(number, (one.layers, other.layers), pairs))
    return aligned


def _by_place(model: Model, other: Model) -> dict[int, tuple[int, RowSection]]:
    """The sections of a model with their numbers, by the number of the section beside them.

    This is their own number, but the layers of a decoder are beside the last layers of an
    encoder-decoder.
    """
    sections = numbered_sections(model)
    places = {number: number for number in sections}
    in_layers = [number for number, section in sections.items() if section.layers]
    is_decoder = not is_encoder(model) and not has_encoder(model)
    if is_decoder and len(in_layers) == 1 and is_encoder_decoder(other):
        of_other = numbered_sections(other)
        places[in_layers[0]] = max(number for number in of_other if of_other[number].layers)
    return {places[number]: (number, section) for number, section in sections.items()}


def _in_order_of(order: Sequence[StageRow], section: RowSection) -> list[StageRow]:
    """The rows of a section, in the order of another model's as far as it is free.

    Rows that no layer has together can be in any order: those of a layer with attention, and those
    of a layer with a feed-forward network.

    Args:
        order: the rows of the other model.
        section: the section.
    """
    parts: list[set[str]] = []  # ids of rows that occur in the same layers
    for ids in section.ids_in_stacks or [tuple(row.id for row in section.rows)]:
        connected = [part for part in parts if not part.isdisjoint(ids)]
        parts = [part for part in parts if part not in connected]
        parts.append(set(ids).union(*connected))

    def position(row: StageRow) -> int:
        """Position of the first row of the other model beside which one of the part can be."""
        part = next(part for part in parts if row.id in part)
        blocks = [
            each for each in section.rows if each.id in part and each.group is not Group.NORMS
        ]
        beside = (i for i, o in enumerate(order) if any(_can_be_paired(o, b) for b in blocks))
        return next(beside, len(order))

    return sorted(section.rows, key=position)


def _pairs(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id: first the blocks, then the norms between two pairs of blocks.

    If norms were aligned with the rest, those in other places would move equal blocks apart.
    """
    blocks = [row for row in one if row.group is not Group.NORMS]
    blocks_of_other = [row for row in other if row.group is not Group.NORMS]
    pairs: list[Pair] = []
    start = start_of_other = 0
    for block, block_of_other in _aligned(blocks, blocks_of_other):
        if block and block_of_other:
            end, end_of_other = one.index(block), other.index(block_of_other)
            pairs += _aligned(one[start:end], other[start_of_other:end_of_other])
            pairs.append((block, block_of_other))
            start, start_of_other = end + 1, end_of_other + 1
    return [*pairs, *_aligned(one[start:], other[start_of_other:])]


def _aligned(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id; a row that replaces another one is beside it."""
    ids, ids_of_other = [row.id for row in one], [row.id for row in other]
    matcher = SequenceMatcher(None, ids, ids_of_other, autojunk=False)
    pairs: list[Pair] = []
    for _tag, start, end, start_of_other, end_of_other in matcher.get_opcodes():
        for pair in zip_longest(one[start:end], other[start_of_other:end_of_other]):
            if _can_be_paired(*pair):
                pairs.append(pair)
            else:
                pairs += [(pair[0], None), (None, pair[1])]
    return pairs


def _can_be_paired(one: StageRow | None, other: StageRow | None) -> bool:
    """True if a row is missing, both have the same id, or one replaces the other.

    Rows of one part replace each other, except norms and heads: no pooler replaces an LM head.
    """
    if one is None or other is None or one.id == other.id:
        return True
    if one.group in {Group.NORMS, Group.HEAD}:
        return False
    return any({one.group, other.group} <= set(aspect.value) for aspect in Aspect)
