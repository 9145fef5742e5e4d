"""Options and names in the body of a directive, where a configuration is expected."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from sphinx_llmsize.config.foreign_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

PAIR = re.compile(r"(?P<colon>:?)(?P<name>[A-Za-z][\w-]*)\s*:(?P<value>\s.*|)")
"""A line that is an option or a key."""
_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


def refuse_options(lines: Iterable[str], options: Collection[str]) -> None:
    """Raise ConfigError, with its line, if a line of a body is an option."""
    for number, line in enumerate(lines):
        try:
            refuse_option(line, options)
        except ConfigError as error:
            raise error.at(line=number) from None


def refuse_option(line: str, options: Collection[str]) -> None:
    """Raise ConfigError if a line of a directive's body is an option: ``show: table``."""
    found = PAIR.fullmatch(line.rstrip())
    if found is None or not (found["colon"] or is_option(found["name"], options)):
        return
    written = f":{found['name']}:{found['value']}"[:60]
    if found["colon"]:
        message = _("the option {option} is below a blank line or other text", option=repr(written))
        hint = _("write it right below the first line of the directive")
    else:
        message = _("{option} is an option", option=repr(found["name"]))
        hint = _("write {value} right below the first line of the directive", value=repr(written))
    raise ConfigError(message, Problem.OPTION, hint)


def is_option(name: str, options: Collection[str]) -> bool:
    """True for the name of an option that isn't also a key of a configuration."""
    return name in options and not is_known_elsewhere(name)


def refuse_name(lines: Iterable[str], start: str) -> None:
    """Raise ConfigError, with its line, if a body begins with a name.

    Args:
        lines: body of a directive without an argument.
        start: first line of the directive, after which the name should be.
    """
    stripped = ((number, line.strip()) for number, line in enumerate(lines))
    number, name = next(((number, line) for number, line in stripped if line), (0, ""))
    if not _NAME.fullmatch(name):
        return
    message = _("the name {name} is in place of a configuration", name=repr(name[:60]))
    hint = _("write it after the directive: {example}", example=f"{start} {name[:60]}")
    raise ConfigError(message, Problem.SYNTAX, hint, number)
