"""Errors for options, names and configurations that are in another part of a directive."""

from __future__ import annotations

import re
from collections.abc import Collection

from docutils.parsers.rst import Directive

from sphinx_llmsize.directives.misplaced import (
    OPTION_OR_KEY,
    is_option,
    refuse_name,
    refuse_options,
)
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.locate import continued_option, is_markdown
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.option_declarations import options_of

_UNCLOSED_OPTION = re.compile(r":(?P<name>[A-Za-z][\w-]*)(?P<value>\s.*|)")
"""An option without the colon after its name: ``:show table``."""


def refuse_misplaced(directive: Directive, kind: type) -> None:
    """Raise ConfigError for a line of ``llm-size`` that belongs to another part of it.

    Args:
        directive: the directive.
        kind: dataclass that declares the directive's options.
    """
    _refuse_options_in_argument(directive, options_of(kind))
    if name := continued_option(directive):
        message = _("in Markdown, an option can't continue on the next line")
        hint = _("write all of {option} on one line", option=repr(f":{name}:"))
        raise ConfigError(message, Problem.OPTION, hint, 0)
    if not directive.arguments:
        first_line = f".. {directive.name}::"
        if is_markdown(directive):
            first_line = f"{{{directive.name}}}"
        refuse_name(directive.content, first_line)
    refuse_options(directive.content, options_of(kind))


def _refuse_options_in_argument(directive: Directive, options: Collection[str]) -> None:
    """Raise ConfigError if a line of the argument, below its first, is an option or a key.

    docutils takes all lines up to a blank line or a well-formed option for the argument.

    Args:
        directive: the directive.
        options: names of its options.
    """
    _first, *others = "".join(directive.arguments).split("\n")
    for line in map(str.strip, others):
        match = OPTION_OR_KEY.fullmatch(line) or _UNCLOSED_OPTION.fullmatch(line)
        if match is None:
            continue
        name = match["name"]
        message = _("{line} would be part of the name", line=repr(line[:60]))
        if is_option(name, options):
            hint = _("write {value}", value=repr(f":{name}:{match['value']}"[:60]))
        else:
            hint = _("leave a blank line before a configuration")
        raise ConfigError(message, Problem.SYNTAX, hint, option=name)
