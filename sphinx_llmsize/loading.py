"""Loading of models in Python and on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Union

from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.config.keys.common import MODEL_TYPE
from sphinx_llmsize.errors import UnknownModel
from sphinx_llmsize.make_model import load_file, load_preset, make_own_model
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.files import config_path
from sphinx_llmsize.sources.located import section_of
from sphinx_llmsize.sources.number_text import parse_model
from sphinx_llmsize.sources.preset_files import find_preset, several_presets
from sphinx_llmsize.translation import _

ConfigSource = Union[Mapping[str, object], str, Path]
"""A configuration, or the path of its file. As first argument of :func:`load`, a str is a name."""


def load(model: ConfigSource, config: ConfigSource | None = None) -> Model:
    """Load a model by name, from a configuration, or both.

    - ``load("llama-7b")`` is a released model.
    - ``load("llama-7b", {"num_layers": 40})`` and ``load("llama-7b?num_layers=40")`` are the same
      with one key changed.
    - ``load("llama-7b", {"hidden_dim": "*2"})`` and ``load("llama-7b?hidden_dim*2")`` multiply a
      size, together with those that usually change with it.
    - ``load("mine", {...})`` and ``load("mine", "config.json")`` are a model of your own.
    - ``load({...})`` is a model without a name; ``load(Path("mine.json"))`` has the file's name.

    Args:
        model: a preset's name, a name of your choice, or a configuration.
        config: a configuration as a mapping, or the path of a file with one; for a preset, a
            mapping has the changed keys.

    Raises:
        UnknownModel: there is no configuration, and no preset of that name.
        ConfigError: the configuration cannot be used; the message gives the reason.
        TypeError: an argument is neither a name nor a configuration, or both are configurations.
    """
    if isinstance(model, (Path, Mapping)):
        if config is not None:
            raise TypeError("expected a name before the configuration, not another configuration")
        model, config = model.stem if isinstance(model, Path) else "", model
    if not isinstance(model, str):
        raise TypeError(f"expected a name, a mapping or a path, not {type(model).__name__}")
    if config is None:
        try:
            return load_named(model)
        except UnknownModel as error:
            raise error.replace(hint=_hint_for_unknown(model) or error.hint) from None
    if isinstance(config, (str, Path)):
        return load_file(model, Path(config))
    if not isinstance(config, Mapping):
        raise TypeError(f"expected a mapping or a path, not {type(config).__name__}")
    section = section_of(config)
    if find_preset(model):
        return apply_changes(load_preset(model), section)
    # with a model_type, it is probably from transformers, with keys that no size depends on
    has_model_type = section.get(MODEL_TYPE.name) is not None
    return make_own_model(model, section, is_config_json=has_model_type)


def _hint_for_unknown(text: str) -> str:
    """Hint for a text that isn't a model's name but a path, or several names; empty for others."""
    if path := config_path(text):
        return _("write the path of a file as {example}", example=f"load(Path({str(path)!r}))")
    names = several_presets(text)
    return _("write {value}", value=f"compare({in_quotes(names)})") if names else ""


def in_quotes(names: Iterable[str]) -> str:
    """Names as arguments in Python: ``"gpt2", "gpt2-xl"``."""
    return ", ".join(f'"{name}"' for name in names)


def load_named(text: str) -> Model:
    """Load a preset by name, with its changes: ``llama-7b?hidden_dim*2``.

    Raises:
        UnknownModel: there is no such preset.
        ConfigError: a change cannot be used.
    """
    if "?" not in text:
        return load_preset(text)
    name, changes = parse_model(text)
    preset = load_preset(name)
    return apply_changes(preset, changes) if changes else preset
