"""Pairs of texts: on the first of two models, and on the second."""

from __future__ import annotations

from sphinx_llmsize.model import Model

Models = tuple[Model, Model]
Texts = tuple[str, str]
"""A text on the first model, and one on the second."""


def if_different(before: str, after: str) -> Texts:
    """Both texts; both are empty if they are the same, or if one is empty."""
    return (before, after) if before and after and before != after else ("", "")
