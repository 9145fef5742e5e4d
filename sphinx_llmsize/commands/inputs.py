"""Arguments of several commands: models, options, and the format of the output."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable

from sphinx_llmsize.errors import ConfigError, UnknownModel
from sphinx_llmsize.hosts import HOSTS, PIPE_FORMAT, TERMINAL_FORMAT, host
from sphinx_llmsize.loading import load_named
from sphinx_llmsize.make_model import load_file, make_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.report import MAX_LEVEL, Report
from sphinx_llmsize.sources.files import MAX_BYTES, config_path
from sphinx_llmsize.sources.preset_files import find_preset, several_presets
from sphinx_llmsize.sources.text import read_text
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.option_declarations import Options, options_of


def find_model(name: str) -> Model:
    """Find a model by name, or by the path of a file or folder; ``-`` is standard input.

    Raises:
        ConfigError: there is no such model or file, or its configuration cannot be used.
    """
    if name == "-":
        try:
            return make_model("", read_text(_read_standard_input()))
        except ConfigError as error:
            raise error.at(file="<stdin>") from None
    if find_preset(name) is None and (path := config_path(name)):
        # a config.json is named after its folder if the user named that
        label = path.parent.resolve().name if os.path.isdir(name) else path.stem
        return load_file(label, path)
    try:
        return load_named(name)
    except UnknownModel as error:
        names = several_presets(name)  # if the user wrote several in one: "gpt2, llama-7b"
        if not names:
            raise
        example = f"llmsize compare {' '.join(names)}"
        hint = _("write models with spaces: {example}", example=example)
        raise error.replace(hint=hint) from None


def _read_standard_input() -> str:
    """Read standard input as UTF-8; invalid bytes become surrogates, which the parser rejects."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    # one character over the limit, so that read_text() rejects longer input; stdin may be None
    return sys.stdin.read(MAX_BYTES + 1) if sys.stdin else ""


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments for the format and the heading, whose level 0 means no heading."""
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=HOSTS,
        help=f"Format of the output. Default: {TERMINAL_FORMAT}, or {PIPE_FORMAT} in files and "
        "pipes.",
    )
    heading = output.add_mutually_exclusive_group()
    heading.add_argument(
        "--no-title", dest="level", action="store_const", const=0, help="Leave out the heading."
    )
    heading.add_argument(
        "--heading-level",
        dest="level",
        type=int,
        choices=range(1, MAX_LEVEL + 1),
        metavar=f"{{1..{MAX_LEVEL}}}",
        help="Level of the heading in Markdown and HTML.",
    )


def report_text(report: Report, format: str | None) -> str:
    """Text of a report in a format; None is the default of a terminal, or of a file or pipe."""
    default = TERMINAL_FORMAT if is_terminal() else PIPE_FORMAT
    show = host(format or default)
    return show(report)


def is_terminal() -> bool:
    """True if standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def add_options(parser: argparse.ArgumentParser, options_class: type) -> None:
    """Declare an argument for each option of a dataclass, with ``--show`` before the others.

    The parsed namespace has no attribute for an option that is not set.
    """
    group = parser.add_argument_group("content")
    options = options_of(options_class)
    for name in sorted(options, key=lambda name: name != "show"):
        option = options[name]
        help_text = option.help_text.replace("%", "%%")
        if isinstance(option.default, bool):
            group.add_argument(
                f"--{name}", action="store_true", default=argparse.SUPPRESS, help=help_text
            )
            continue
        choices = ",".join(option.choices)
        group.add_argument(
            f"--{name}",
            type=_argparse_type(option.read),
            default=argparse.SUPPRESS,
            metavar=f"{{{choices}}}" if choices else option.metavar.upper(),
            help=help_text,
        )


def options_from(args: argparse.Namespace, options_class: type[Options]) -> Options:
    """The options of a dataclass from parsed arguments; those that are not set have defaults."""
    known = options_of(options_class)
    return options_class(**{name: value for name, value in vars(args).items() if name in known})


def _argparse_type(reader: Callable[[str], object]) -> Callable[[str], object]:
    """Function like ``reader``, whose ConfigError argparse reports as an invalid argument."""

    def read(text: str) -> object:
        try:
            return reader(text)
        except ConfigError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read
