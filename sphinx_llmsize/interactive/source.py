"""Source of a directive, which a reader can copy with the sizes that they have set."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.located import Section, plain_scalar
from sphinx_llmsize.translation import N_, _


@dataclass(frozen=True)
class Source:
    """A directive ``llm-size`` in parts.

    Attributes:
        argument: text after its name.
        options: its options; those that the reader has set are added.
        settings: keys of its body; those that the reader has set are added.
        changed: the argument once a reader has changed the model; empty for the same.
    """

    argument: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    changed: str = ""


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
CHANGED = N_("{model}, changed")
"""Name of a model that a reader has changed."""
OF_ORIGINAL = frozenset({"config", "expect", "name"})
"""Options that a copy doesn't have: a file of the original's project, its total and its label."""
_WORD = re.compile(r"[A-Za-z][\w./-]*")


def source_of(model: Model, options: Mapping[str, str]) -> Source:
    """The source that makes a model anywhere: its changes to a preset, or else all its keys.

    Args:
        model: the model.
        options: options of the directive that shows it.
    """
    kept = {name: " ".join(options[name].split()) for name in options if name not in OF_ORIGINAL}
    if model.preset:
        base = load_preset(model.preset.name).config
        return Source(model.preset.name, kept, _settings(model, base))
    changed = _(CHANGED, model=model.name) if model.name else ""
    return Source(changed if model.changes else model.name, kept, _settings(model), changed)


def _settings(model: Model, base: Config | None = None) -> dict[str, str]:
    """Keys that an author has written, in YAML; without those of the base, if there is one."""
    config = model.config
    written = {key: config[key] for key, _value in config.settings if key in config.explicit}
    written |= dict.fromkeys(sorted(config.nulls, key=lambda key: key.name))
    if base:
        known = base.explicit | base.nulls
        written = {k: v for k, v in written.items() if k not in known or base[k] != v}
    return {model.family.name_of(key): _in_yaml(value) for key, value in written.items()}


def _in_yaml(value: Setting) -> str:
    """A value in one line of YAML."""
    if isinstance(value, str) and _WORD.fullmatch(value) and plain_scalar(value) == value:
        return value
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: object) -> object:
    """A value of lists and dicts."""
    if isinstance(value, Section):
        return {entry.key: _plain(entry.value) for entry in value.entries}
    return [_plain(each) for each in value] if isinstance(value, tuple) else value
