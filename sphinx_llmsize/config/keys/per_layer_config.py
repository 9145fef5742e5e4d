"""Reading of ``per_layer_config``: settings of single layers, by the layers' numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sphinx_llmsize.sources.located import MAX_DIGITS, Section


def settings_by_layer(section: Section) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the numbers and settings of the layers in ``per_layer_config``."""
    for entry in section.entries:
        own = entry.value.entries if isinstance(entry.value, Section) else ()
        if entry.key.isdecimal():
            # int() raises ValueError for more than 4300 digits
            yield int(entry.key[:MAX_DIGITS]), {inner.key: inner.value for inner in own}


def all_counts(values: Iterable[object]) -> bool:
    """True if all values are whole numbers above 0."""
    return all(type(value) is int and value > 0 for value in values)
