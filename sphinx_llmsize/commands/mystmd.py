"""Command ``llmsize mystmd-plugin``: writes the plugin for mystmd and answers its requests."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from sphinx_llmsize import __version__
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.sources.files import reason_of
from sphinx_llmsize.translation import _

FILE = "llmsize.mjs"
"""Default name of the plugin's file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.usage = "%(prog)s [PATH]"
    parser.add_argument(
        "path", nargs="?", default=FILE, metavar="PATH", help=f"File to write. Default: {FILE}."
    )
    parser.add_argument(
        "--answer",
        action="store_true",
        help="Answer the plugin's requests on standard input. The plugin runs this.",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> str | int:
    """Write the plugin and return a message, or answer requests and return the exit code.

    Raises:
        ConfigError: the file can't be written.
    """
    if args.answer:
        return _answer()
    from sphinx_llmsize.hosts.mystmd.plugin import plugin_source

    if not args.path.endswith(".mjs"):
        message = _("{file} doesn't end with .mjs", file=repr(args.path))
        raise ConfigError(message, Problem.FILE, _("mystmd reads plugins from such files only"))
    try:
        Path(args.path).write_text(plugin_source(__version__), "utf-8", newline="\n")
    except OSError as error:
        message = _("cannot write {file}: {reason}", file=args.path, reason=reason_of(error))
        raise ConfigError(message, Problem.FILE) from None
    return _("{file} written: name it in project.plugins of myst.yml", file=visible(args.path))


def _answer() -> int:
    """Answer requests until standard input ends."""
    from sphinx_llmsize.hosts.mystmd.answers import answers

    assert isinstance(sys.stdin, io.TextIOWrapper)
    sys.stdin.reconfigure(encoding="utf-8")
    for line in answers(sys.stdin):
        print(line, flush=True)
    return 0
