"""Pairs of texts: on the first of two models, and on the second."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.model import Model
from sphinx_llmsize.views.in_words.description import DescriptionPair, texts_of

Models = tuple[Model, Model]
"""The first model and the second one."""
Texts = tuple[str, str]
"""A text on the first model, and one on the second."""
NO_TEXTS: Texts = ("", "")
"""The pair for a property in which the models don't differ."""


def joined_texts(pairs: Sequence[DescriptionPair]) -> Texts:
    """The texts on each model with commas between them."""
    of_one, of_other = zip(*pairs, strict=True)
    return texts_of(of_one), texts_of(of_other)
