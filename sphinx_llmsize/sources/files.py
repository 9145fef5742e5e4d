"""Configuration files: read only when they are regular, small and text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.sources.regular_file import (
    did_you_mean_beside,
    read_regular,
    reason,
    unreadable,
)
from sphinx_llmsize.sources.text import read_document

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx_llmsize.sources.located import Section


def read_file(path: Path) -> Section:
    """The configuration in a file: ``.json`` is strict JSON, anything else YAML or a Python dict.

    Raises:
        ConfigError: the file is absent, not a regular file, too large or not text
            (without a line), or its text is no configuration (``file`` and ``line`` set).
    """
    try:
        text = read_regular(path).decode("utf-8")
    except FileNotFoundError as error:
        raise unreadable(path.name, reason(error), did_you_mean_beside(path)) from None
    except (OSError, ValueError) as error:
        raise unreadable(path.name, reason(error)) from None
    try:
        return read_document(text, strict_json=path.suffix.lower() == ".json")
    except ConfigError as error:
        raise error.at(file=str(path)) from None
