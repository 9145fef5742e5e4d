"""Changes without a cost or a changed key: other kinds of models, positions, masks and windows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.kinds_of_parts import parts_of
from sphinx_llmsize.views.difference.norm_placement import different_placements
from sphinx_llmsize.views.difference.order_of_tokens import (
    different_window_sizes,
    different_windows,
    masks_and_positions,
)
from sphinx_llmsize.views.difference.parallel_blocks import different_arrangements
from sphinx_llmsize.views.difference.text_pairs import (
    NO_TEXTS,
    Models,
    Texts,
    if_different,
    joined_texts,
)
from sphinx_llmsize.views.features.kinds import is_encoder, is_encoder_decoder
from sphinx_llmsize.views.numbers.byte_measures import has_kv_cache


@dataclass(frozen=True)
class FreeChange:
    """A change without a cost.

    Attributes:
        id: name in data.
        label: heading, untranslated: ``Attention``.
        texts: description for the first model and for the second: ``causal``, ``bidirectional``.
    """

    id: str
    label: str
    texts: Texts


def changes_without_cost(counted: CountedDifference) -> Iterator[FreeChange]:
    """Another kind of model, attention and arrangement of blocks, if no other row names it."""
    texts = different_kinds(counted.difference.models)
    if any(texts):
        yield FreeChange("kind", N_("Architecture"), texts)
    texts = _attention_without_row(counted)
    if any(texts):
        yield FreeChange(Aspect.SEQUENCE.id, Group.ATTENTION.label, texts)
    texts = arrangements_without_row(counted)
    if any(texts):
        yield FreeChange("arrangement", N_("Attention and FFN"), texts)


def arrangements_without_row(counted: CountedDifference) -> Texts:
    """``in parallel`` and ``one after the other``, unless a changed key or the norms have a row."""
    models = counted.difference.models
    if any(any(different_arrangements(each.models)) for each in counted.shown_config_changes):
        return NO_TEXTS
    has_row_of_norms = any(each.aspect is Aspect.NORMS for each in counted.shown_structure_changes)
    if has_row_of_norms and different_placements(models):
        return NO_TEXTS
    return different_arrangements(models)


def different_kinds(models: Models) -> Texts:
    """``encoder-decoder`` and ``decoder-only``; both are empty for models of the same kind."""
    one, other = models
    return if_different(_kind(one), _kind(other))


def _kind(model: Model) -> str:
    """The kind of a model; empty if unknown. Recurrent models are decoders too."""
    if is_encoder_decoder(model):
        return _("encoder-decoder")
    if is_encoder(model):
        return _("encoder-only")
    if has_kv_cache(model):
        return _("decoder-only")
    return ""


def _attention_without_row(counted: CountedDifference) -> Texts:
    """Other masks, positions and windows, unless a row on the whole part names them.

    Windows are left out if a changed key with a row of its own causes them.
    """
    if any(each.aspect is Aspect.SEQUENCE for each in counted.shown_structure_changes):
        return NO_TEXTS
    models = counted.difference.models
    texts = masks_and_positions(models)
    if not any(have_different_windows(each.models) for each in counted.shown_config_changes):
        texts.append(different_window_sizes(models))
    return joined_texts(texts)


def have_different_windows(models: Models) -> bool:
    """True if the attention of two models has different windows."""
    return any(different_windows(models, parts_of(models, Aspect.SEQUENCE)))
