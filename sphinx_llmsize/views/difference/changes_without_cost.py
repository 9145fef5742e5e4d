"""Changes that no listed key or part names, at no cost.

They are other kinds of models, positions, masks, windows, and arrangements of attention and FFN.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.key import ValueKind
from sphinx_llmsize.differences.difference import ConfigChange
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.difference.kinds_of_parts import parts_of
from sphinx_llmsize.views.difference.layer_arrangement import (
    different_arrangements,
    different_placements,
)
from sphinx_llmsize.views.difference.masks_and_positions import (
    different_window_sizes,
    different_windows,
    masks_and_positions,
    masks_or_positions_differ,
)
from sphinx_llmsize.views.difference.pairs import (
    NO_TEXTS,
    DescriptionPair,
    Models,
    Texts,
    if_different,
    joined_texts,
)
from sphinx_llmsize.views.in_words.description import Description, named
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache
from sphinx_llmsize.views.shared.encoders import is_encoder, is_encoder_decoder

KIND = "kind"
"""Id of another kind of model."""
ARRANGEMENT = "arrangement"
"""Id of another arrangement of attention and FFN: in parallel, or one after the other."""
LABELS = {
    KIND: N_("Architecture"),
    Aspect.SEQUENCE.id: Group.ATTENTION.label,
    ARRANGEMENT: N_("Attention and FFN"),
}
"""Untranslated heading of each change without a cost, by its id."""


@dataclass(frozen=True)
class FreeChange:
    """A change without a cost.

    Attributes:
        id: name in data; a key of :data:`LABELS`.
        texts: description for the first model and for the second: ``causal``, ``bidirectional``.
    """

    id: str
    texts: Texts

    @property
    def label(self) -> str:
        """Heading, untranslated: ``Attention``."""
        return LABELS[self.id]


def changes_without_cost(
    models: Models, of_keys: Sequence[ConfigChange], of_parts: Sequence[StructureChange]
) -> Iterator[FreeChange]:
    """Another kind of model, attention and arrangement of blocks, if no other row names it.

    Args:
        models: the two models.
        of_keys: changes of keys that have rows of their own.
        of_parts: replaced parts that have rows of their own.
    """
    aspects = {each.aspect for each in of_parts}
    changes = (
        FreeChange(KIND, joined_texts([if_different(*map(_kind, models))])),
        FreeChange(Aspect.SEQUENCE.id, _attention_without_row(models, of_keys, aspects)),
        FreeChange(ARRANGEMENT, _arrangements_without_row(models, of_keys, aspects)),
    )
    return (change for change in changes if any(change.texts))


def _arrangements_without_row(
    models: Models, of_keys: Sequence[ConfigChange], aspects: Collection[Aspect]
) -> Texts:
    """``in parallel`` and ``one after the other``, unless a changed key or the norms have a row."""
    if any(any(different_arrangements(each.models)) for each in of_keys):
        return NO_TEXTS
    # the places of the norms name it: "before attention and FFN in parallel"
    if Aspect.NORMS in aspects and any(different_placements(models)):
        return NO_TEXTS
    return joined_texts([different_arrangements(models)])


def _kind(model: Model) -> Description | None:
    """The kind of a model; None if unknown. Recurrent models, which have a cache, are decoders."""
    if is_encoder_decoder(model):
        return named(N_("encoder-decoder"))
    if is_encoder(model):
        return named(N_("encoder-only"))
    return named(N_("decoder-only")) if has_kv_cache(model) else None


def _attention_without_row(
    models: Models, of_keys: Sequence[ConfigChange], aspects: Collection[Aspect]
) -> Texts:
    """Other masks, positions and windows, unless a row on the whole part names them.

    Windows are left out if a changed key with a row of its own causes them.
    """
    if Aspect.SEQUENCE in aspects:
        return NO_TEXTS
    pairs = unnamed_masks_and_positions(models, of_keys)
    if not any(have_different_windows(each.models) for each in of_keys):
        # only other sizes of windows count, not the same windows in other layers
        pairs.append(different_window_sizes(models))
    return joined_texts(pairs)


def unnamed_masks_and_positions(models: Models, listed: Iterable[object]) -> list[DescriptionPair]:
    """Masks and positions of both models, unless the name of a changed flag says how they differ.

    Args:
        models: the models.
        listed: the changes that have rows.
    """
    of_flags = (
        change
        for change in listed
        if isinstance(change, ConfigChange)
        and all(each.key.kind is ValueKind.FLAG for each in change.key_changes)
    )
    is_named = any(masks_or_positions_differ(change.models) for change in of_flags)
    return [] if is_named else masks_and_positions(models)


def have_different_windows(models: Models) -> bool:
    """True if the attention of two models has different windows."""
    return any(different_windows(models, parts_of(models, Aspect.SEQUENCE)))
