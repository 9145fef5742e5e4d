"""Identifiers in sentences, shown as code."""

from __future__ import annotations

import re

from sphinx_llmsize.blocks import Code, Line

_IDENTIFIER = re.compile(
    r"(\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[A-Z]\w*(?:For[A-Z]\w+|[a-z0-9]Model)\b)"
)
"""A configuration key or a class in transformers, which are of more than one word."""


def with_code(text: str) -> Line:
    """The text with its identifiers as code: ``tie_word_embeddings``, ``BertForMaskedLM``."""
    parts = enumerate(_IDENTIFIER.split(text))
    return tuple(Code(part) if number % 2 else part for number, part in parts if part)
