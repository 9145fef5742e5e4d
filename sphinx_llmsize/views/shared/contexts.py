"""The contexts that a model is told about where an author asks for none."""

from __future__ import annotations

from sphinx_llmsize.config.symbols import P
from sphinx_llmsize.model import Model

USUAL_CONTEXT = 4096
LONG_CONTEXT = 32768
"""Where nothing says what context a model was made for."""


def usual_contexts(model: Model) -> tuple[int, ...]:
    """A usual context and the longest of the model; only the latter if it is not longer."""
    longest = longest_context(model) or LONG_CONTEXT
    return (USUAL_CONTEXT, longest) if longest > USUAL_CONTEXT else (longest,)


def longest_context(model: Model) -> int | None:
    """The tokens that a model was made for: as published, unless its positions were changed."""
    was_changed = any(key.symbol == P for key, _ in model.changes)
    if model.preset and not was_changed:
        return model.preset.context
    return model.architecture.sizes.get(P)
