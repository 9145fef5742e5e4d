"""Options, names and configurations at a place in a directive where they have another meaning."""

from __future__ import annotations

import re
from collections.abc import Collection

from docutils.parsers.rst import Directive

from sphinx_llmsize.config.foreign_keys import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.locate import continued_option, is_markdown
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.options import options_of

_PAIR = re.compile(r"(?P<colon>:?)(?P<name>[A-Za-z][\w-]*)\s*:(?P<value>\s.*|)")
_UNCLOSED_OPTION = re.compile(r":(?P<name>[A-Za-z][\w-]*)(?P<value>\s.*|)")
_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


def refuse_misplaced(directive: Directive, kind: type) -> None:
    """Raise ConfigError for a line of ``llm-size`` that is at the wrong place.

    Args:
        directive: the directive.
        kind: dataclass that declares the directive's options.
    """
    _refuse_pairs_in_argument(directive, options_of(kind))
    if name := continued_option(directive):
        message = _("an option of Markdown ends with its line")
        hint = _("write all of {option} on one line", option=repr(f":{name}:"))
        raise ConfigError(message, Problem.OPTION, hint, 0)
    _refuse_name_in_body(directive)
    for number, line in enumerate(directive.content):
        try:
            refuse_option(line, options_of(kind))
        except ConfigError as error:
            raise error.at(line=number) from None


def refuse_option(line: str, options: Collection[str]) -> None:
    """Raise ConfigError if a line of a directive's body is an option: ``show: table``."""
    found = _PAIR.fullmatch(line.rstrip())
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
    """True for the name of an option that is no key of a configuration."""
    return name in options and not is_known_elsewhere(name)


def _refuse_pairs_in_argument(directive: Directive, options: Collection[str]) -> None:
    """Raise ConfigError if the argument contains a body that no blank line separates from it."""
    for line in "".join(directive.arguments).split("\n")[1:]:
        if found := _PAIR.fullmatch(line.strip()) or _UNCLOSED_OPTION.fullmatch(line.strip()):
            name = found["name"]
            message = _("{line} is taken for part of the name", line=repr(line.strip()[:60]))
            hint = (
                _("write {value}", value=repr(f":{name}:{found['value']}"[:60]))
                if is_option(name, options)
                else _("leave a blank line before a configuration")
            )
            raise ConfigError(message, Problem.SYNTAX, hint, option=name)


def _refuse_name_in_body(directive: Directive) -> None:
    """Raise ConfigError if the body begins with a name, and there is none after the directive."""
    lines = ((number, line.strip()) for number, line in enumerate(directive.content))
    number, name = next(((number, line) for number, line in lines if line), (0, ""))
    if directive.arguments or not _NAME.fullmatch(name):
        return
    start = f"{{{directive.name}}}" if is_markdown(directive) else f".. {directive.name}::"
    message = _("the name {name} is in place of a configuration", name=repr(name[:60]))
    hint = _("write it after the directive: {example}", example=f"{start} {name[:60]}")
    raise ConfigError(message, Problem.SYNTAX, hint, number)
