"""Text for a change to a model's configuration, as in the titles of changed presets."""

from __future__ import annotations

from sphinx_llmsize.config import keys as k
from sphinx_llmsize.formats import factor_text
from sphinx_llmsize.model import Change
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.key_text import is_counted, key_name, value_text

FLAGS = {k.TIE_EMBEDDINGS: (N_("an LM head of its own"), N_("a tied LM head"))}
"""Words for false and for true, in place of the key and its value."""


def change_text(change: Change) -> str:
    """``40 layers``, ``hidden dimension 8,192``, ``hidden dimension × 2``."""
    key, value = change.key, change.value
    if change.factor is not None:
        factor = factor_text(change.factor)
        return _("{size} × {factor}", size=key_name(key), factor=factor)
    if key in FLAGS:
        return _(FLAGS[key][bool(value)])
    words = {"value": value_text(key, value), "key": key_name(key)}
    # keys that are no sizes, sizes without a value, and not "1 layers"
    if not key.symbol or not value or value == 1:
        return _("{key}: {value}", **words)
    return _(N_("{value} {key}") if is_counted(key) else N_("{key} {value}"), **words)
