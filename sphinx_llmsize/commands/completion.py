"""Command ``llmsize completion``: a script by which a shell completes the arguments."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from sphinx_llmsize.commands.presets import family_of
from sphinx_llmsize.directives.options import OPTIONS
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.sources.presets import presets
from sphinx_llmsize.translation import _
from sphinx_llmsize.views import VIEWS
from sphinx_llmsize.views.comparison.side_by_side import COMPARISONS
from sphinx_llmsize.views.difference.difference_view import DIFFERENCES
from sphinx_llmsize.views.options import options_of

SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser, root: argparse.ArgumentParser) -> None:
    """Declare the arguments; ``root`` is the parser whose commands are completed."""
    parser.usage = "%(prog)s SHELL"
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help="Bash, zsh or fish.")
    parser.set_defaults(run=lambda chosen: run(chosen, root))


def run(chosen: argparse.Namespace, root: argparse.ArgumentParser) -> str:
    """The script, which also completes the names of models and the values of options.

    Raises:
        ConfigError: the package shtab, which writes the script, is not installed.
    """
    try:
        import shtab
    except ImportError:
        message = _("completion needs the package shtab")
        hint = "pip install shtab"
        raise ConfigError(message, Problem.OPTION, hint) from None
    for command, action in _actions(root):
        if action.dest == "show":
            action.choices = [*SHOWN[command]]
        elif action.dest in VALUES and not action.choices:
            action.choices = VALUES[action.dest]()
        elif action.dest in PATHS:
            vars(action)["complete"] = getattr(shtab, PATHS[action.dest])
    return str(shtab.complete(root, shell=chosen.shell))


def _actions(root: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """The arguments of each command, with its name."""
    for action in root._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command, parser in action.choices.items():
                yield from ((command, each) for each in parser._actions)


def _models() -> list[str]:
    return [*presets()]


def _families() -> list[str]:
    return sorted({family_of(load_preset(name)) for name in presets()})


def _choices(name: str) -> tuple[str, ...]:
    """Values of an option of a directive."""
    declared = (options_of(kind).get(name) for kind in OPTIONS.values())
    return next(each.choices for each in declared if each)


SHOWN: dict[str, Collection[str]] = {"show": VIEWS, "compare": COMPARISONS, "diff": DIFFERENCES}
"""Views of each command."""
PATHS = {"paths": "FILE", "path": "FILE", "assets": "DIRECTORY"}
"""Arguments that are paths, and the name of their completion in shtab."""
VALUES: dict[str, Callable[[], Sequence[str]]] = {
    **dict.fromkeys(("model", "models", "one", "other"), _models),
    **{name: partial(_choices, name) for kind in OPTIONS.values() for name in options_of(kind)},
    "family": _families,
}
"""Functions that return the values of other arguments."""
