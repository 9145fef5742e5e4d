"""A difference in sentences, as an author would write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from sphinx_llmsize.blocks import Block, Paragraph
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.formats import short
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.change_sentences import attention_sentence, change_sentence
from sphinx_llmsize.views.difference.changes_without_cost import (
    ARRANGEMENT,
    KIND,
    FreeChange,
    have_different_windows,
)
from sphinx_llmsize.views.difference.costs_in_words import (
    active_parameters_text,
    cost_text,
    with_active,
)
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.kinds_of_parts import blocks_differ, norms_differ
from sphinx_llmsize.views.difference.listed_changes import ListedChange, listed_changes
from sphinx_llmsize.views.shared.model_titles import title_first, title_in_sentence

MAX_CHANGES = 3
"""Maximum number of changes with a sentence because of their parameters: those with the most."""
ACTIVE_PARAMETERS, CACHE = 1, 2
"""Positions of numbers in :func:`_magnitudes`."""


def sentences(counted: CountedDifference) -> tuple[Block, ...]:
    """A paragraph on the totals and the changes that cost the most, in their order."""
    difference = counted.difference
    listed = listed_changes(counted)
    largest = _largest(listed)
    changes = _changes_to_describe(difference, listed, largest)
    omitted = [each.cost for each in listed if each not in changes]
    free = {
        each.change.id: change_sentence(difference, each)
        for each in listed
        if isinstance(each.change, FreeChange)
    }
    attention = ""
    if not any(_is_of_attention(each) for each in changes):
        attention = attention_sentence(difference.models, (each.change for each in changes))
    if attention and have_different_windows(difference.models):
        # the sentence on attention describes the windows with their layers
        changes = [each for each in changes if not _changes_only_windows(each)]
    interaction = _("The changes interact") if difference.interaction.parameters else ""
    statements = [
        (free.get(KIND, ""), NO_COST),
        *(
            (change_sentence(difference, each), _stated_cost(each, largest, omitted))
            for each in changes
        ),
        (interaction, difference.interaction),
        (attention, NO_COST),
        (free.get(ARRANGEMENT, ""), NO_COST),
    ]
    texts = [_with_cost(counted, sentence, cost) for sentence, cost in statements if sentence]
    return (Paragraph((" ".join((_totals(counted), *texts)),)),)


def _changes_to_describe(
    difference: Difference, listed: Sequence[ListedChange], largest: Sequence[ListedChange]
) -> list[ListedChange]:
    """The largest changes of keys and parts; all changes of these if none has a cost.

    Always described are keys without a cost that aren't sizes, parts without a cost, and blocks and
    norms of another kind. Attention of the same kind without a cost has a sentence of its own.
    """
    changes: list[ListedChange] = []
    for each in listed:
        change = each.change
        if isinstance(change, FreeChange):
            continue
        is_free = each.cost == NO_COST and not _is_of_attention(each) and not _has_sizes(each)
        is_described = not largest or each in largest or is_free
        if isinstance(change, StructureChange):
            is_other = blocks_differ(difference, change) or norms_differ(difference, change)
            is_described = is_described or is_other
        if is_described:
            changes.append(each)
    return changes


def _stated_cost(
    described: ListedChange, largest: Sequence[ListedChange], omitted: Sequence[Cost]
) -> Cost:
    """The cost that the sentence on a change states.

    It is the whole cost for one of the largest changes. For others, parameters are left out if a
    change without a sentence costs more of them, and the KV cache for the same reason.
    """
    cost = described.cost
    if described in largest:
        return cost
    if any(abs(each.parameters) > abs(cost.parameters) for each in omitted):
        cost = replace(cost, parameters=0, active=0)
    if any(abs(each.cache) > abs(cost.cache) for each in omitted):
        cost = replace(cost, cache=Fraction(0))
    return cost


def _is_of_attention(listed: ListedChange) -> bool:
    """True for replaced attention, or mixers in its place."""
    change = listed.change
    return isinstance(change, StructureChange) and change.aspect is Aspect.SEQUENCE


def _has_sizes(listed: ListedChange) -> bool:
    """True if one of the named keys is a size."""
    return any(each.key.symbol for each in listed.named_keys)


def _largest(listed: Iterable[ListedChange]) -> list[ListedChange]:
    """The changes with the most parameters, and those with the most active ones and KV cache.

    Among equally many parameters, active ones count, then the KV cache, then FLOPs.
    """
    costly = [each for each in listed if each.cost != NO_COST]
    costly.sort(key=lambda each: _magnitudes(each.cost), reverse=True)
    largest = costly[:MAX_CHANGES]
    for number in (ACTIVE_PARAMETERS, CACHE):
        # the first of equal ones, which has the most parameters
        most = max(costly, key=lambda each: _magnitudes(each.cost)[number], default=None)
        if most and _magnitudes(most.cost)[number]:
            largest.append(most)
    return largest


def _magnitudes(cost: Cost) -> tuple[Fraction | int, ...]:
    """The numbers of a cost without their signs, in the order in which costs are compared."""
    return abs(cost.parameters), abs(cost.active), abs(cost.cache), abs(cost.flops)


def _changes_only_windows(listed: ListedChange) -> bool:
    """True for a change of attention windows that costs neither parameters nor KV cache."""
    change, cost = listed.change, listed.cost
    if not isinstance(change, ConfigChange) or cost.parameters or cost.cache:
        return False
    return all(each.key.kind is ValueKind.WINDOW for each in change.key_changes)


def _with_cost(counted: CountedDifference, sentence: str, cost: Cost) -> str:
    """A sentence with its cost, unless there is none or the sentence on the totals gave it."""
    is_of_no_number = not (cost.parameters or cost.active or cost.cache)
    if is_of_no_number or (not cost.cache and cost == counted.difference.total):
        return _("{sentence}.", sentence=sentence)
    return _("{change}: {cost}.", change=sentence, cost=cost_text(counted, cost))


def _totals(counted: CountedDifference) -> str:
    """The totals of both models, and their difference."""
    difference = counted.difference
    before, after = difference.cost_of_one.parameters, difference.cost_of_other.parameters
    if before == after:
        same = _(
            "{one} and {other} have the same number of parameters, {number}.",
            one=title_first(difference.one),
            other=title_in_sentence(difference.other),
            number=before,
        )
        active = active_parameters_text(difference.total)
        if not active:
            return same
        of_other = _("{model} has {number}.", model=title_first(difference.other), number=active)
        return _("{sentence} {next}", sentence=same, next=of_other)
    if short(before) == short(after):
        return _(
            "{other} has {difference} than {one}.",
            difference=with_active(difference.total),
            one=title_in_sentence(difference.one),
            other=title_first(difference.other),
        )
    return _(
        "{other} has {difference} than {one}: {after} instead of {before}.",
        difference=with_active(difference.total),
        one=title_in_sentence(difference.one),
        other=title_first(difference.other),
        before=short(before),
        after=short(after),
    )
