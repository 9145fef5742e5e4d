"""Command ``llmsize completion``: prints a script with which a shell completes arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from sphinx_llmsize.commands.presets import family_of
from sphinx_llmsize.directives.options import OPTIONS
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.sources.preset_files import presets
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import VIEWS
from sphinx_llmsize.views.comparison.side_by_side import COMPARISONS
from sphinx_llmsize.views.difference.difference_view import DIFFERENCE_VIEWS
from sphinx_llmsize.views.option_declarations import options_of

SHELLS = ("bash", "zsh", "fish")
"""Shells for which a script can be written."""


def add_arguments(parser: argparse.ArgumentParser, root: argparse.ArgumentParser) -> None:
    """Declare the arguments.

    Args:
        parser: parser of this command.
        root: parser of ``llmsize``, whose commands the script completes.
    """
    parser.usage = "%(prog)s SHELL"
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="Bash, zsh or fish.")
    parser.set_defaults(run=lambda args: run(args, root))


def run(args: argparse.Namespace, root: argparse.ArgumentParser) -> str:
    """Return the script, which also completes names of models and values of options.

    Raises:
        ConfigError: the package shtab, which writes the script, is not installed.
    """
    try:
        import shtab
    except ImportError:
        message = _("completion needs the package shtab")
        hint = _("install it: {command}", command="pip install shtab")
        raise ConfigError(message, Problem.OPTION, hint) from None
    for command, action in _actions(root):
        if action.dest == "show":
            action.choices = [*VIEWS_OF_COMMAND[command]]
        elif action.dest in VALUES and not action.choices:
            action.choices = VALUES[action.dest]()
        elif action.dest in PATHS:
            vars(action)["complete"] = getattr(shtab, PATHS[action.dest])  # shtab's attribute
    return str(shtab.complete(root, shell=args.shell))


def _actions(root: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Pairs of a command's name and one of its arguments."""
    for action in root._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, parser in action.choices.items():
                for argument in parser._actions:
                    yield command, argument


def _models() -> list[str]:
    """Names of all presets."""
    return [*presets()]


def _families() -> list[str]:
    """Names of the families that have presets."""
    return sorted({family_of(load_preset(name)) for name in presets()})


def _choices(name: str) -> tuple[str, ...]:
    """Allowed values of an option of the directives; empty if any value is allowed."""
    for kind in OPTIONS.values():
        option = options_of(kind).get(name)
        if option:
            return option.choices
    raise KeyError(name)


VIEWS_OF_COMMAND: dict[str, Collection[str]] = {
    "show": VIEWS,
    "compare": COMPARISONS,
    "diff": DIFFERENCE_VIEWS,
}
"""Views that each command can show."""
PATHS = {"paths": "FILE", "path": "FILE", "folder": "DIRECTORY", "assets": "DIRECTORY"}
"""Kind of completion in shtab for each argument that is a path."""
VALUES: dict[str, Callable[[], Sequence[str]]] = {
    **dict.fromkeys(("model", "models", "one", "other"), _models),
    **{name: partial(_choices, name) for kind in OPTIONS.values() for name in options_of(kind)},
    "family": _families,
}
"""Function that returns the values to suggest, for each other argument."""
