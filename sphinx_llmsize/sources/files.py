"""Configuration files: read only when they are regular, small and text."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.marks import MAX_BYTES, Section
from sphinx_llmsize.sources.text import read_document

if TYPE_CHECKING:
    from pathlib import Path


def read_file(path: Path) -> Section:
    """The configuration in a file: ``.json`` is strict JSON, anything else YAML or a Python dict.

    Raises:
        ConfigError: the file is absent, not a regular file, too large or not text
            (without a line), or its text is no configuration (``file`` and ``line`` set).
    """
    try:
        text = _read_regular(path).decode("utf-8")
    except (OSError, ValueError) as error:
        raise unreadable(path.name, _reason(error)) from None
    try:
        return read_document(text, strict_json=path.suffix.lower() == ".json")
    except ConfigError as error:
        raise error.at(file=str(path)) from None


def unreadable(name: str, reason: str, hint: str = "") -> ConfigError:
    """The error of a configuration file that is not read at all."""
    return ConfigError(
        f"cannot read configuration file {name[:100]!r}: {reason}", Problem.FILE, hint
    )


def _read_regular(path: Path) -> bytes:
    # opened first and asked afterwards, so that nothing can be exchanged in between;
    # O_NONBLOCK keeps a FIFO without a writer from blocking the build
    descriptor = os.open(
        path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    )
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ValueError("it is not a regular file")
        if status.st_size > MAX_BYTES:
            raise ValueError(f"{status.st_size:,} bytes is too large for a configuration")
        return file.read(MAX_BYTES + 1)


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    if isinstance(error, OSError):
        return (error.strerror or type(error).__name__).lower()
    return str(error)
