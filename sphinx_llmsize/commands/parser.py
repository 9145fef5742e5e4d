"""Argument parser with short messages that suggest the nearest name."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from typing import Any, NoReturn

from sphinx_llmsize.command_errors import BAD_INPUT, print_message
from sphinx_llmsize.commands.output import write
from sphinx_llmsize.errors import NEAR, ConfigError, Problem, nearest, suggestion, unknown_word
from sphinx_llmsize.escaping import visible
from sphinx_llmsize.hosts import HOSTS
from sphinx_llmsize.sources.preset_files import find_preset
from sphinx_llmsize.translation import N_, _

SORT = "--sort"
"""Option whose value may begin with a minus, for descending order."""
HELP_COLUMN = 28
"""Maximum column at which help texts of arguments begin."""


class Parser(argparse.ArgumentParser):
    """Argument parser of ``llmsize`` or of one of its commands.

    Attributes:
        hint_for_extra: function that returns a hint for an unexpected argument; empty for none.
    """

    hint_for_extra: Callable[[str], str]

    def __init__(self, **settings: Any) -> None:
        """Make a parser that accepts no abbreviations, which new options could make ambiguous."""
        self.hint_for_extra = lambda argument: ""
        formatter = partial(argparse.RawDescriptionHelpFormatter, max_help_position=HELP_COLUMN)
        super().__init__(**settings, allow_abbrev=False, add_help=False, formatter_class=formatter)
        self.add_argument("-h", "--help", action="help", help="Show this help.")

    def parse_known_args(  # type: ignore[override]  # typeshed declares several overloads
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse arguments; exit with an error for an unknown one.

        It is refused here and not in ``parse_args``, because argparse calls this method for the
        parser of each command, whose usage the message should show.
        """
        arguments = sys.argv[1:] if args is None else args
        self._refuse_values_of_flags(arguments)
        parsed, unknown = super().parse_known_args(_join_sort_value(arguments), namespace)
        if unknown:
            self.error(str(self._unknown_argument(unknown[0])))
        return parsed, unknown

    def _refuse_values_of_flags(self, arguments: Sequence[str]) -> None:
        """Exit with an error for an option that takes no value but has one: ``--check=yes``."""
        for argument in takewhile(lambda each: each != "--", arguments):
            name, equals, _value = argument.partition("=")
            action = self._option_string_actions.get(name)
            if equals and action and action.nargs == 0:
                message = _("{option} takes no value", option=name)
                hint = _("write only {option}, or leave it out", option=name)
                self.error(str(ConfigError(message, Problem.OPTION, hint)))

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and exit; control characters become escapes."""
        print_message(f"{self.format_usage()}llmsize: {visible(message)}")
        sys.exit(BAD_INPUT)

    def _print_message(self, message: str, file: object = None) -> None:
        """Print the help or the version; unlike argparse, report output that can't be written.

        Both go to standard output, but ``llmsize`` without a command prints its help as an error.
        """
        text = message.removesuffix("\n")
        if file is sys.stderr:
            print_message(text)
        else:
            write(text)

    def _unknown_argument(self, argument: str) -> ConfigError:
        """Error for an unknown option, or for an argument that the command doesn't take."""
        name = argument.partition("=")[0]
        if not name.startswith("-"):
            message = _("unexpected argument {name}", name=repr(argument[:60]))
            return ConfigError(message, Problem.OPTION, self.hint_for_extra(argument))
        options = [option for action in self._actions for option in action.option_strings]
        # compared without hyphens, which all have in common
        known = {option.lstrip("-"): option for option in options}
        if "--format" in options:  # --json means --format json
            known |= {format: f"--format {format}" for format in HOSTS}
        hint = suggestion(known.get(nearest(name.lstrip("-"), known, NEAR), ""))
        return ConfigError(_("unknown option {name}", name=name[:60]), Problem.OPTION, hint)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Report a command or a value that isn't one of the choices."""
        if action.choices is None or value in action.choices:
            return
        choices = [str(each) for each in action.choices]
        if not isinstance(action, argparse._SubParsersAction):
            error = unknown_word(N_("unknown value {name}"), str(value), choices, Problem.OPTION)
            raise argparse.ArgumentError(action, str(error))
        error = unknown_word(N_("unknown command {name}"), value, choices, Problem.OPTION)
        if find_preset(value) or os.path.isfile(value):
            error = error.replace(hint=suggestion(f"llmsize show {value}"))
        self.error(str(error))


def _join_sort_value(arguments: Sequence[str]) -> list[str]:
    """The arguments, with ``--sort -total`` as ``--sort=-total``.

    argparse would read ``-total`` as an option.
    """
    joined: list[str] = []
    for argument in arguments:
        has_one_hyphen = argument.startswith("-") and not argument.startswith("--")
        if has_one_hyphen and joined and joined[-1] == SORT:
            joined[-1] = f"{SORT}={argument}"
        else:
            joined.append(argument)
    return joined
