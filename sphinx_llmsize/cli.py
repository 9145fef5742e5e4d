"""Command ``llmsize``: shows and compares models, and updates Markdown files."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence

from sphinx_llmsize import __version__
from sphinx_llmsize.command_errors import BAD_INPUT, DIFFERENT, INTERRUPTED, print_error
from sphinx_llmsize.commands import assets, completion, mystmd, presets, show
from sphinx_llmsize.commands.output import write
from sphinx_llmsize.commands.parser import Parser
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.update import command as update


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code, 0 or one of :mod:`.command_errors`."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # UTF-8 regardless of the locale
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    parser = _parser()
    args = parser.parse_args(arguments)
    if not hasattr(args, "run"):
        parser.print_help(sys.stderr)
        return BAD_INPUT
    try:
        result = args.run(args)
        if isinstance(result, int):  # an exit code: the command has printed its output
            return result
        write(result)
    except ConfigError as error:
        print_error(error)
        return DIFFERENT if error.problem is Problem.EXPECT else BAD_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


def _add_update(parser: Parser) -> None:
    """Declare the arguments of ``llmsize update``, which prints its output itself."""
    update.add_arguments(parser)
    parser.set_defaults(run=lambda args: update.run(args, write))


COMMANDS: dict[str, tuple[Callable[[Parser], None], str]] = {
    "show": (show.add_show, "Show the size of a model: table, formula, diagram and other views."),
    "compare": (show.add_compare, "Show several models side by side."),
    "diff": (show.add_diff, "Show what changed between two models."),
    "list": (presets.add_arguments, "List the released models that can be shown by name."),
    "update": (_add_update, "Update the numbers in marked regions of Markdown files."),
    "assets": (assets.add_arguments, "Write the stylesheet and the script as files for a site."),
    "mystmd-plugin": (mystmd.add_arguments, "Write the plugin for mystmd and Jupyter Book 2."),
}
"""Function that declares the arguments of each command, and its help.

``completion`` isn't among them, since it also needs the parser of all commands.
"""
EXAMPLES = """examples:
  llmsize show llama-7b
  llmsize show path/to/config.json --show memory --context 8192
  llmsize compare gpt2 gpt2-xl --columns "total, mlp:share"
  llmsize list qwen --sort -total
  llmsize update --check README.md

A model is a name from "llmsize list", a configuration file, or a folder with a config.json."""


def _parser() -> Parser:
    """The parser of ``llmsize`` with all of its commands."""
    parser = Parser(
        prog="llmsize",
        usage="llmsize COMMAND [ARGUMENT …]",
        description="Exact sizes of language models.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--version", action="version", version=f"%(prog)s {__version__}", help="Show the version."
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", prog="llmsize")
    for name, (declare, help) in COMMANDS.items():
        declare(commands.add_parser(name, help=help, description=help))
    shell = commands.add_parser("completion", help="Print a script that completes in a shell.")
    completion.add_arguments(shell, parser)
    return parser
