"""Changes that cost nothing and that no key names: other positions, masks and windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.difference import SizeChange
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.order_of_tokens import (
    Texts,
    attention_without_cost,
    other_masks,
    other_positions,
    other_windows,
)
from sphinx_llmsize.views.in_words.parts_in_words import places_of_part


@dataclass(frozen=True)
class FreeChange:
    """A change without a cost.

    Attributes:
        aspect: the part of the architecture that changes.
        label: label of the part, untranslated.
        texts: the part in the first model and in the second.
    """

    aspect: Aspect
    label: str
    texts: Texts


def changes_without_cost(counted: CountedDifference) -> Iterator[FreeChange]:
    """Changes of attention, unless a row on the whole part names them.

    Windows are left out if a changed key with a row of its own causes them.
    """
    if any(each.aspect is Aspect.SEQUENCE for each in counted.structure):
        return
    has_windows = not any(map(changes_windows, counted.sizes))
    models = (counted.difference.one, counted.difference.other)
    texts = attention_without_cost(*models, with_windows=has_windows)
    if any(texts):
        yield FreeChange(Aspect.SEQUENCE, Group.ATTENTION.label, texts)


def changes_windows(change: SizeChange) -> bool:
    """True if the change alone results in other attention windows."""
    models = (change.before, change.after)
    return any(other_windows(models, [places_of_part(m, Aspect.SEQUENCE) for m in models]))


def changes_order(change: SizeChange) -> bool:
    """True if the change alone results in another kind of positions, or another mask."""
    models = (change.before, change.after)
    return any((*other_masks(*models), *other_positions(*models)))
