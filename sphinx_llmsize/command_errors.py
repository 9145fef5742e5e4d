"""Errors on the command line: exit codes, and the message on standard error."""

from __future__ import annotations

import sys

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible

DIFFERENT = 1
"""Exit code if a total isn't the expected one, or a file isn't up to date."""
BAD_INPUT = 2
"""Exit code if the input is invalid, as of argparse."""


def print_error(error: ConfigError, file: str) -> None:
    """Print an error after its position: ``llmsize: config.json:3: unknown key …``.

    Args:
        error: the error.
        file: path of the file with the error, as shown; empty for none.
    """
    line = "" if error.line is None else f"{error.line + 1}:"
    place = f"{visible(file)}:{line} " if file else ""
    print(f"llmsize: {place}{error}", file=sys.stderr)
