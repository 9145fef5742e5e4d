"""Errors on the command line: exit codes, and the message on standard error."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible

DIFFERENT = 1
"""Exit code if a total isn't the expected one, or a file isn't up to date."""
BAD_INPUT = 2
"""Exit code if the input is invalid, the same as that of argparse."""
INTERRUPTED = 130
"""Exit code after Ctrl-C, as of shells: 128 and the number of the signal."""


def print_error(error: ConfigError, file: Path | str = "") -> None:
    """Print an error after its position: ``llmsize: config.json:3: unknown key …``.

    Args:
        error: the error.
        file: file with the error, if ``error.file`` is empty; empty for none.
    """
    name = error.file or file
    line = "" if error.line is None else f"{error.line + 1}:"
    position = f"{shown_path(name)}:{line} " if name else ""
    print(f"llmsize: {position}{error}", file=sys.stderr)


def shown_path(path: Path | str) -> str:
    """A path with slashes; relative to the current folder if the file is inside it."""
    absolute, folder = Path(os.path.abspath(path)), Path.cwd()
    is_inside = absolute.is_relative_to(folder)
    shortest = absolute.relative_to(folder) if is_inside else Path(path)
    return visible(shortest.as_posix())
