"""Reading of ``per_layer_config``: settings of single layers, by the layers' numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sphinx_llmsize.sources.located import MAX_DIGITS, Section


def settings_by_layer(section: Section) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the settings of each layer in ``per_layer_config``.

    Keys that are not numbers are skipped. The settings are empty if the value is not a mapping.
    """
    for entry in section.entries:
        if entry.key.isdecimal():
            # int() raises ValueError for more than 4300 digits
            number = int(entry.key[:MAX_DIGITS])
            settings = entry.value.entries if isinstance(entry.value, Section) else ()
            yield number, {setting.key: setting.value for setting in settings}


def are_counts(values: Iterable[object]) -> bool:
    """True if all values are whole numbers above 0."""
    return all(type(value) is int and value > 0 for value in values)
