"""Command ``llmsize completion``: a script by which a shell completes the arguments."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from sphinx_llmsize.directives.options import OPTIONS, ShowOptions
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.presets import presets
from sphinx_llmsize.translation import _
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
        hint = "pip install 'sphinx-llmsize[completion]'"
        raise ConfigError(message, Problem.OPTION, hint) from None
    values = {
        name: declared.choices
        for kind in (ShowOptions, *OPTIONS.values())
        for name, declared in options_of(kind).items()
        if declared.choices
    }
    for action in _actions(root):
        if action.dest in {"model", "models", "one", "other"}:
            action.choices = [*presets()]
        elif action.dest in values and not action.choices:
            action.choices = values[action.dest]
    return str(shtab.complete(root, shell=chosen.shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of the parser and its commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _actions(each)
        else:
            yield action
