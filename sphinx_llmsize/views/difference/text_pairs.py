"""Pairs of texts: on the first of two models, and on the second."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.model import Model
from sphinx_llmsize.views.shared.wording import comma_separated

Models = tuple[Model, Model]
"""The first model and the second one."""
Texts = tuple[str, str]
"""A text on the first model, and one on the second."""
NO_TEXTS: Texts = ("", "")
"""The pair for a property in which the models don't differ."""


def if_different(before: str, after: str) -> Texts:
    """Both texts; both are empty if they are the same, or if one is empty."""
    return (before, after) if before and after and before != after else NO_TEXTS


def joined_texts(pairs: Sequence[Texts]) -> Texts:
    """The texts on each model with commas between them, without empty ones."""
    of_one, of_other = zip(*pairs, strict=True)
    return comma_separated(filter(None, of_one)), comma_separated(filter(None, of_other))
