"""A replaced part of an architecture in words: before and after."""

from __future__ import annotations

from typing import NamedTuple

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import F_E, E, F, K
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.different_details import (
    Details,
    details_at_same_sizes,
    different_details,
    only_in_one,
    without_repetition,
)
from sphinx_llmsize.views.difference.kinds_of_parts import (
    differ_in_kind,
    has_row_of_heads,
    kinds_in_words,
    parts_of,
    with_biases_if_they_differ,
    without_numbers,
)
from sphinx_llmsize.views.difference.layer_arrangement import different_placements
from sphinx_llmsize.views.difference.order_of_tokens import different_windows, masks_and_positions
from sphinx_llmsize.views.difference.text_pairs import Models, Texts, if_different, joined_texts
from sphinx_llmsize.views.in_words.attention_in_words import attention_in_words
from sphinx_llmsize.views.in_words.experts_in_words import numbers_of_experts
from sphinx_llmsize.views.in_words.norms_in_words import norms_in_words
from sphinx_llmsize.views.in_words.part_details import inner_width
from sphinx_llmsize.views.in_words.parts_in_words import group_names, part_label
from sphinx_llmsize.views.shared.wording import comma_separated

LISTS = frozenset((Aspect.EMBEDDING, Aspect.RESIDUAL, Aspect.HEAD))
"""Parts whose kind is a list of stages, which is left out if only details differ."""
WIDTHS = frozenset((F, F_E))
"""Symbols of the widths of feed-forward networks."""


def part_change_in_words(difference: Difference, change: StructureChange) -> Texts:
    """The part in the first model and in the second: ``("FFN", "8 experts (2 active)")``.

    Parts of the same kind get the details in which they differ. Differences are looked for at the
    same sizes, but described as they are in the models themselves.
    """
    models, aspect = difference.models, change.aspect
    if aspect is Aspect.NORMS:
        placements = different_placements(models)
        if placements:
            return _norms_with_places(models, placements)
    kinds = kinds_in_words(models, aspect)
    if kinds[0] != kinds[1] and differ_in_kind(change):
        texts = with_biases_if_they_differ(models, aspect)
        if aspect is Aspect.FEED_FORWARD and _has_row_of_experts(difference):
            return _without_numbers_of_experts(models, texts)
        if aspect is Aspect.SEQUENCE:
            return _with_details_of_attention(texts, models)
        return texts
    details = different_details(change.models, models, aspect)
    is_kind_omitted = aspect in LISTS or has_row_of_heads(difference, change)
    before, after = details
    if is_kind_omitted and before and after:
        return comma_separated(before), comma_separated(after)
    return _with_details(kinds, details)


class ChangedPart(NamedTuple):
    """A part of the architecture that changed keys replace.

    Attributes:
        aspect: the part.
        label: its label, untranslated.
        texts: the part before and after, in words.
    """

    aspect: Aspect
    label: str
    texts: Texts


def changed_parts(difference: Difference, change: ConfigChange) -> tuple[ChangedPart, ...]:
    """The parts that a change of keys replaces; empty if the names of the keys say enough.

    They do in three cases: all keys are sizes, unless experts replace an MLP; only details of a
    single part change; or a single flag changes only details, such as biases. A part that other
    changes replace too is left out.
    """
    symbols = {each.key.symbol for each in change.key_changes}
    if None not in symbols and E not in symbols:
        return ()
    parts: list[ChangedPart] = []
    has_other_kind = False
    for aspect in (Aspect.SEQUENCE, Aspect.FEED_FORWARD, Aspect.NORMS):
        texts = _part_of_same_family(change, aspect)
        kinds = without_numbers(kinds_in_words(change.models, aspect))
        own_kinds = without_numbers(kinds_in_words(difference.models, aspect))
        before, after = without_numbers(texts)
        is_replaced_here_only = kinds == own_kinds
        if before != after and is_replaced_here_only:
            parts.append(ChangedPart(aspect, part_label(change.models, aspect), texts))
            has_other_kind = has_other_kind or _have_other_kinds(change.models, aspect)
    if None not in symbols and not has_other_kind:
        return ()
    is_flag = len(change.key_changes) == 1 and change.key_changes[0].key.kind is ValueKind.FLAG
    is_named_by_keys = not has_other_kind and (is_flag or len(parts) == 1)
    return () if is_named_by_keys else tuple(parts)


