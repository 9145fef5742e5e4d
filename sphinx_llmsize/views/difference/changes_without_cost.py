"""Changes that cost nothing and that no key names: other positions, masks and windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.difference import SizeChange
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.differences.used_keys import has_attention
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.order_of_tokens import (
    attention_without_cost,
    different_masks,
    different_positions,
    different_windows,
)
from sphinx_llmsize.views.difference.text_pairs import Models, Texts, if_different
from sphinx_llmsize.views.features.kinds import is_encoder, is_encoder_decoder
from sphinx_llmsize.views.in_words.parts_in_words import placed_stages_of_part
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache


@dataclass(frozen=True)
class FreeChange:
    """A change without a cost.

    Attributes:
        id: name in data.
        label: label of what changes, untranslated.
        texts: how it is in the first model and in the second.
    """

    id: str
    label: str
    texts: Texts


def changes_without_cost(counted: CountedDifference) -> Iterator[FreeChange]:
    """Another kind of model, and changes of attention that no other row names."""
    texts = different_kinds(counted)
    if any(texts):
        yield FreeChange("kind", N_("Architecture"), texts)
    yield from _changes_of_attention(counted)


def different_kinds(counted: CountedDifference) -> Texts:
    """``encoder-decoder`` and ``decoder-only``; both are empty for models of the same kind."""
    return if_different(*map(_kind, (counted.difference.one, counted.difference.other)))


def _kind(model: Model) -> str:
    """The kind of a model with attention; empty for other models."""
    if is_encoder_decoder(model):
        return _("encoder-decoder")
    if is_encoder(model):
        return _("encoder-only")
    return _("decoder-only") if has_attention(model) and has_kv_cache(model) else ""


def _changes_of_attention(counted: CountedDifference) -> Iterator[FreeChange]:
    """Other masks, positions and windows, unless a row on the whole part names them.

    Windows are left out if a changed key with a row of its own causes them.
    """
    if any(each.aspect is Aspect.SEQUENCE for each in counted.structure):
        return
    has_windows = not any(map(changes_windows, counted.sizes))
    models = (counted.difference.one, counted.difference.other)
    texts = attention_without_cost(*models, with_windows=has_windows)
    if any(texts):
        yield FreeChange(Aspect.SEQUENCE.name.lower(), Group.ATTENTION.label, texts)


def changes_windows(change: SizeChange) -> bool:
    """True if the change alone results in other attention windows."""
    return have_different_windows((change.before, change.after))


def have_different_windows(models: Models) -> bool:
    """True if the attention of two models has different windows."""
    attention = [placed_stages_of_part(model, Aspect.SEQUENCE) for model in models]
    return any(different_windows(models, attention))


def changes_order(change: SizeChange) -> bool:
    """True if the change alone results in another kind of positions, or another mask."""
    models = (change.before, change.after)
    return any((*different_masks(*models), *different_positions(*models)))
