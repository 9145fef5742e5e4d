"""Text for a change to a model's configuration, as in the titles of changed presets."""

from __future__ import annotations

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.formats import factor_text, thousands
from sphinx_llmsize.model import Change


def change_text(change: Change) -> str:
    """``num_layers = 40``, ``hidden_dim × 2``."""
    if change.factor is not None:
        return f"{change.key.name} × {factor_text(change.factor)}"
    return f"{change.key.name} = {_value(change.value)}"


def _value(value: Setting) -> str:
    """The value of a key, as in a configuration: ``4,096``, ``true``, ``null``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return thousands(value) if isinstance(value, int) else str(value)