def _have_other_kinds(models: Models, aspect: Aspect) -> bool:
    """True if the part is of another kind, such as another attention; for norms, in other places.

    The number of layers of each kind doesn't count.
    """
    if aspect is Aspect.NORMS:
        return different_placements(models) is not None
    one, other = models
    return without_numbers(group_names(one, aspect)) != without_numbers(group_names(other, aspect))


def _has_row_of_experts(difference: Difference) -> bool:
    """True if a number of experts, or of those for each token, has a row of its own."""
    key_changes = (each for row in difference.config_changes for each in row.key_changes)
    return any(each.key.symbol in {E, K} for each in key_changes)


def _without_numbers_of_experts(models: Models, texts: Texts) -> Texts:
    """``experts plus 1 shared expert``, for models whose numbers of experts have another row.

    Parts that only differ in these numbers keep them.
    """
    shown: list[str] = []
    for model, part, text in zip(models, parts_of(models, Aspect.FEED_FORWARD), texts, strict=True):
        numbers = numbers_of_experts(model, part)
        shown.append(text.replace(numbers, _("experts")) if numbers else text)
    before, after = shown
    return texts if before == after else (before, after)


def _part_of_same_family(change: ConfigChange, aspect: Aspect) -> Texts:
    """The part of two models of the same family, with the details in which they differ.

    Feed-forward networks of other kinds have their widths, unless these are among the changed keys.
    """
    models = change.models
    placements = different_placements(models) if aspect is Aspect.NORMS else None
    if placements:
        return _norms_with_places(models, placements)
    kinds = kinds_in_words(models, aspect)
    if kinds[0] == kinds[1]:
        return _with_details(kinds, details_at_same_sizes(models, aspect))
    texts = with_biases_if_they_differ(models, aspect)
    has_width = any(each.key.symbol in WIDTHS for each in change.key_changes)
    if has_width or aspect is not Aspect.FEED_FORWARD:
        return texts
    widths = (
        inner_width(model, part)
        for model, part in zip(models, parts_of(models, aspect), strict=True)
    )
    return joined_texts((texts, if_different(*widths)))


def _norms_with_places(models: Models, places: Texts) -> Texts:
    """The norms of both models with their places: ``RMSNorm before each block``."""
    one, other = models
    norms, norms_of_other = parts_of(models, Aspect.NORMS)
    return (
        norms_in_words(one, norms, places[0]),
        norms_in_words(other, norms_of_other, places[1]),
    )


def _with_details_of_attention(texts: Texts, models: Models) -> Texts:
    """The texts on sequence mixing, with details of the attention that they don't name.

    These are its masks, positions and windows. If both models have attention of the same kind,
    they are also the components that only one of them has, such as relative positions beside
    convolutions in the other model.
    """
    attention, attention_of_other = (
        [placed for placed in part if placed.stage.group is Group.ATTENTION]
        for part in parts_of(models, Aspect.SEQUENCE)
    )
    details = masks_and_positions(models)
    if attention and attention_of_other:
        kind = attention_in_words(models[0], attention)
        if kind == attention_in_words(models[1], attention_of_other):
            components, _matrices = only_in_one(attention, attention_of_other)
            details.append(components)
    details.append(different_windows(models, (attention, attention_of_other)))
    return _with_details(texts, without_repetition(details))


def _with_details(kinds: Texts, details: Details) -> Texts:
    """``FFN (in 12 layers)``, for each model; only the kind without details."""
    before, after = (
        _("{part} ({details})", part=kind, details=comma_separated(some)) if some else kind
        for kind, some in zip(kinds, details, strict=True)
    )
    return before, after
