"""Command ``llmsize``: shows and compares models, and updates Markdown files."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from sphinx_llmsize import __version__
from sphinx_llmsize.command_errors import BAD_INPUT, DIFFERENT, print_error
from sphinx_llmsize.commands import completion, mystmd, presets, show
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.update import command as update


class Parser(argparse.ArgumentParser):
    """Argument parser whose messages show control characters as escapes."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and exit with code 2."""
        super().error(visible(message))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, 0 or one of :mod:`.command_errors`."""
    chosen = _parser().parse_args(arguments)
    try:
        result = chosen.run(chosen)
    except ConfigError as error:
        print_error(error)
        return DIFFERENT if error.problem is Problem.EXPECT else BAD_INPUT
    if isinstance(result, int):  # "update" prints by itself
        return result
    _write(result)
    return 0


def _write(text: str) -> None:
    """Print in UTF-8 regardless of the locale; a closed pipe is not an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        print(text, flush=True)
    except OSError as error:
        # Python flushes the buffer again at exit; redirect it so that this does not fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            sys.exit(f"llmsize: {error.strerror}")


def _update(chosen: argparse.Namespace) -> int:
    """Update Markdown files, printing each message as it comes; return the exit code."""
    return update.run(chosen, _write)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="llmsize", description="Exact sizes of language models.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    show.add_show(commands.add_parser("show", help="show a model's breakdown, formula and diagram"))
    show.add_compare(commands.add_parser("compare", help="show several models side by side"))
    show.add_diff(commands.add_parser("diff", help="show what changed between two models"))
    presets.add_arguments(commands.add_parser("list", help="list the presets"))
    update_parser = commands.add_parser(
        "update", help="update the numbers in marked regions of Markdown files"
    )
    update.add_arguments(update_parser)
    update_parser.set_defaults(run=_update)
    mystmd.add_arguments(
        commands.add_parser("mystmd-plugin", help="write the plugin for mystmd and Jupyter Book 2")
    )
    completion.add_arguments(
        commands.add_parser("completion", help="print a script that completes in a shell"), parser
    )
    return parser
