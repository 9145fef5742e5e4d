"""Reading and parsing of settings: ``.llmsize.toml``, and the configuration of a site."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.files import read_regular, reason_of
from sphinx_llmsize.translation import _

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

READERS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    ".toml": ("TOML", tomllib.loads),
    ".yaml": ("YAML", yaml.safe_load),
    ".yml": ("YAML", yaml.safe_load),
    ".json": ("JSON", json.loads),
}
"""Name and parser of each format, by the suffix of its files."""
_LINE = re.compile(r"\(at line (\d+)")
"""Position in the messages of tomllib."""


def read_text(path: Path) -> str:
    """Text of a file in UTF-8.

    Raises:
        ConfigError: it can't be read.
    """
    try:
        return read_regular(path).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        message = _("cannot read the file: {reason}", reason=reason_of(error))
        raise ConfigError(message, Problem.FILE, file=str(path)) from None


def parse(text: str, path: Path) -> dict[str, Any]:
    """The values in a file's text; empty if it isn't a mapping.

    Args:
        text: content of the file.
        path: its path; the suffix is one of :data:`READERS`.

    Raises:
        ConfigError: it isn't in the format of the file's suffix.
    """
    format, read = READERS[path.suffix]
    try:
        values = read(text)
    except (ValueError, yaml.YAMLError, RecursionError) as error:
        message = _("it is not {format}: {reason}", format=format, reason=_first_line(error))
        line = _line_of(error)
        raise ConfigError(message, Problem.SYNTAX, line=line, file=str(path)) from None
    return values if isinstance(values, dict) else {}


def _first_line(error: Exception) -> str:
    """First line of an error's message."""
    problem = getattr(error, "problem", None)  # message of PyYAML, without the position
    return str(problem or error).partition("\n")[0]


def _line_of(error: Exception) -> int | None:
    """0-based line of a mistake; None if the error doesn't have it."""
    if isinstance(error, json.JSONDecodeError):
        return error.lineno - 1
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark:
        return int(error.problem_mark.line)
    found = _LINE.search(str(error))
    return int(found[1]) - 1 if found else None
