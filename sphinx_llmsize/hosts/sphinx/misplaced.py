"""Options, names and configurations at a place in a directive where they have another meaning."""

from __future__ import annotations

import re
from collections.abc import Collection

from docutils.parsers.rst import Directive

from sphinx_llmsize.directives.misplaced import PAIR, is_option, refuse_name, refuse_options
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.hosts.sphinx.locate import continued_option, is_markdown
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.options import options_of

_UNCLOSED_OPTION = re.compile(r":(?P<name>[A-Za-z][\w-]*)(?P<value>\s.*|)")
"""An option without the colon after its name: ``:show table``."""


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
    if not directive.arguments:
        name = directive.name
        refuse_name(directive.content, f"{{{name}}}" if is_markdown(directive) else f".. {name}::")
    refuse_options(directive.content, options_of(kind))


def _refuse_pairs_in_argument(directive: Directive, options: Collection[str]) -> None:
    """Raise ConfigError if the argument contains a body that no blank line separates from it."""
    for line in "".join(directive.arguments).split("\n")[1:]:
        if found := PAIR.fullmatch(line.strip()) or _UNCLOSED_OPTION.fullmatch(line.strip()):
            name = found["name"]
            message = _("{line} is taken for part of the name", line=repr(line.strip()[:60]))
            hint = (
                _("write {value}", value=repr(f":{name}:{found['value']}"[:60]))
                if is_option(name, options)
                else _("leave a blank line before a configuration")
            )
            raise ConfigError(message, Problem.SYNTAX, hint, option=name)
