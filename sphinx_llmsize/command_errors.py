"""Errors on the command line: exit codes, and the message on standard error."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

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
    # the first line is 0 in errors, 1 in messages
    line = "" if error.line is None else f"{error.line + 1}:"
    position = f"{shown_path(name)}:{line} " if name else ""
    print_message(f"llmsize: {position}{error}")


def print_message(text: str) -> None:
    """Print a text on standard error; do nothing if that is closed or can't be written."""
    if sys.stderr is not None:  # otherwise print() would write to standard output
        with suppress(OSError):
            print_at_once(text, sys.stderr)


def print_at_once(text: str, stream: TextIO) -> None:
    """Print a text on standard output or standard error, without leaving it in a buffer.

    If that fails, the stream is redirected to the null device for good: all later output is lost.

    Raises:
        OSError: the text can't be written.
    """
    try:
        print(text, file=stream, flush=True)
    except OSError:
        # Python flushes the stream again at exit, which would fail again
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise


def shown_path(path: Path | str) -> str:
    """A path with slashes; relative to the current folder if the file is inside it."""
    absolute, folder = Path(os.path.abspath(path)), Path.cwd()
    is_inside = absolute.is_relative_to(folder)
    shortest = absolute.relative_to(folder) if is_inside else Path(path)
    return visible(shortest.as_posix())
