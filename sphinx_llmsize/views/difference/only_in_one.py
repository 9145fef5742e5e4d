"""Components of a part that only one of two models has."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.text_pairs import NO_TEXTS, Texts
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    components_of,
    computations_of,
    matrices_of,
    names_of,
    tensors_of,
)
from sphinx_llmsize.views.shared.wording import listed_text


def only_in_one(one: PlacedStages, other: PlacedStages) -> tuple[Texts, Texts]:
    """The components that only one of the models has, and the matrices that only one has.

    Returns:
        Two pairs. The first: components that only one has (a fused matrix counts as its parts); if
        there are none, products of activations. The second: labels of matrices; empty unless both
        models have the same unfused components, as labels of fused and separate matrices always
        differ.
    """
    components = _with_only(components_of(one), components_of(other), names_of)
    if not any(components):
        components = _with_only(computations_of(one), computations_of(other), _labels)
    if {t.component for t in tensors_of(one)} == {t.component for t in tensors_of(other)}:
        return components, _with_only(matrices_of(one), matrices_of(other), _labels)
    return components, NO_TEXTS


def _with_only(
    items_of_one: Iterable[str],
    items_of_other: Iterable[str],
    names: Callable[[Iterable[str]], str],
) -> Texts:
    """``with …``: the items that are only in the first, and those that are only in the second.

    Args:
        items_of_one: items of the first model, possibly repeated.
        items_of_other: items of the second model, possibly repeated.
        names: function that lists items in words.
    """
    one, other = dict.fromkeys(items_of_one), dict.fromkeys(items_of_other)
    only_one_has = names([each for each in one if each not in other])
    only_other_has = names([each for each in other if each not in one])
    return _with(only_one_has), _with(only_other_has)


def _labels(labels: Iterable[str]) -> str:
    """The labels, translated and joined with "and"."""
    return listed_text([_(label) for label in labels])


def _with(names: str) -> str:
    """``with …``; empty if there are no names."""
    return _("with {components}", components=names) if names else ""
