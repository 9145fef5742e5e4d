"""Directives that markers call: the argument, the options and the body."""

from __future__ import annotations

from collections.abc import Collection
from textwrap import dedent

from sphinx_llmsize.directives.call import Call
from sphinx_llmsize.directives.misplaced import OPTION_WITH_EQUALS
from sphinx_llmsize.directives.options import INTERACTIVE, OPTIONS
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.model_errors import option_given_twice
from sphinx_llmsize.translation import _
from sphinx_llmsize.update.regions import Region
from sphinx_llmsize.views.option_declarations import options_of


def call_of(region: Region) -> Call:
    """The directive that a region's first marker calls.

    Raises:
        ConfigError: an option is given twice, has no value or one that needs quotes, or has no
            effect in Markdown.
    """
    head, _newline, body = region.start.rest.lstrip().removeprefix(":").partition("\n")
    head = f" {head.strip()}"  # the pattern of an option begins with a space
    first = OPTION_WITH_EQUALS.search(head)
    end_of_argument = first.start() if first else len(head)
    argument = head[:end_of_argument].strip()
    options, rest = _read_options(head[end_of_argument:])
    # an option without a value isn't read as one: it ends the argument, or follows other options
    words = {*argument.split()[1:][-1:], *options, *rest.split()[:1]}
    if INTERACTIVE in words:
        message = _("{option} needs a script, which Markdown files can't have", option=INTERACTIVE)
        hint = _("remove it, or use a host that writes HTML")
        raise ConfigError(message, Problem.OPTION, hint)
    if rest:
        raise _error_of_stray_text(rest, options_of(OPTIONS[region.start.name]))
    return Call(region.start.name, argument, options, dedent(body).rstrip())


def _read_options(text: str) -> tuple[dict[str, str], str]:
    """Read options such as `` show="table, formula" detail=full``, and the text after them."""
    options: dict[str, str] = {}
    position = 0
    while found := OPTION_WITH_EQUALS.match(text, position):
        if found["name"] in options:
            raise option_given_twice(found["name"])
        value = found["value"]
        options[found["name"]] = value[1:-1] if value[:1] in {'"', "'"} else value
        position = found.end()
    return options, text[position:].strip()


def _error_of_stray_text(text: str, known: Collection[str]) -> ConfigError:
    """Error for a text that isn't an option, perhaps because ``=`` or quotes are missing."""
    word = text.split(maxsplit=1)[0]
    message = _("{text} belongs to no option", text=repr(text[:60]))
    if word in known:
        hint = _("write {option}=, then its value", option=word)
    else:
        hint = _('put a value with spaces in quotes: show="table, formula"')
    return ConfigError(message, Problem.OPTION, hint)
