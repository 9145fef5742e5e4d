"""A replaced part of an architecture in words: before and after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.differences.structure import Aspect, StructureChange
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.part_details import (
    DETAILS,
    Detail,
    components_of,
    computations_of,
    names_of,
    shapes,
)
from sphinx_llmsize.views.difference.parts_in_words import part_in_words, places_of_part
from sphinx_llmsize.views.shared.wording import comma_separated, listed_text

Models = tuple[Model, Model]
Texts = tuple[str, str]


def part_change_in_words(difference: Difference, change: StructureChange) -> Texts:
    """The part in the first model and in the second: ``("MLP", "8 experts (2 active)")``.

    Parts of the same kind get the details in which they differ. They are compared at the same
    sizes, and described with those of their own models if that tells them apart.
    """
    same_sizes = (change.before, change.after)
    own_sizes = (difference.one, difference.other)
    if differ_in_kind(change):
        texts = _kinds(own_sizes, change.aspect)
        return texts if texts[0] != texts[1] else _kinds(same_sizes, change.aspect)
    kinds = _kinds(same_sizes, change.aspect)
    details = _details(same_sizes, own_sizes, change.aspect)
    return _with_details(kinds[0], details[0]), _with_details(kinds[1], details[1])


def differ_in_kind(change: StructureChange) -> bool:
    """True if the part before and the part after have different names at the same sizes."""
    before, after = _kinds((change.before, change.after), change.aspect)
    return before != after


def _kinds(models: Models, aspect: Aspect) -> Texts:
    one, other = models
    return part_in_words(one, aspect), part_in_words(other, aspect)


def _details(same_sizes: Models, own_sizes: Models, aspect: Aspect) -> tuple[list[str], list[str]]:
    """The details in which the part differs, for each model."""
    pairs = list(_only_in_one(same_sizes, aspect))
    pairs += [_detail(each, same_sizes, own_sizes, aspect) for each in DETAILS]
    different = [pair for pair in pairs if pair[0] != pair[1]] or [_shapes(same_sizes, aspect)]
    return [one for one, _other in different if one], [other for _one, other in different if other]


def _only_in_one(models: Models, aspect: Aspect) -> Iterator[Texts]:
    """The components, and then the products, that only one of the models has."""
    one, other = (places_of_part(model, aspect) for model in models)
    for found, names in ((components_of, names_of), (computations_of, _products)):
        before, after = found(one), found(other)
        yield (
            _with(names([each for each in before if each not in after])),
            _with(names([each for each in after if each not in before])),
        )


def _products(labels: Iterable[str]) -> str:
    return listed_text([_(label) for label in dict.fromkeys(labels)])


def _with(names: str) -> str:
    return _("with {components}", components=names) if names else ""


def _shapes(models: Models, aspect: Aspect) -> Texts:
    """The first tensor with another shape, or else the first of each model that is only in it."""
    one, other = (shapes(model, places_of_part(model, aspect)) for model in models)
    for name, text in one.items():
        if name in other and text != other[name]:
            return text, other[name]
    before = (text for name, text in one.items() if name not in other)
    after = (text for name, text in other.items() if name not in one)
    return next(before, ""), next(after, "")


def _detail(detail: Detail, same_sizes: Models, own_sizes: Models, aspect: Aspect) -> Texts:
    """A detail of both models, with their own sizes if they differ in it both ways."""
    at_same, at_own = (
        (detail(one, places_of_part(one, aspect)), detail(other, places_of_part(other, aspect)))
        for one, other in (same_sizes, own_sizes)
    )
    return at_own if at_same[0] != at_same[1] and at_own[0] != at_own[1] else at_same


def _with_details(kind: str, details: list[str]) -> str:
    """``MLP (in 12 layers)``; only the kind without details."""
    return _("{part} ({details})", part=kind, details=comma_separated(details)) if details else kind
