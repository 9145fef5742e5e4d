"""Components of a part that only one of two models has."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.text_pairs import Texts
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
    """The components that only one of the models has; if none, products, and matrices."""
    components = _with_only(components_of(one), components_of(other), names_of)
    if not any(components):
        components = _with_only(computations_of(one), computations_of(other), _labels)
    if {t.component for t in tensors_of(one)} == {t.component for t in tensors_of(other)}:
        return components, _with_only(matrices_of(one), matrices_of(other), _labels)
    return components, ("", "")


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
