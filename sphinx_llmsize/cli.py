"""The command ``llmsize``: the views and the figures of a model, on standard output."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from sphinx_llmsize import __version__
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model, described, from_file, released
from sphinx_llmsize.sources.presets import find_preset, presets
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.views.options import options_of
from sphinx_llmsize.views.view_options import ViewOptions

CONFIG_SUFFIXES = frozenset({".json", ".yaml", ".yml", ".py", ".txt"})
BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code, 2 for input that cannot be used."""
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        _write(chosen.run(chosen))
    except ConfigError as error:
        place = "".join(f"{part}:" for part in _place(error))
        print(f"llmsize: {place}{' ' if place else ''}{error}", file=sys.stderr)
        return BAD_INPUT
    return 0


def _write(text: str) -> None:
    """Print in UTF-8 whatever the terminal says; a reader that stops early is no error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    try:
        print(text, flush=True)
    except OSError as error:
        # what is left in the buffer would raise once more when Python exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            sys.exit(f"llmsize: {error.strerror}")


def show(chosen: argparse.Namespace) -> str:
    """A model's views as Markdown, or its figures as JSON."""
    model = find(chosen.model)
    if chosen.format == "json":
        from sphinx_llmsize.hosts.json import to_json

        return to_json(model)
    # the views bring sympy and Jinja2, which figures need not wait for
    from sphinx_llmsize.hosts.markdown import to_markdown
    from sphinx_llmsize.views import document, view_names
    from sphinx_llmsize.views.shared.wording import title

    given = {name: value for name, value in vars(chosen).items() if name in options_of(ViewOptions)}
    return to_markdown(title(model), document(model, view_names(chosen.show), ViewOptions(**given)))


def list_presets(chosen: argparse.Namespace) -> str:
    """Every preset with its exact total, its active parameters if they are fewer, its title."""
    models = [(name, released(name)) for name in presets()]
    rows = [
        (
            name,
            thousands(model.total),
            thousands(model.active) if model.active != model.total else "",
            model.name,
        )
        for name, model in models
    ]
    width = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        f"{name:{width[0]}}  {total:>{width[1]}}  {active:>{width[2]}}  {title}"
        for name, total, active, title in rows
    )


def find(name: str) -> Model:
    """The model that a name, a file's path, or ``-`` for standard input means.

    Raises:
        ConfigError: it is none of them, or its configuration cannot be used.
    """
    if name == "-":
        try:
            return described("model", read_text(_standard_input()))
        except ConfigError as error:
            raise error.at(file="<stdin>") from None
    path = Path(name)
    if find_preset(name) is None and (path.suffix in CONFIG_SUFFIXES or os.path.isfile(path)):
        return from_file(path.stem, path)
    return released(name)


def _standard_input() -> str:
    """What is piped in, as UTF-8 whatever the terminal says, even where it is not."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    # closed, it is None
    return sys.stdin.read() if sys.stdin else ""


def _place(error: ConfigError) -> tuple[str, ...]:
    line = () if error.line is None else (str(error.line + 1),)
    return (error.file, *line) if error.file else ()


def _by(reader: Callable[[str], object]) -> Callable[[str], object]:
    """A reader for argparse, with its errors."""

    def read(text: str) -> object:
        try:
            return reader(text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="llmsize", description="Exact sizes of language models.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    shower = commands.add_parser("show", help="show a model's breakdown, formula and diagram")
    shower.add_argument("model", help="a preset, a configuration file, or - for standard input")
    shower.add_argument("--format", choices=("markdown", "json"), default="markdown")
    shower.add_argument("--show", default="", metavar="VIEWS", help="views, separated by commas")
    _add_options(shower, ViewOptions)
    shower.set_defaults(run=show)
    lister = commands.add_parser("list", help="list the presets")
    lister.set_defaults(run=list_presets)
    return parser


def _add_options(parser: argparse.ArgumentParser, kind: type) -> None:
    """Add the options that a dataclass declares; those not given are absent from the result."""
    for name, declared in options_of(kind).items():
        choices = ",".join(declared.choices)
        parser.add_argument(
            f"--{name}",
            type=_by(declared.read),
            default=argparse.SUPPRESS,
            metavar=f"{{{choices}}}" if choices else declared.value.upper(),
            help=declared.described,
        )
