"""The rows of two pipelines, aligned by stage, with a mark on each part that changed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import zip_longest

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.diagram_boxes import Mark
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.views.difference.changes_without_cost import FreeChange
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.masks_and_positions import (
    masks_and_positions,
    masks_or_positions_differ,
)
from sphinx_llmsize.views.difference.pairs import NO_TEXTS, Models, Texts, joined_texts
from sphinx_llmsize.views.difference.stage_rows import RowSection, StageRow, sections

Pair = tuple[StageRow | None, StageRow | None]
"""Rows next to each other; None where a model has no such row."""
NO_SECTION = RowSection(0, ())


@dataclass(frozen=True)
class AlignedSection:
    """A section of both models' pipelines, aligned row by row.

    Attributes:
        layers: number of layers in each model; 0 outside the layers.
        pairs: rows next to each other.
    """

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


def aligned_sections(models: Models) -> list[AlignedSection]:
    """The sections of both pipelines in order; the last ones of one model may be empty."""
    one, other = models
    return [
        AlignedSection((section.layers, of_other.layers), _pairs(section.rows, of_other.rows))
        for section, of_other in zip_longest(sections(one), sections(other), fillvalue=NO_SECTION)
    ]


def _pairs(one: Sequence[StageRow], other: Sequence[StageRow]) -> list[Pair]:
    """The rows aligned by id: first the blocks, then the norms between two aligned blocks.

    If norms were aligned with the rest, those in other places would move equal blocks apart.
    """
    blocks = [row for row in one if row.group is not Group.NORMS]
    blocks_of_other = [row for row in other if row.group is not Group.NORMS]
    pairs: list[Pair] = []
    start = start_of_other = 0
    for block, block_of_other in _aligned(blocks, blocks_of_other):
        if block and block_of_other and block.id == block_of_other.id:
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
    """True if a row is missing, both have the same id, or both are of one part other than norms."""
    if one is None or other is None or one.id == other.id:
        return True
    if one.group is Group.NORMS:
        return False
    return any({one.group, other.group} <= set(aspect.value) for aspect in Aspect)


Groups = Collection[Group]
"""Groups of the stages of a part."""


def marked_sections(counted: CountedDifference) -> list[AlignedSection]:
    """The aligned sections; if no row of a changed part differs, all of its rows are marked.

    Norms aren't marked if a row of attention differs, since it may contain them.
    """
    models = counted.difference.models
    unmarked = aligned = aligned_sections(models)
    texts_of_masks = joined_texts(masks_and_positions(models))
    for aspect in _changed_aspects(counted):
        groups = set(aspect.value)
        # norms of queries and keys belong to the row of their attention
        searched = groups | set(Aspect.SEQUENCE.value) if aspect is Aspect.NORMS else groups
        if not any(_differ(pair, searched) for section in unmarked for pair in section.pairs):
            texts = texts_of_masks if aspect is Aspect.SEQUENCE else NO_TEXTS
            aligned = [
                replace(section, pairs=[_marked(pair, groups, texts) for pair in section.pairs])
                for section in aligned
            ]
    return aligned


def _changed_aspects(counted: CountedDifference) -> Iterator[Aspect]:
    """The parts that have a row of their own in the table, and those of keys that have one."""
    for listed in listed_changes(counted):
        match listed.change:
            case StructureChange(aspect):
                yield aspect
            case ConfigChange(models=models):
                yield from (part.aspect for part in listed.parts)
                if masks_or_positions_differ(models):
                    yield Aspect.SEQUENCE
            case FreeChange(id) if id == Aspect.SEQUENCE.id:
                yield Aspect.SEQUENCE


def _differ(pair: Pair, groups: Groups) -> bool:
    """True if one of the rows is of these groups, and the other one is missing or differs."""
    one, other = pair
    if not any(row and row.group in groups for row in pair):
        return False
    return one is None or other is None or not one.is_like(other)


def _marked(pair: Pair, groups: Groups, texts: Texts) -> Pair:
    """The pair with both rows marked as changed if they are of these groups.

    Args:
        pair: the rows.
        groups: the groups.
        texts: difference of the two in words; empty if it has none that fit into a box.
    """
    one, other = pair
    if one is None or other is None or one.group not in groups:
        return pair
    before, after = texts
    return (
        replace(one, mask_and_positions=before, is_changed=True),
        replace(other, mask_and_positions=after, is_changed=True),
    )
