"""Descriptions of parts of a model, which are compared by what they say, not by their texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from sphinx_llmsize.views.shared.wording import comma_separated


@dataclass(frozen=True)
class Description:
    """A description of a part of a model, or of a detail of it.

    Attributes:
        about: what it says, without numbers: ids, components, kinds.
        values: the facts that it states, such as ``("layers", 12)``.
        text: how it reads, in the current language; it follows from the other two.
    """

    about: Hashable
    values: frozenset[Hashable]
    text: str = field(compare=False)


DescriptionPair = tuple[Description | None, Description | None]
"""Descriptions of one property of two models; None for a model without it."""
NO_DIFFERENCE: DescriptionPair = (None, None)
"""The pair for a property in which the models don't differ."""
Descriptions = tuple[list[Description], list[Description]]
"""Descriptions of the first of two models, and of the second."""


def layers_fact(number: int) -> tuple[str, int]:
    """The fact that something is in so many layers."""
    return "layers", number


def if_different(one: Description | None, other: Description | None) -> DescriptionPair:
    """Both descriptions; none if they are the same, or if one is missing."""
    return (one, other) if one and other and one != other else NO_DIFFERENCE


def without_repetition(pairs: Iterable[DescriptionPair]) -> Descriptions:
    """The descriptions of each model, without those that repeat a part of another one.

    ``in 6 layers`` repeats a part of ``the same weights in 6 layers``.
    """
    of_models = list(zip(*pairs, strict=True)) or [(), ()]
    one, other = (_not_in_others(list(filter(None, of_model))) for of_model in of_models)
    return one, other


def _not_in_others(descriptions: Sequence[Description]) -> list[Description]:
    """The descriptions that state more than any other, each once."""
    return [
        each
        for each in dict.fromkeys(descriptions)
        if not any(each.values and each.values < other.values for other in descriptions)
    ]


def with_details(part: Description, details: Sequence[Description], text: str) -> Description:
    """The description of a part together with those of some details.

    Args:
        part: description of the part.
        details: descriptions of its details.
        text: text on all of them.
    """
    about = (part.about, *(each.about for each in details))
    return Description(about, part.values.union(*(each.values for each in details)), text)


def texts_of(descriptions: Iterable[Description | None]) -> str:
    """The texts with commas between them."""
    return comma_separated(each.text for each in descriptions if each)
