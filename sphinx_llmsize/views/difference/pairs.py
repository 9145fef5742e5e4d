"""Pairs of descriptions and of texts: on the first of two models, and on the second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sphinx_llmsize.model import Model
from sphinx_llmsize.views.in_words.description import Description, texts_of

Models = tuple[Model, Model]
"""The first model and the second one."""
Texts = tuple[str, str]
"""A text on the first model, and one on the second."""
NO_TEXTS: Texts = ("", "")
"""The pair for a property in which the models don't differ."""
DescriptionPair = tuple[Description | None, Description | None]
"""Descriptions of one property of two models; None for a model without it."""
NO_DIFFERENCE: DescriptionPair = (None, None)
"""The pair for a property in which the models don't differ."""
Descriptions = tuple[list[Description], list[Description]]
"""Descriptions of the first of two models, and of the second."""


def if_different(one: Description | None, other: Description | None) -> DescriptionPair:
    """Both descriptions; none if they are the same, or if one is missing."""
    return (one, other) if one and other and one != other else NO_DIFFERENCE


def joined_texts(pairs: Sequence[DescriptionPair]) -> Texts:
    """The texts on each model with commas between them."""
    return texts_of(one for one, _other in pairs), texts_of(other for _one, other in pairs)


def different_at_all_sizes(
    at_same_sizes: Iterable[DescriptionPair], at_own_sizes: Iterable[DescriptionPair]
) -> list[DescriptionPair]:
    """The pairs at the models' own sizes that differ there and at the same sizes.

    Args:
        at_same_sizes: details of two models, the second one with the sizes of the first.
        at_own_sizes: the same details in the same order, of the models with their own sizes.
    """
    return [
        own
        for same, own in zip(at_same_sizes, at_own_sizes, strict=True)
        if same[0] != same[1] and own[0] != own[1]
    ]


def without_repetition(pairs: Iterable[DescriptionPair]) -> Descriptions:
    """The descriptions of each model, without those that repeat a part of another one.

    ``in 6 layers`` repeats a part of ``the same weights in 6 layers``.
    """
    of_models = list(zip(*pairs, strict=True)) or [(), ()]
    one, other = (_not_in_others(list(filter(None, of_model))) for of_model in of_models)
    return one, other


def _not_in_others(descriptions: Sequence[Description]) -> list[Description]:
    """The descriptions whose facts aren't a part of those of another one, each once."""
    return [
        each
        for each in dict.fromkeys(descriptions)
        if not any(each.facts and each.facts < other.facts for other in descriptions)
    ]
