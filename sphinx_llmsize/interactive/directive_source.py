"""Parts of the source that readers can copy with the sizes that they have set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.make_model import load_preset
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _


@dataclass(frozen=True)
class Source:
    """A directive ``llm-size`` in parts, or a call that makes the same model.

    Attributes:
        argument: name of the preset, or of the author's model.
        options: its options, to which the script adds those that the reader has set.
        settings: keys of its body, to which the script adds those that the reader has set.
        changed: the name if the reader has changed the model; empty for ``argument``.
        base: the preset that the argument names; None for an author's own model.
    """

    argument: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Setting] = field(default_factory=dict)
    changed: str = ""
    base: Model | None = None


CHANGED = N_("{model} (changed)")
"""Name of a model that a reader has changed."""
NOT_COPIED = frozenset({"config", "expect", "name"})
"""Options that a copy leaves out: they refer to the original's project, total or label."""


def source_of(model: Model, options: Mapping[str, str]) -> Source:
    """Source of a directive that shows a model on any page.

    It contains the changes to a preset, or all keys that an author wrote.

    Args:
        model: the model.
        options: options of the directive that shows it.
    """
    copied = {
        name: " ".join(text.split()) for name, text in options.items() if name not in NOT_COPIED
    }
    if model.preset:
        base = load_preset(model.preset.name)
        settings = _settings(model, base.config)
        return Source(model.preset.name, copied, settings, base=base)
    changed = _(CHANGED, model=model.name) if model.name else ""
    argument = changed if model.changes else model.name
    return Source(argument, copied, _settings(model), changed)


def _settings(model: Model, base: Config | None = None) -> dict[str, Setting]:
    """Keys that an author wrote, unless ``base`` sets them to the same."""
    config = model.config
    settings = {key: config[key] for key, _value in config.settings if key in config.explicit}
    settings |= dict.fromkeys(sorted(config.nulls, key=lambda key: key.name))
    if base:
        settings = {key: value for key, value in settings.items() if not _is_set(base, key, value)}
    return {model.family.name_of(key): value for key, value in settings.items()}


def _is_set(config: Config, key: Key, value: Setting) -> bool:
    """True if a configuration explicitly sets a key to this value."""
    return key in config.explicit | config.nulls and config[key] == value
