"""Labels in the brackets of a sum of parameters: of groups or stages, and of one layer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.author_labels import Labels, group_in_sentence
from sphinx_llmsize.views.shared.occurrences import Occurrence


def is_divided(group: Group, members_of_brackets: Iterable[Sequence[Occurrence]]) -> bool:
    """True if rows must name the stages of a group, since the name of the group is ambiguous.

    A group in several brackets is ambiguous if some layer has stages in two of them, or if one of
    them has a single stage of the group. The attention of an encoder and that of a decoder are
    not: no layer has both.

    Args:
        group: the group.
        members_of_brackets: the stages of each bracket.
    """
    parts: list[list[Occurrence]] = []
    for members in members_of_brackets:
        of_group = [each for each in members if each.stage.group is group]
        if of_group:
            parts.append(of_group)
    if len(parts) <= 1:
        return False
    stacks = [stack for part in parts for stack in part[0].stacks]
    is_twice_in_a_layer = len(set(stacks)) < len(stacks)
    return is_twice_in_a_layer or any(len(part) == 1 for part in parts)


def is_whole_layer(
    members: Sequence[Occurrence], members_of_brackets: Iterable[Sequence[Occurrence]]
) -> bool:
    """True if the bracket of these stages has all stages of its layers, except the norms.

    Args:
        members: the stages of the bracket.
        members_of_brackets: the stages of each bracket.
    """
    stacks = set(members[0].stacks)
    for others in members_of_brackets:
        if others is not members and not stacks.isdisjoint(others[0].stacks):
            return False
    return True


def layer_label(labels: Labels, *, has_norms: bool) -> str:
    """Label of the sum of all stages of a layer, except its norms: they have a row of their own.

    Args:
        labels: the author's own labels.
        has_norms: True if the layers have norms.
    """
    if not has_norms:
        return _("One layer")
    return _("One layer without {norms}", norms=group_in_sentence(labels, Group.NORMS))
