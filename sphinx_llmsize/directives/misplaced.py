"""Errors for options and names in the wrong part of a directive, and for unread markup."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from sphinx_llmsize.config.keys_of_other_families import is_known_elsewhere
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

OPTION_OR_KEY = re.compile(r"(?P<colon>:?)(?P<name>[A-Za-z][\w-]*)\s*:(?P<value>\s.*|)")
"""Line with an option, ``:show: table``, or with an option or a key, ``show: table``."""
OPTION_WITH_EQUALS = re.compile(
    r"""\s+(?P<name>[A-Za-z][\w-]*)=(?P<value>"[^"]*"|'[^']*'|[^\s"']\S*|)(?=\s|$)"""
)
"""Option in a comment of a Markdown file: `` show=table``, `` show="table, formula"``.

No backslash escapes a quote.
"""
_MODEL_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
"""Name of a model or a preset: ``llama-7b``, ``meta-llama/Llama-2-7b``."""


def refuse_options(lines: Iterable[str], options: Collection[str]) -> None:
    """Raise ConfigError, with its 0-based line, if a line of a body is an option.

    Args:
        lines: lines of the body.
        options: names of the directive's options.
    """
    for number, line in enumerate(lines):
        try:
            refuse_option(line, options)
        except ConfigError as error:
            raise error.at(line=number) from None


def refuse_option(line: str, options: Collection[str]) -> None:
    """Raise ConfigError if a line of a body is an option.

    Args:
        line: the line: ``show: table`` or ``:show: table``.
        options: names of the directive's options.
    """
    match = OPTION_OR_KEY.fullmatch(line.rstrip())
    if match is None:
        return
    option = f":{match['name']}:{match['value']}"
    if match["colon"]:
        shown = repr(option[:60])
        message = _("the option {option} is below a blank line or other text", option=shown)
        hint = _("write it right below the first line of the directive")
        raise ConfigError(message, Problem.OPTION, hint)
    if is_option(match["name"], options):
        raise _misplaced_option(match["name"], option)


def _misplaced_option(text: str, option: str) -> ConfigError:
    """Error for an option in the wrong place.

    Args:
        text: the option as the author wrote it.
        option: the option as it should be.
    """
    message = _("{option} is an option", option=repr(text[:60]))
    value = repr(option[:60])
    hint = _("write {value} right below the first line of the directive", value=value)
    return ConfigError(message, Problem.OPTION, hint)


def refuse_options_in_name(name: str) -> None:
    """Raise ConfigError if a model's name ends with an option, as in comments of Markdown files.

    Args:
        name: the name: ``gpt2 show=table``.
    """
    for found in OPTION_WITH_EQUALS.finditer(name):
        # imported here, so that pages with nothing but roles start 0.1 s faster
        from sphinx_llmsize.directives.options import OPTIONS
        from sphinx_llmsize.views.option_declarations import options_of

        if any(is_option(found["name"], options_of(kind)) for kind in OPTIONS.values()):
            value = found["value"].strip("'\"")
            raise _misplaced_option(found[0].strip(), f":{found['name']}: {value}")


def unread_markup_error(markup: str, right: str) -> ConfigError:
    """Error for a role or directive that is parsed as something else.

    Args:
        markup: the markup as the author wrote it.
        right: an example of how to write it.
    """
    message = _("{name} is not read as markup here", name=repr(markup))
    return ConfigError(message, Problem.SYNTAX, _("write {value}", value=right))


def is_option(name: str, options: Collection[str]) -> bool:
    """True for the name of an option that isn't also a key of a configuration."""
    return name in options and not is_known_elsewhere(name)


def refuse_name(lines: Iterable[str], start: str) -> None:
    """Raise ConfigError, with its 0-based line, if a body begins with a model's name.

    Args:
        lines: body of a directive without an argument.
        start: first line of the directive, for the hint: ``.. llm-size::``.
    """
    number, name = _first_text(lines)
    if not _MODEL_NAME.fullmatch(name):
        return
    message = _("the name {name} is in place of a configuration", name=repr(name[:60]))
    hint = _("write it after the directive: {example}", example=f"{start} {name[:60]}")
    raise ConfigError(message, Problem.SYNTAX, hint, number)


def _first_text(lines: Iterable[str]) -> tuple[int, str]:
    """Index and text of the first line that isn't blank; 0 and an empty text if all are."""
    for number, line in enumerate(lines):
        if text := line.strip():
            return number, text
    return 0, ""
