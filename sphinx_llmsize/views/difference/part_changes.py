"""A replaced part of an architecture in words: before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.part_components import (
    components_of,
    computations_of,
    has_biases,
    matrices_of,
    names_of,
    tensors_of,
)
from sphinx_llmsize.views.difference.part_details import (
    DETAILS,
    Detail,
    in_few_layers,
    shapes,
    windows,
)
from sphinx_llmsize.views.difference.parts_in_words import part_in_words, part_label, places_of_part
from sphinx_llmsize.views.shared.wording import comma_separated, listed_text

Models = tuple[Model, Model]
Texts = tuple[str, str]
LISTS = frozenset((Aspect.EMBEDDING, Aspect.RESIDUAL, Aspect.HEAD))
"""Parts whose kind is a list of stages, which is left out if only details differ."""
MAX_SHAPES = 3
"""Maximum number of tensors whose shapes are shown."""


def part_change_in_words(difference: Difference, change: StructureChange) -> Texts:
    """The part in the first model and in the second: ``("MLP", "8 experts (2 active)")``.

    Parts of the same kind get the details in which they differ. What differs is found at the same
    sizes, but described as it is in the models themselves.
    """
    same_sizes = (change.before, change.after)
    own_sizes = (difference.one, difference.other)
    kinds = _kinds(own_sizes, change.aspect)
    if kinds[0] != kinds[1] and differ_in_kind(change):
        return _with_biases(own_sizes, change.aspect, kinds)
    details = _details(same_sizes, own_sizes, change.aspect)
    if change.aspect in LISTS and any(details):
        return comma_separated(details[0]), comma_separated(details[1])
    return _with_details(kinds[0], details[0]), _with_details(kinds[1], details[1])


def label_of_part(difference: Difference, change: StructureChange) -> str:
    """Label of the part, untranslated: ``Attention``."""
    return part_label((difference.one, difference.other), change.aspect)


def differ_in_kind(change: StructureChange) -> bool:
    """True if the part before and the part after have different names at the same sizes."""
    before, after = _kinds((change.before, change.after), change.aspect)
    return before != after


def windows_differ(change: StructureChange) -> bool:
    """True if other layers have attention windows, or windows of other sizes."""
    before, after = (
        windows(model, places_of_part(model, change.aspect))
        for model in (change.before, change.after)
    )
    return before != after


def _kinds(models: Models, aspect: Aspect) -> Texts:
    one, other = models
    return part_in_words(one, aspect), part_in_words(other, aspect)


def _with_biases(models: Models, aspect: Aspect, kinds: Texts) -> Texts:
    """The kinds of the part, with biases where only one of the models has them."""
    parts = [places_of_part(model, aspect) for model in models]
    before, after = map(has_biases, parts)
    is_list = any(len({place.stage.group for place in places}) > 1 for places in parts)
    if before == after or is_list:
        return kinds
    one, other = kinds
    if before:
        return _("{part} with biases", part=one), other
    return one, _("{part} with biases", part=other)


def _details(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> tuple[list[str], list[str]]:
    """The details in which the part differs, for each model."""
    one, other = (frozenset(components_of(places_of_part(m, aspect))) for m in same_sizes)
    details = (partial(in_few_layers, components=one & other), *DETAILS)
    pairs = list(_only_in_one(same_sizes, aspect))
    pairs += [_detail(each, same_sizes, own_sizes, aspect) for each in details]
    different = [pair for pair in pairs if pair[0] != pair[1]]
    different = different or _shapes(same_sizes, own_sizes, aspect)
    return [one for one, _other in different if one], [other for _one, other in different if other]


def _only_in_one(models: Models, aspect: Aspect) -> Iterator[Texts]:
    """Components that only one of the models has; if none, products or matrices."""
    one, other = (places_of_part(model, aspect) for model in models)
    components = _with_only(components_of(one), components_of(other), names_of)
    yield components
    if not any(components):
        yield _with_only(computations_of(one), computations_of(other), _labels)
    if {t.component for t in tensors_of(one)} == {t.component for t in tensors_of(other)}:
        yield _with_only(matrices_of(one), matrices_of(other), _labels)


def _with_only(
    before: Iterable[str], after: Iterable[str], names: Callable[[Iterable[str]], str]
) -> Texts:
    """``with …``: what is only in the first, and what is only in the second."""
    one, other = dict.fromkeys(before), dict.fromkeys(after)
    return (
        _with(names([each for each in one if each not in other])),
        _with(names([each for each in other if each not in one])),
    )


def _labels(labels: Iterable[str]) -> str:
    return listed_text([_(label) for label in labels])


def _with(names: str) -> str:
    return _("with {components}", components=names) if names else ""


def _shapes(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> list[Texts]:
    """The first tensors with other shapes, or that only one of the models has."""
    before, after = (shapes(model, places_of_part(model, aspect)) for model in same_sizes)
    own_before, own_after = (shapes(model, places_of_part(model, aspect)) for model in own_sizes)
    different = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    pairs = dict.fromkeys((own_before.get(key, ""), own_after.get(key, "")) for key in different)
    return [pair for pair in pairs if pair[0] != pair[1]][:MAX_SHAPES]


def _detail(detail: Detail, same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Texts:
    """A detail of both models, if it differs at the same sizes, too; else empty texts."""
    at_same, at_own = (
        (detail(one, places_of_part(one, aspect)), detail(other, places_of_part(other, aspect)))
        for one, other in (same_sizes, own_sizes)
    )
    return at_own if at_same[0] != at_same[1] else ("", "")


def _with_details(kind: str, details: list[str]) -> str:
    """``MLP (in 12 layers)``; only the kind without details."""
    return _("{part} ({details})", part=kind, details=comma_separated(details)) if details else kind
