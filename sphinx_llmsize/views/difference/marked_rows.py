"""The diagram's aligned rows, with a mark on each part that the table of changes lists.

Rows are compared by their weights. A part can change without them: attention in its mask, windows
or positions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.views.difference.aligned_rows import AlignedSection, Pair, aligned_sections
from sphinx_llmsize.views.difference.changes_without_cost import FreeChange
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.listed_changes import listed_changes
from sphinx_llmsize.views.difference.order_of_tokens import masks_and_positions
from sphinx_llmsize.views.difference.text_pairs import NO_TEXTS, Texts, joined_texts

Groups = Collection[Group]
"""Groups of the stages of a part."""


def marked_sections(counted: CountedDifference) -> list[AlignedSection]:
    """The aligned sections; if no row of a changed part differs, all of its rows are marked.

    Norms aren't marked if a row of attention differs, since it may contain them.
    """
    models = counted.difference.models
    unmarked = aligned = aligned_sections(models)
    order = joined_texts(masks_and_positions(models))
    for aspect in _changed_aspects(counted):
        groups = set(aspect.value)
        # norms of queries and keys belong to the row of their attention
        searched = groups | set(Aspect.SEQUENCE.value) if aspect is Aspect.NORMS else groups
        if not any(_differ(pair, searched) for section in unmarked for pair in section.pairs):
            texts = order if aspect is Aspect.SEQUENCE else NO_TEXTS
            aligned = [
                replace(section, pairs=[_marked(pair, groups, texts) for pair in section.pairs])
                for section in aligned
            ]
    return aligned


def _changed_aspects(counted: CountedDifference) -> Iterator[Aspect]:
    """The parts that have a row of their own in the table, and those of keys that have one."""
    for change in listed_changes(counted):
        match change.source:
            case StructureChange(aspect):
                yield aspect
            case ConfigChange():
                yield from (part.aspect for part in change.parts)
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
    return replace(one, order=before, is_changed=True), replace(other, order=after, is_changed=True)
