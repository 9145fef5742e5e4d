"""A difference in sentences, as an author would write them."""

from __future__ import annotations

from sphinx_llmsize.blocks import Block, Paragraph
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.costs import NO_COST, Cost
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.formats import short
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.change_sentences import (
    arrangement_sentence,
    attention_sentence,
    config_change_sentence,
    kind_sentence,
    structure_change_sentence,
)
from sphinx_llmsize.views.difference.changes_without_cost import have_different_windows
from sphinx_llmsize.views.difference.costs_in_words import cost_text, with_active
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.kinds_of_parts import norms_differ
from sphinx_llmsize.views.shared.wording import title_first, title_in_sentence

MAX_CHANGES = 3
"""Maximum number of changes with a sentence: those that change the most parameters."""


def sentences(counted: CountedDifference) -> tuple[Block, ...]:
    """A paragraph on the totals and the changes that cost the most, in their order."""
    difference = counted.difference
    models = difference.models
    config_changes, structure_changes = _changes_to_describe(counted)
    attention = ""
    if not any(change.aspect is Aspect.SEQUENCE for change in structure_changes):
        attention = attention_sentence(models)
    if attention and have_different_windows(models):
        # the sentence on attention describes the windows with their layers
        config_changes = [each for each in config_changes if not _changes_only_windows(each)]
    texts = [_totals(counted)]
    if kind := kind_sentence(models):
        texts.append(_("{sentence}.", sentence=kind))
    for change in config_changes:
        sentence = config_change_sentence(difference, change)
        texts.append(_with_cost(counted, sentence, change.cost))
    for part in structure_changes:
        sentence = structure_change_sentence(difference, part)
        texts.append(_with_cost(counted, sentence, part.cost))
    if difference.interaction.parameters:
        texts.append(_with_cost(counted, _("The changes interact"), difference.interaction))
    for free in (attention, arrangement_sentence(counted)):
        if free:
            texts.append(_("{sentence}.", sentence=free))
    return (Paragraph((" ".join(texts),)),)


def _changes_to_describe(
    counted: CountedDifference,
) -> tuple[list[ConfigChange], list[StructureChange]]:
    """The changes with the largest costs; all changes if there are no costs.

    Norms of another kind and parts without a cost are always among them. Attention without a cost
    has a sentence of its own.
    """
    largest = _largest_costs(counted)
    config_changes = []
    for change in counted.shown_config_changes:
        if not largest or change.cost in largest:
            config_changes.append(change)
    structure_changes = []
    for part in counted.shown_structure_changes:
        is_free = part.cost == NO_COST and part.aspect is not Aspect.SEQUENCE
        is_large = not largest or part.cost in largest
        if is_large or is_free or norms_differ(counted.difference, part):
            structure_changes.append(part)
    return config_changes, structure_changes


def _largest_costs(counted: CountedDifference) -> list[Cost]:
    """The costs with the most parameters, and that with the most KV cache; empty without any."""
    all_costs = [each.cost for each in counted.shown_config_changes]
    all_costs += [each.cost for each in counted.shown_structure_changes]
    costs = [cost for cost in all_costs if cost.parameters or cost.cache]
    if not costs:
        return []
    by_parameters = sorted(costs, key=lambda cost: abs(cost.parameters), reverse=True)
    return [*by_parameters[:MAX_CHANGES], max(costs, key=lambda cost: abs(cost.cache))]


def _changes_only_windows(change: ConfigChange) -> bool:
    """True for a change of attention windows that costs neither parameters nor KV cache."""
    are_windows = all(each.key.kind is ValueKind.WINDOW for each in change.key_changes)
    return are_windows and not change.cost.parameters and not change.cost.cache


def _with_cost(counted: CountedDifference, sentence: str, cost: Cost) -> str:
    """A sentence with its cost, and without it if there is none or the totals have given it."""
    if not cost.cache and (not cost.parameters or cost == counted.difference.total):
        return _("{sentence}.", sentence=sentence)
    return _("{change}: {cost}.", change=sentence, cost=cost_text(counted, cost))


def _totals(counted: CountedDifference) -> str:
    """The totals of both models, and their difference."""
    difference = counted.difference
    before, after = difference.cost_of_one.parameters, difference.cost_of_other.parameters
    if before == after:
        return _(
            "{one} and {other} have the same number of parameters, {number}.",
            one=title_first(difference.one),
            other=title_in_sentence(difference.other),
            number=before,
        )
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
