"""A difference in sentences, as an author would write them."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Paragraph
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import V
from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import Difference, SizeChange
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.formats import short
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.changed_values import (
    arrow_text,
    changed_name,
    key_change_text,
    key_change_values,
)
from sphinx_llmsize.views.difference.changes_without_cost import (
    different_kinds,
    have_different_windows,
)
from sphinx_llmsize.views.difference.costs_in_words import cost_text, with_active
from sphinx_llmsize.views.difference.counted_difference import (
    NO_COST,
    CountedDifference,
    shown_keys,
)
from sphinx_llmsize.views.difference.kinds_of_parts import norms_differ
from sphinx_llmsize.views.difference.order_of_tokens import (
    attention_without_cost,
)
from sphinx_llmsize.views.difference.part_changes import (
    changed_parts,
    label_of_part,
    part_change_in_words,
)
from sphinx_llmsize.views.shared.key_text import is_counted
from sphinx_llmsize.views.shared.wording import (
    capital,
    in_sentence,
    listed_text,
    title_first,
    title_in_sentence,
)

MAX_CHANGES = 3
"""Maximum number of changes with a sentence: those that change the most parameters."""
# pairs of messages: for a value that grew, and for one that shrank
VOCABULARY = (
    N_("The vocabulary grew from {before} to {after} tokens"),
    N_("The vocabulary shrank from {before} to {after} tokens"),
)
COUNTED = (
    N_("The number of {things} rose from {before} to {after}"),
    N_("The number of {things} fell from {before} to {after}"),
)
SIZES = (
    N_("The {things} grew from {before} to {after}"),
    N_("The {things} shrank from {before} to {after}"),
)
OTHER = N_("{name} changed from {before} to {after}")
FLAGS = {
    k.TIE_EMBEDDINGS: (
        N_("The LM head has weights of its own, no longer those of the token embedding"),
        N_("The LM head uses the weights of the token embedding, no longer its own"),
    )
}
"""Sentences for flags that became false or true."""
ATTENTION = N_("Attention changed from {before} to {after}")
KIND = N_("The architecture changed from {before} to {after}")
PARTS = {
    Aspect.EMBEDDING: N_("The embeddings changed from {before} to {after}"),
    Aspect.SEQUENCE: N_("The sequence mixing changed from {before} to {after}"),
    Aspect.FEED_FORWARD: N_("The kind of FFN changed from {before} to {after}"),
    Aspect.RESIDUAL: N_("The residual streams changed from {before} to {after}"),
    Aspect.NORMS: N_("The norms changed from {before} to {after}"),
    Aspect.HEAD: N_("The head changed from {before} to {after}"),
}
OTHER_SHAPES = {
    Aspect.EMBEDDING: N_("The embeddings have other shapes"),
    Aspect.SEQUENCE: N_("The sequence mixing has other shapes"),
    Aspect.FEED_FORWARD: N_("The FFN has other shapes"),
    Aspect.RESIDUAL: N_("The residual streams have other shapes"),
    Aspect.NORMS: N_("The norms have other shapes"),
    Aspect.HEAD: N_("The head has other shapes"),
}


def sentences(counted: CountedDifference) -> tuple[Block, ...]:
    """A paragraph on the totals and the changes that cost the most, in their order."""
    difference = counted.difference
    largest = _largest_costs(counted)
    # without any cost, all changes are worth a sentence
    sizes = [each for each in counted.sizes if not largest or each.cost in largest]
    parts = [each for each in counted.structure if not largest or each.cost in largest]
    has_sentence = any(each.aspect is Aspect.SEQUENCE for each in parts)
    attention = () if has_sentence else tuple(_attention_change(counted))
    said = tuple(_windows_said(counted)) if attention else ()
    shown = [(each.cost, _size_change(difference, each)) for each in sizes if each not in said]
    shown += [
        (each.cost, _part_change(difference, each))
        for each in counted.structure
        if each in parts or norms_differ(difference, each) or _has_no_cost(each)
    ]
    if difference.together.parameters:
        shown.append((difference.together, _("The changes interact")))
    texts = [*_kind_change(counted), *(_sentence(counted, cost, text) for cost, text in shown)]
    texts += attention
    return (Paragraph((" ".join((_totals(counted), *texts)),)),)


def _largest_costs(counted: CountedDifference) -> list[Cost]:
    """The costs with the most parameters, and that with the most KV cache; empty without any."""
    all_costs = [*(each.cost for each in counted.sizes), *(p.cost for p in counted.structure)]
    costs = [cost for cost in all_costs if cost.parameters or cost.cache]
    if not costs:
        return []
    by_parameters = sorted(costs, key=lambda cost: abs(cost.parameters), reverse=True)
    return [*by_parameters[:MAX_CHANGES], max(costs, key=lambda cost: abs(cost.cache))]


def _sentence(counted: CountedDifference, cost: Cost, change: str) -> str:
    """A change with its cost, or alone without one, or if the totals have given it."""
    if not cost.cache and (not cost.parameters or cost == counted.difference.total):
        return _("{sentence}.", sentence=change)
    return _("{change}: {cost}.", change=change, cost=cost_text(counted, cost))


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
    names = {"one": title_in_sentence(difference.one), "other": title_first(difference.other)}
    more = with_active(difference.total)
    if short(before) == short(after):
        return _("{other} has {difference} than {one}.", difference=more, **names)
    return _(
        "{other} has {difference} than {one}: {after} instead of {before}.",
        difference=more,
        before=short(before),
        after=short(after),
        **names,
    )


def _has_no_cost(change: StructureChange) -> bool:
    """True for a part that costs the same; attention without a cost has a sentence of its own."""
    return change.cost == NO_COST and change.aspect is not Aspect.SEQUENCE


def _size_change(difference: Difference, change: SizeChange) -> str:
    """``The vocabulary grew from 32,000 to 128,256 tokens``."""
    keys, models = shown_keys(change), (difference.one, difference.other)
    if len(keys) == 1:
        return _key_change(keys[0], changed_name(models, keys[0]))
    parts = changed_parts(difference, change)
    if parts:  # of the other keys, they say more
        keys = tuple(each for each in keys if each.key.symbol or each.key in FLAGS)
    texts = [
        _("{name} ({values})", name=changed_name(models, each), values=key_change_text(each))
        for each in keys
    ]
    texts += [
        _("{name} ({values})", name=in_sentence(label), values=arrow_text(*before_and_after))
        for label, before_and_after in parts
    ]
    return _("{changes} changed together", changes=capital(listed_text(texts)))


def _key_change(change: KeyChange, name: str) -> str:
    """A change of one key, without a full stop: ``The vocabulary grew from … to … tokens``."""
    before, after = change.before, change.after
    if change.key in FLAGS:
        return _(FLAGS[change.key][bool(after)])
    if not change.key.symbol or type(before) is not int or type(after) is not int:
        before_text, after_text = key_change_values(change)
        return _(OTHER, name=capital(name), before=before_text, after=after_text)
    if is_counted(change.key):
        grew, shrank = COUNTED
    elif change.key.symbol == V:
        grew, shrank = VOCABULARY
    else:
        grew, shrank = SIZES
    before_text, after_text = key_change_values(change)
    message = shrank if after < before else grew
    return _(message, things=name, before=before_text, after=after_text)


def _part_change(difference: Difference, change: StructureChange) -> str:
    before, after = part_change_in_words(difference, change)
    if before == after:
        return _(OTHER_SHAPES[change.aspect])
    label = label_of_part(difference, change)
    message = ATTENTION if label == Group.ATTENTION.label else PARTS[change.aspect]
    return _(message, before=before, after=after)


def _kind_change(counted: CountedDifference) -> Iterator[str]:
    """A sentence on a model of another kind, such as an encoder."""
    before, after = different_kinds(counted)
    if before:
        yield _("{sentence}.", sentence=_(KIND, before=before, after=after))


def _attention_change(counted: CountedDifference) -> Iterator[str]:
    """A sentence on other masks, positions and windows of attention, which cost no parameters."""
    before, after = attention_without_cost(counted.difference.one, counted.difference.other)
    if before:
        yield _("{sentence}.", sentence=_(ATTENTION, before=before, after=after))


def _windows_said(counted: CountedDifference) -> Iterator[SizeChange]:
    """Changes of windows only, which the sentence on attention describes with their layers."""
    models = (counted.difference.one, counted.difference.other)
    if have_different_windows(models):
        for change in counted.sizes:
            are_windows = all(each.key.kind is ValueKind.WINDOW for each in change.keys)
            if are_windows and not change.cost.parameters and not change.cost.cache:
                yield change
