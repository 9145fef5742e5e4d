"""Syntaxes of the source that readers copy: that of the page's host.

The script writes the source from a layout and the layouts of its parts. ``{key}`` and ``{value}``
are an option or a key of the model, ``{options}`` and ``{settings}`` all of them, and ``{name}`` is
the model's name.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.interactive.controls import Control
from sphinx_llmsize.interactive.directive_source import Source
from sphinx_llmsize.interactive.option_controls import TOKENS
from sphinx_llmsize.sources.located import Section, plain_scalar
from sphinx_llmsize.translation import N_

INTERACTIVE = "interactive"
"""Option that every layout contains."""
_WORD = re.compile(r"[A-Za-z][\w./-]*")
"""Text that may need no quotes in YAML."""


def _plain(value: object) -> object:
    """A value with lists and dicts."""
    if isinstance(value, Section):
        return {entry.key: _plain(entry.value) for entry in value.entries}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _in_yaml(value: Setting) -> str:
    """A value in one line of YAML."""
    if isinstance(value, str) and _WORD.fullmatch(value) and plain_scalar(value) == value:
        return value
    return json.dumps(_plain(value), ensure_ascii=False)


def _in_python(value: Setting) -> str:
    """A value in Python."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(_plain(value))


@dataclass(frozen=True)
class Syntax:
    """How a host writes the source of a model.

    Attributes:
        layout: the whole source.
        options: layouts of an option, and of one without a value.
        setting: layout of a key of the model.
        separator: text between two keys.
        settings: layout of all keys; without keys, nothing takes its place.
        value_text: function that writes the value of a key.
        option_text: function that writes the value of an option.
        name_text: function that writes the model's name.
        label: label of the button that copies the source.
        is_interactive: False if the source shows the views without controls. It then contains the
            number of tokens: without it, each of these views would have its own.
    """

    layout: str
    options: tuple[str, str]
    setting: str = "{key}: {value}"
    separator: str = "\n"
    settings: str = "\n\n{settings}"
    value_text: Callable[[Setting], str] = _in_yaml
    option_text: Callable[[str], str] = str
    name_text: Callable[[str], str] = str
    label: str = N_("Copy as directive")
    is_interactive: bool = True


Host = Callable[[Source], Syntax]
"""Function from the parts of a source to the syntax in which a host writes them."""
_IN_DIRECTIVE = ("\n:{key}: {value}", "\n:{key}:")
_IN_COMMAND = (" --{key} {value}", " --{key}")
_IN_CALL = ("{key}={value}, ", "{key}=True, ")


def restructured_text(source: Source) -> Syntax:
    """Directive in reStructuredText."""
    return Syntax(
        ".. llm-size:: {name}\n   :interactive:{options}{settings}",
        ("\n   :{key}: {value}", "\n   :{key}:"),
        separator="\n   ",
        settings="\n\n   {settings}",
    )


def myst(source: Source) -> Syntax:
    """Directive in MyST Markdown."""
    return Syntax("```{llm-size} {name}\n:interactive:{options}{settings}\n```", _IN_DIRECTIVE)


def markdown(source: Source) -> Syntax:
    """Fence in Python-Markdown."""
    return Syntax("```llm-size {name}\n:interactive:{options}{settings}\n```", _IN_DIRECTIVE)


def command(source: Source) -> Syntax:
    """Command that shows the model; it reads one of the user's own from standard input."""
    label = N_("Copy as command")
    if not source.base:
        return Syntax(
            "llmsize show -{options} <<'END'\n{settings}\nEND",
            _IN_COMMAND,
            settings="{settings}",
            option_text=shlex.quote,
            label=label,
            is_interactive=False,
        )
    return Syntax(
        "llmsize show '{name}{settings}'{options}",
        _IN_COMMAND,
        setting="{key}={value}",
        separator="&",
        settings="?{settings}",
        value_text=lambda value: _in_yaml(value).replace("'", "'\\''"),
        option_text=shlex.quote,
        label=label,
        is_interactive=False,
    )


def python(source: Source) -> Syntax:
    """Python, as in notebooks."""
    settings = "{{settings}}"
    return Syntax(
        "load({name}{settings}).show({options}interactive=True)",
        _IN_CALL,
        setting='"{key}": {value}',
        separator=", ",
        settings=f", {settings}" if source.argument else settings,
        value_text=_in_python,
        option_text=_in_python,
        name_text=_in_python,
        label=N_("Copy as Python"),
    )


def source_data(source: Source, syntax: Syntax, controls: Iterable[Control]) -> dict[str, Any]:
    """The source that readers can copy, for the script."""
    layout = syntax.layout
    if not source.argument:
        layout = layout.replace(" {name}", "").replace("{name}", "")
    names = (source.argument, source.changed or source.argument)
    options = {key: text for key, text in source.options.items() if key != INTERACTIVE}
    if not syntax.is_interactive:
        tokens = [control for control in controls if control.name == TOKENS]
        options |= {name: str(each.value) for each in tokens for name in each.options}
    return {
        "layout": layout,
        "names": [syntax.name_text(name) for name in names],
        "options": {key: text and syntax.option_text(text) for key, text in options.items()},
        "settings": {key: syntax.value_text(value) for key, value in source.settings.items()},
        "option": syntax.options,
        "setting": [syntax.setting, syntax.separator, syntax.settings],
    }
