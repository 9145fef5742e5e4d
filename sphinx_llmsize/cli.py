"""Command ``llmsize``: prints models and the list of presets, and updates Markdown files."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from sphinx_llmsize import __version__
from sphinx_llmsize.blocks import Document
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.hosts import HOSTS, host
from sphinx_llmsize.loading import load_named
from sphinx_llmsize.model import Model, described, from_file, released
from sphinx_llmsize.sources.files import MAX_BYTES
from sphinx_llmsize.sources.presets import find_preset, presets
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.update import command as update
from sphinx_llmsize.views.options import options_of
from sphinx_llmsize.views.view_options import ViewOptions

CONFIG_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".py", ".txt"})
BAD_INPUT = 2


class Parser(argparse.ArgumentParser):
    """Argument parser whose messages show control characters as escapes."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and exit with code 2."""
        super().error(visible(message))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 2 for invalid input."""
    chosen = _parser().parse_args(arguments)
    try:
        shown = chosen.run(chosen)
        if isinstance(shown, int):
            return shown
        _write(shown)
    except ConfigError as error:
        position = "" if error.line is None else f"{error.line + 1}:"
        place = f"{visible(error.file)}:{position} " if error.file else ""
        print(f"llmsize: {place}{error}", file=sys.stderr)
        return BAD_INPUT
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


def show(chosen: argparse.Namespace) -> str:
    """Render a model in the chosen format."""
    model = find(chosen.model)
    declared = options_of(ViewOptions)
    options = ViewOptions(**{k: v for k, v in vars(chosen).items() if k in declared})

    # built on demand: JSON doesn't need the views, which import sympy
    def blocks() -> Document:
        from sphinx_llmsize.views import document, view_names

        return document(model, view_names(chosen.show), options)

    return host(chosen.format)(model, blocks)


def list_presets(chosen: argparse.Namespace) -> str:
    """List the presets: name, total, active parameters if fewer, title."""
    rows = []
    for name in presets():
        model = released(name)
        active = thousands(model.active) if model.active != model.total else ""
        rows.append((name, thousands(model.total), active, model.name))
    width = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:{width[0]}}  {total:>{width[1]}}  {active:>{width[2]}}  {title}"
        for name, total, active, title in rows
    )


def _update(chosen: argparse.Namespace) -> int:
    """Update Markdown files, and return the exit code."""
    return update.run(chosen, _write)


def find(name: str) -> Model:
    """Find a model by name or file path; ``-`` is standard input.

    Raises:
        ConfigError: there is no such model or file, or its configuration cannot be used.
    """
    if name == "-":
        try:
            return described("model", read_text(_standard_input()))
        except ConfigError as error:
            raise error.at(file="<stdin>") from None
    path = Path(name)
    if find_preset(name) is None and (path.suffix in CONFIG_SUFFIXES or os.path.isfile(path)):
        return from_file(path.stem, path)
    return load_named(name)


def _standard_input() -> str:
    """Read standard input as UTF-8; invalid bytes become surrogates, which the parser rejects."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    # one character over the limit, so that read_text() rejects longer input; stdin may be None
    return sys.stdin.read(MAX_BYTES + 1) if sys.stdin else ""


def _argparse_type(reader: Callable[[str], object]) -> Callable[[str], object]:
    """Wrap a reader so that argparse reports its ConfigError as an invalid argument."""

    def read(text: str) -> object:
        try:
            return reader(text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="llmsize", description="Exact sizes of language models.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    show_parser = commands.add_parser("show", help="show a model's breakdown, formula and diagram")
    show_parser.add_argument(
        "model", help="a preset, a configuration file, or - for standard input"
    )
    show_parser.add_argument("--format", choices=HOSTS, default=next(iter(HOSTS)))
    show_parser.add_argument(
        "--show", default="", metavar="VIEWS", help="views, separated by commas"
    )
    _add_options(show_parser, ViewOptions)
    show_parser.set_defaults(run=show)
    list_parser = commands.add_parser("list", help="list the presets")
    list_parser.set_defaults(run=list_presets)
    update_parser = commands.add_parser(
        "update", help="update the numbers in marked regions of Markdown files"
    )
    update.add_arguments(update_parser)
    update_parser.set_defaults(run=_update)
    return parser


def _add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add a dataclass's options; the parsed namespace omits options that are not set."""
    for name, declared in options_of(kind).items():
        choices = ",".join(declared.choices)
        parser.add_argument(
            f"--{name}",
            type=_argparse_type(declared.read),
            default=argparse.SUPPRESS,
            metavar=f"{{{choices}}}" if choices else declared.value.upper(),
            help=declared.described,
        )
