"""Directives that markers call: the argument, the options and the body."""

from __future__ import annotations

import re
from textwrap import dedent

from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model_errors import option_given_twice
from sphinx_llmsize.translation import _
from sphinx_llmsize.update.regions import Region

# a value in quotes, which a backslash cannot escape, or without spaces
_OPTION = re.compile(
    r"""\s+(?P<name>[A-Za-z][\w-]*)=(?P<value>"[^"]*"|'[^']*'|[^\s"']\S*|)(?=\s|$)"""
)


def call_of(region: Region) -> Call:
    """The directive that a region's first marker calls.

    Raises:
        ConfigError: an option is given twice, or its value needs quotes.
    """
    head, _end, body = region.start.rest.lstrip().removeprefix(":").partition("\n")
    head = f" {head.strip()}"  # also the first option has a space before it
    first = _OPTION.search(head)
    end_of_argument = first.start() if first else len(head)
    argument = head[:end_of_argument].strip()
    options = _read_options(head[end_of_argument:])
    return Call(region.start.name, argument, options, dedent(body).rstrip())


def _read_options(text: str) -> dict[str, str]:
    """Read options such as `` show="table, formula" detail=full``."""
    options: dict[str, str] = {}
    position = 0
    while found := _OPTION.match(text, position):
        if found["name"] in options:
            raise option_given_twice(found["name"])
        value = found["value"]
        options[found["name"]] = value[1:-1] if value[:1] in {'"', "'"} else value
        position = found.end()
    rest = text[position:].strip()
    if rest:
        message = _("{text} belongs to no option", text=repr(rest[:60]))
        hint = _('put a value with spaces in quotes: show="table, formula"')
        raise ConfigError(message, Problem.OPTION, hint)
    return options
