"""Standard output of the command."""

from __future__ import annotations

import sys
from typing import NoReturn

from sphinx_llmsize.command_errors import BAD_INPUT, print_at_once, print_error
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.files import reason_of
from sphinx_llmsize.translation import _


def write(text: str) -> None:
    """Print a text, or exit with an error; a pipe that its reader has closed is not an error."""
    if sys.stdout is None:  # closed before the start, so that print() would do nothing
        _stop(_("standard output is closed"))
    try:
        print_at_once(text, sys.stdout)
    except BrokenPipeError:
        pass
    except OSError as error:
        _stop(_("cannot write the output: {reason}", reason=reason_of(error)))


def _stop(message: str) -> NoReturn:
    """Print an error without a position, and exit."""
    print_error(ConfigError(message, Problem.FILE))
    sys.exit(BAD_INPUT)
