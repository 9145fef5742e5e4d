"""Identifiers in sentences, shown as code."""

from __future__ import annotations

import re

from sphinx_llmsize.blocks import Code, Line

_IDENTIFIER = re.compile(
    r"(\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[A-Z]\w*(?:For[A-Z]\w+|[a-z0-9]Model)\b)"
)
"""A configuration key or the name of a class in transformers; both have several words."""


def with_code(text: str) -> Line:
    """The text with its identifiers as code: ``tie_word_embeddings``, ``BertForMaskedLM``."""
    # split() returns other text at even positions, and the identifiers at odd ones
    parts = enumerate(_IDENTIFIER.split(text))
    return tuple(Code(part) if position % 2 else part for position, part in parts if part)
