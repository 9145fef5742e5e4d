"""Values of changed keys before and after: ``32,000 → 128,256``."""

from __future__ import annotations

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.sources.located import Section
from sphinx_llmsize.views.shared.key_text import value_text
from sphinx_llmsize.views.shared.wording import comma_separated

MAX_ITEMS = 4
"""Maximum number of items of a list that are shown; of longer lists, only their number."""


def key_change_text(change: KeyChange) -> str:
    """``32,000 → 128,256``: the values of a key before and after a change."""
    before, after = key_change_values(change)
    return arrow_text(before, after)


def key_change_values(change: KeyChange) -> tuple[str, str]:
    """``("32,000", "128,256")``: the values of a key before and after a change."""
    return _items_or_value(change.key, change.before), _items_or_value(change.key, change.after)


def arrow_text(before: str, after: str) -> str:
    """``before → after``."""
    return f"{before} → {after}"


def _items_or_value(key: Key, value: Setting) -> str:
    """The items of a short list of numbers or names; any other value as in other views."""
    if not isinstance(value, tuple) or len(value) > MAX_ITEMS:
        return value_text(key, value)
    if any(isinstance(item, (Section, tuple)) for item in value):
        return value_text(key, value)
    return comma_separated(map(str, value))
