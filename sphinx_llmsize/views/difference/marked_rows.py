"""Marks on rows that changed although their boxes show the same in both models."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from sphinx_llmsize.architecture.attention_heads import has_attention
from sphinx_llmsize.architecture.numbers_in_blocks import block_in_numbers
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.aligned_rows import AlignedSection, Pair
from sphinx_llmsize.views.difference.changes_without_cost import FreeChange
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.masks_and_positions import (
    masks_and_positions,
    masks_or_positions_differ,
)
from sphinx_llmsize.views.difference.pairs import NO_TEXTS, Texts, joined_texts
from sphinx_llmsize.views.difference.stage_row import RowId, StageRow
from sphinx_llmsize.views.difference.stage_rows import CROSS_ATTENTION_ID, rows_by_id, sections

MarkedRows = dict[RowId, Texts]
"""Rows of the first model to mark, each with texts to add to the boxes, such as ``causal``."""
RowsOfChanges = Mapping[ConfigChange, tuple[RowId, ...]]
"""Rows of the first model to mark for each change of keys."""


def rows_of_changed_keys(
    counted: CountedDifference, aligned: Sequence[AlignedSection]
) -> RowsOfChanges:
    """The rows to mark for each change of keys.

    They are the rows of the part that a key names, see :attr:`Key.part`, and rows that differ
    although no box shows it: twice as many heads of half the width, layers on a longer sequence.

    Args:
        counted: the difference.
        aligned: the sections of both models, whose boxes show other differences.
    """
    shown = {
        section.row_id(pair) for section in aligned for pair in section.pairs if _differs(pair)
    }
    changes = counted.difference.config_changes
    return {change: tuple(_rows_of_change(change, shown)) for change in changes}


def _rows_of_change(change: ConfigChange, shown: Collection[RowId]) -> Iterator[RowId]:
    """The rows to mark for one change.

    Args:
        change: the change.
        shown: ids of the rows whose boxes differ between the two models of the difference.
    """
    before, after = change.models
    parts = {each.key.part for each in change.key_changes}
    rows, rows_after = rows_by_id(before), rows_by_id(after)
    different = {
        id
        for id in rows.keys() & rows_after.keys()
        if _differs((rows[id], rows_after[id]))
        or _contents(before, rows[id]) != _contents(after, rows_after[id])
    }
    # the change adds or removes rows or layers, or the box of one of its rows differs
    is_shown = (
        rows.keys() != rows_after.keys()
        or [each.layers for each in sections(before)] != [each.layers for each in sections(after)]
        or not different.isdisjoint(shown)
    )
    for id, row in rows.items():
        if row.group.value in parts or (id in different and not is_shown):
            yield id


def _contents(model: Model, row: StageRow) -> tuple[object, ...]:
    """The stages of a row with numbers in their shapes, and the windows of its layers.

    Only attention has windows.
    """
    stages = tuple(placed.stage for placed in row.placed_stages)
    stacks = {p.stack for p in row.placed_stages if p.stack and p.stage.group is Group.ATTENTION}
    windows = {(stack.windows, stack.two_sided_windows) for stack in stacks}
    return frozenset(block_in_numbers(stages, model.architecture)), windows


def marked_sections(
    counted: CountedDifference, aligned: Sequence[AlignedSection], rows_of_changes: RowsOfChanges
) -> list[AlignedSection]:
    """The aligned sections, with marks on the rows of changes that no box shows by itself.

    Args:
        counted: the difference.
        aligned: the sections without these marks.
        rows_of_changes: result of :func:`rows_of_changed_keys`.
    """
    rows: MarkedRows = {id: NO_TEXTS for ids in rows_of_changes.values() for id in ids}
    rows.update(dict.fromkeys(_rows_of_changed_parts(counted, aligned), NO_TEXTS))
    rows.update(_rows_with_other_masks(counted, aligned))
    marked: list[AlignedSection] = []
    for section in aligned:
        pairs = [_marked(pair, rows.get(section.row_id(pair))) for pair in section.pairs]
        marked.append(replace(section, pairs=pairs))
    return marked


def _marked(pair: Pair, texts: Texts | None) -> Pair:
    """The pair with both rows marked as changed, and with the texts.

    The pair itself if the texts are None, or if a model has no such row.
    """
    one, other = pair
    if one is None or other is None or texts is None:
        return pair
    before, after = texts
    return (
        replace(one, mask_and_positions=before, is_changed=True),
        replace(other, mask_and_positions=after, is_changed=True),
    )


def _rows_of_changed_parts(
    counted: CountedDifference, aligned: Sequence[AlignedSection]
) -> Iterator[RowId]:
    """All rows of each changed part, unless one of its rows shows a difference already.

    If the norms changed, but not their kind, there are more or fewer of them, or they have moved.
    Then only norms in layers are marked, and none if the difference is in a row with other stages,
    such as attention with norms of queries and keys.
    """
    for aspect in _changed_aspects(counted):
        groups = set(aspect.value)
        is_of_norms = aspect is Aspect.NORMS
        if any(_has_difference(section, groups) for section in aligned):
            continue
        for section in aligned:
            if all(section.layers) or not is_of_norms:
                pairs = (pair for pair in section.pairs if pair[0] and pair[0].group in groups)
                yield from map(section.row_id, pairs)


def _rows_with_other_masks(
    counted: CountedDifference, aligned: Sequence[AlignedSection]
) -> MarkedRows:
    """The rows of self-attention with the masks and positions in which the models differ.

    They are the rows of mixers in models without attention.
    """
    models = counted.difference.models
    texts = joined_texts(masks_and_positions(models))
    if not any(texts):
        return {}
    groups = [
        Group.ATTENTION if has_attention(model.architecture) else Group.MIXER for model in models
    ]
    return {
        section.row_id(pair): texts
        for section in aligned
        for pair in section.pairs
        if all(
            row and row.group is group and row.id != CROSS_ATTENTION_ID
            for row, group in zip(pair, groups, strict=True)
        )
    }


def _changed_aspects(counted: CountedDifference) -> Iterator[Aspect]:
    """The parts that listed changes replace, and attention if they change its mask or positions."""
    for listed in listed_changes(counted):
        match listed.change:
            case StructureChange(aspect):
                yield aspect
            case ConfigChange(models=models):
                yield from (part.aspect for part in listed.parts)
                if masks_or_positions_differ(models):
                    yield Aspect.SEQUENCE
            case FreeChange(id) if id == Aspect.SEQUENCE.id:  # masks, positions or windows
                yield Aspect.SEQUENCE


def _has_difference(section: AlignedSection, groups: Collection[Group]) -> bool:
    """True if a row with stages of these groups is missing, or differs from the one beside it."""
    return any(
        _differs(pair)
        for pair in section.pairs
        if any(row and not row.groups.isdisjoint(groups) for row in pair)
    )


def _differs(pair: Pair) -> bool:
    """True if the boxes of two rows differ, or if one is missing."""
    one, other = pair
    return one is None or other is None or not one.is_like(other)
