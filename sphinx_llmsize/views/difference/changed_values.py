"""Values of changed keys before and after: ``32,000 → 128,256``."""

from __future__ import annotations

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.differences.changed_keys import KeyChange
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.views.shared import key_text
from sphinx_llmsize.views.shared.wording import comma_separated

FEW = 4
"""Number of items of a list that are shown."""


def arrow(change: KeyChange) -> str:
    """``32,000 → 128,256``."""
    return arrow_text(value_text(change.key, change.before), value_text(change.key, change.after))


def arrow_text(before: str, after: str) -> str:
    """``before → after``."""
    return f"{before} → {after}"


def value_text(key: Key, value: Setting) -> str:
    """A value of the key in words; the items of a short list."""
    if not isinstance(value, tuple) or len(value) > FEW:
        return key_text.value_text(key, value)
    if any(isinstance(item, (Section, tuple)) for item in value):
        return key_text.value_text(key, value)
    return comma_separated(map(str, value))
