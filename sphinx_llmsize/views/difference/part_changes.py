"""A replaced part of an architecture in words: before and after."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from sphinx_llmsize.changes.scale_sizes import with_values
from sphinx_llmsize.config import keys as k
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.config.symbols import E, K
from sphinx_llmsize.differences.difference import ConfigChange, Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.details_beside_kinds import (
    details_beside_kinds,
    with_different_layers,
)
from sphinx_llmsize.views.difference.different_details import (
    details_at_same_sizes,
    different_details,
)
from sphinx_llmsize.views.difference.different_norms import different_norms
from sphinx_llmsize.views.difference.feed_forward_widths import with_widths
from sphinx_llmsize.views.difference.kinds_of_parts import (
    Kinds,
    differ_in_kind,
    has_row_of_heads,
    kinds_of,
    parts_of,
    with_biases_if_they_differ,
)
from sphinx_llmsize.views.difference.layer_arrangement import different_placements
from sphinx_llmsize.views.difference.pairs import (
    NO_DIFFERENCE,
    DescriptionPair,
    Descriptions,
    Models,
    Texts,
)
from sphinx_llmsize.views.in_words.description import (
    texts_of,
    with_details,
    with_parentheses,
)
from sphinx_llmsize.views.in_words.norms_in_words import describe_norms
from sphinx_llmsize.views.in_words.parts_in_words import kinds_of_groups, part_label

LISTS = frozenset((Aspect.EMBEDDING, Aspect.RESIDUAL, Aspect.NORMS, Aspect.HEAD))
"""Parts described by a list or a number of stages, which is left out if only details differ."""
OUTSIDE_LAYERS = frozenset((Aspect.EMBEDDING, Aspect.HEAD))
"""Parts outside the layers, described at the same sizes, since other sizes have their own rows."""
PARTS_OF_KEYS = (Aspect.SEQUENCE, Aspect.FEED_FORWARD, Aspect.NORMS)
"""Parts that changed keys can replace."""


def part_change_in_words(difference: Difference, change: StructureChange) -> Texts:
    """The part in the first model and in the second: ``("FFN", "8 experts (2 active)")``.

    Parts of the same kind are described by the details in which they differ. The details that count
    are those that differ at the same sizes, in ``change.models``, but they are described at the
    models' own sizes, in ``difference.models``; embeddings and the head, whose details are mostly
    sizes, at the same sizes.
    """
    aspect = change.aspect
    changed_keys = {each.key for each in difference.key_changes}
    if aspect is Aspect.HEAD and k.TIE_EMBEDDINGS in changed_keys:
        before, after = map(_untied, change.models)  # tying has a row of its own
        change = replace(change, before=before, after=after)
    models = change.models if aspect in OUTSIDE_LAYERS else difference.models
    if aspect is Aspect.NORMS:
        placements = different_placements(models)
        if any(placements):
            return _texts(_norms_with_places(models, placements))
        if norms := different_norms(change.models, models):
            return _texts(norms)
    kinds = kinds_of(models, aspect)
    if kinds[0] != kinds[1] and differ_in_kind(change):
        return _texts(_part_of_other_kind(difference, change))
    details = different_details(change.models, models, aspect)
    is_kind_omitted = aspect in LISTS or has_row_of_heads(difference, change)
    if is_kind_omitted and all(details):
        return texts_of(details[0]), texts_of(details[1])
    return _texts(_with_details(kinds, details))


def _untied(model: Model) -> Model:
    """The model with an LM head of its own; the model itself if it can't have one."""
    try:
        return with_values(model, {k.TIE_EMBEDDINGS: False})
    except ConfigError:
        return model


def _part_of_other_kind(difference: Difference, change: StructureChange) -> Kinds:
    """The part of two models, of different kinds, with the details from which its cost follows."""
    aspect = change.aspect
    models = difference.models if aspect not in OUTSIDE_LAYERS else change.models
    if aspect is Aspect.FEED_FORWARD:
        # a number of experts, or of those for each token, has a row of its own
        has_row = any(each.key.symbol in {E, K} for each in difference.key_changes)
        named = (*difference.key_changes, *difference.with_structure)
        parts = with_widths(models, change.models, named, has_row_of_experts=has_row)
    else:
        parts = with_biases_if_they_differ(models, change.models, aspect)
    parts = with_different_layers(parts, change.models, models, aspect)
    return _with_details(parts, details_beside_kinds(change.models, models, aspect))


def _texts(parts: Kinds) -> Texts:
    """The texts of the descriptions of a part."""
    before, after = parts
    return before.text, after.text


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

    The names say enough in three cases: all keys are sizes, unless experts replace an MLP; only
    details of a single part change; or a single flag changes only details, such as biases. A part
    that other changes of the difference replace too is left out.
    """
    symbols = {each.key.symbol for each in change.key_changes}
    if None not in symbols and E not in symbols:
        return ()
    parts: list[ChangedPart] = []
    has_other_kind = False
    for aspect in PARTS_OF_KEYS:
        before, after = _part_of_same_family(change, aspect)
        kinds = [kind.about for kind in kinds_of(change.models, aspect)]
        kinds_in_all = [kind.about for kind in kinds_of(difference.models, aspect)]
        is_replaced_here_only = kinds == kinds_in_all
        if before.about != after.about and is_replaced_here_only:
            texts = before.text, after.text
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
        return any(different_placements(models))
    one, other = models
    return kinds_of_groups(one, aspect) != kinds_of_groups(other, aspect)


def _part_of_same_family(change: ConfigChange, aspect: Aspect) -> Kinds:
    """The part of two models of the same family, with the details in which they differ.

    Feed-forward networks of other kinds have their widths, unless the changed keys name these.
    """
    models = change.models
    placements = different_placements(models) if aspect is Aspect.NORMS else NO_DIFFERENCE
    if any(placements):
        return _norms_with_places(models, placements)
    norms = different_norms(models, models) if aspect is Aspect.NORMS else None
    if norms:
        return norms
    kinds = kinds_of(models, aspect)
    if kinds[0] == kinds[1]:
        return _with_details(kinds, details_at_same_sizes(models, aspect))
    if aspect is Aspect.FEED_FORWARD:
        parts = with_widths(models, models, change.key_changes, has_row_of_experts=False)
    else:
        parts = with_biases_if_they_differ(models, models, aspect)
    return with_different_layers(parts, models, models, aspect)


def _norms_with_places(models: Models, places: DescriptionPair) -> Kinds:
    """The norms of both models with their places: ``RMSNorm before each block``."""
    one, other = models
    norms, norms_of_other = parts_of(models, Aspect.NORMS)
    return (
        describe_norms(one, norms, places[0]),
        describe_norms(other, norms_of_other, places[1]),
    )


def _with_details(parts: Kinds, details: Descriptions) -> Kinds:
    """``FFN (in 12 layers)`` for each model: the kind, and details that it doesn't state itself."""
    details_to_add = (
        [each for each in of_model if not (each.facts and each.facts <= part.facts)]
        for part, of_model in zip(parts, details, strict=True)
    )
    before, after = (
        with_details(part, added, with_parentheses(part.text, added)) if added else part
        for part, added in zip(parts, details_to_add, strict=True)
    )
    return before, after
