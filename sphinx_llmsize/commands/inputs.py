"""Arguments that commands share: models, options, and the output's format."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.hosts import HOSTS, ON_TERMINAL, PIPED, host
from sphinx_llmsize.loading import load_named
from sphinx_llmsize.model import Model, described, from_file
from sphinx_llmsize.report import MAX_LEVEL, Report
from sphinx_llmsize.sources.files import MAX_BYTES
from sphinx_llmsize.sources.presets import find_preset
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.views.options import options_of

CONFIG_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".py", ".txt"})
"""Suffixes of configuration files; a name with one is a path, even if there is no such file."""
Options = TypeVar("Options")


def find(name: str) -> Model:
    """Find a model by name or file path; ``-`` is standard input.

    Raises:
        ConfigError: there is no such model or file, or its configuration cannot be used.
    """
    if name == "-":
        try:
            return described("", read_text(_standard_input()))
        except ConfigError as error:
            raise error.at(file="<stdin>") from None
    path = Path(name)
    # Path.is_file would raise for a name that is too long
    if find_preset(name) is None and (path.suffix in CONFIG_SUFFIXES or os.path.isfile(path)):
        return from_file(path.stem, path)
    return load_named(name)


def _standard_input() -> str:
    """Read standard input as UTF-8; invalid bytes become surrogates, which the parser rejects."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    # one character over the limit, so that read_text() rejects longer input; stdin may be None
    return sys.stdin.read(MAX_BYTES + 1) if sys.stdin else ""


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that choose the format and the heading."""
    parser.add_argument(
        "--format",
        choices=HOSTS,
        help=f"format of the output; by default {ON_TERMINAL}, or {PIPED} in files and pipes",
    )
    heading = parser.add_mutually_exclusive_group()
    heading.add_argument(
        "--no-title", dest="level", action="store_const", const=0, help="leave out the heading"
    )
    heading.add_argument(
        "--heading-level",
        dest="level",
        type=int,
        choices=range(1, MAX_LEVEL + 1),
        metavar=f"{{1..{MAX_LEVEL}}}",
        help="level of the heading in Markdown and HTML",
    )


def written(report: Report, format: str | None) -> str:
    """A report in a format; if that is None, in the default of a terminal, or of a file or pipe."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return host(format or (ON_TERMINAL if is_terminal else PIPED))(report)


def add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add a dataclass's options; the parsed namespace omits options that are not set."""
    for name, declared in options_of(kind).items():
        choices = ",".join(declared.choices)
        if isinstance(declared.default, bool):
            help_text = declared.help.replace("%", "%%")
            parser.add_argument(
                f"--{name}", action="store_true", default=argparse.SUPPRESS, help=help_text
            )
            continue
        parser.add_argument(
            f"--{name}",
            type=_argparse_type(declared.read),
            default=argparse.SUPPRESS,
            metavar=f"{{{choices}}}" if choices else declared.value.upper(),
            help=declared.described.replace("%", "%%"),
        )


def chosen_options(chosen: argparse.Namespace, kind: type[Options]) -> Options:
    """The options of a dataclass that are set."""
    declared = options_of(kind)
    return kind(**{name: value for name, value in vars(chosen).items() if name in declared})


def _argparse_type(reader: Callable[[str], object]) -> Callable[[str], object]:
    """Wrap a reader so that argparse reports its ConfigError as an invalid argument."""

    def read(text: str) -> object:
        try:
            return reader(text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read
