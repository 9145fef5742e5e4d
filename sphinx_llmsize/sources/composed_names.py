"""Hints for an unknown name that contains known ones, such as ``gpt2 vs llama-7b``."""

from __future__ import annotations

import re
from collections.abc import Callable

from sphinx_llmsize.errors import suggestion
from sphinx_llmsize.translation import _

_BETWEEN = re.compile(r"\s*,\s*|\s+(?:(?:vs\.?|versus|and|or|&)\s+)?", re.IGNORECASE)
"""Text between two names."""
_IN_ANGLES = re.compile(r".*<(?P<name>[^<>]+)>")
"""Name as the target of a role: ``the model <llama-7b>``."""
_DOTTED = re.compile(r"(?P<name>.+)\.(?P<number>[A-Za-z_]+)")
"""Name and quantity with a dot in place of a colon: ``llama-7b.total``."""


def hint_for_composed(text: str, is_known: Callable[[str], bool]) -> str:
    """Hint for a text with the names of known models and something else; empty for another text.

    Args:
        text: the unknown name.
        is_known: function that is true for the names of models.
    """
    names = _BETWEEN.split(text)
    if len(names) > 1 and all(map(is_known, names)):
        joined = ", ".join(names)
        return _("show several models with llm-compare, with commas: {names}", names=joined)
    names = text.split("/")
    if len(names) > 1 and all(map(is_known, names)):
        return suggestion(" / ".join(names))
    if (found := _IN_ANGLES.fullmatch(text)) and is_known(found["name"]):
        return suggestion(found["name"])
    if (found := _DOTTED.fullmatch(text)) and is_known(found["name"]):
        return suggestion(f"{found['name']}:{found['number']}")
    return ""
