"""Source of a directive, which a reader can copy with the sizes that they have set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Section


@dataclass(frozen=True)
class Source:
    """A directive ``llm-size`` in parts.

    Attributes:
        argument: text after its name.
        options: its options; those that the reader has set are added.
        settings: keys of its body; those that the reader has set are added.
    """

    argument: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Syntax:
    """How a host writes directives.

    Attributes:
        first: begin of the first line.
        indent: indentation of the other lines.
        last: the last line; empty if the directive ends with the indentation.
    """

    first: str
    indent: str = ""
    last: str = ""


RESTRUCTURED_TEXT = Syntax(".. llm-size::", "   ")
MYST = Syntax("```{llm-size}", last="```")
MARKDOWN = Syntax("```llm-size", last="```")


def source_of(model: Model, argument: str, options: Mapping[str, str]) -> Source:
    """The source of a model: its changes to the one that is named, or all that is configured."""
    if argument or "config" in options:
        settings = {change.key: change.value for change in model.changes}
    else:
        config = model.config
        settings = {key: config[key] for key, _value in config.settings if key in config.explicit}
    written = {key.name: _written(value) for key, value in settings.items()}
    return Source(argument, options, written)


def _written(value: Setting) -> str:
    """A value in YAML."""
    return value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: object) -> object:
    """A value of lists and dicts."""
    if isinstance(value, Section):
        return {entry.key: _plain(entry.value) for entry in value.entries}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
