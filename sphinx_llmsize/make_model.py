"""Functions that make models: from configurations, files, presets and other models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from sphinx_llmsize.architecture.family import Family
from sphinx_llmsize.architecture.find_family import find_family
from sphinx_llmsize.architecture.multimodal import text_config
from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.keys.common import MODEL_TYPE, NUM_DECODER_LAYERS, NUM_ENCODER_LAYERS
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.errors import ConfigError, Problem, suggestion
from sphinx_llmsize.model import Change, Model
from sphinx_llmsize.sources.located import Entry, Section
from sphinx_llmsize.sources.original_formats import as_config_json
from sphinx_llmsize.sources.preset_files import find_preset, similar_preset, unknown_model
from sphinx_llmsize.sources.text import read_file
from sphinx_llmsize.translation import N_, _


def make_model(name: str, section: Section, *, is_config_json: bool = False) -> Model:
    """Make a model from its configuration.

    Args:
        name: display name; empty for none.
        section: configuration.
        is_config_json: true to treat the configuration as a ``config.json``; see
            :class:`ParsedConfig`.

    Raises:
        ConfigError: the configuration cannot be used.
    """
    section = text_config(as_config_json(section))
    family = find_family(section)
    parsed = family.read(section, is_config_json=is_config_json)
    config = family.configure(parsed)
    return Model(name, config, family.model_type, family.build(config, parsed))


def make_own_model(name: str, section: Section, *, is_config_json: bool = False) -> Model:
    """Make a model from an author's configuration: :func:`make_model`, with a better hint.

    Raises:
        ConfigError: the configuration cannot be used. If it is incomplete, the hint suggests a
            preset of a similar name, since the keys may be meant to change that preset.
    """
    try:
        return make_model(name, section, is_config_json=is_config_json)
    except ConfigError as error:
        near = similar_preset(name) if error.problem is Problem.MISSING else ""
        raise error.with_hint(suggestion(near)) from None


def load_file(name: str, path: Path, path_in_messages: str = "") -> Model:
    """Load a model from a configuration file.

    Args:
        name: display name; empty for none.
        path: the file; one that ends in ``.json`` may have keys that no size depends on.
        path_in_messages: the path as the author wrote it; by default ``path``.

    Raises:
        ConfigError: the file cannot be read or used; ``file`` and ``line`` are the position.
    """
    section = read_file(path, path_in_messages)
    try:
        return make_model(name, section, is_config_json=path.suffix.lower() == ".json")
    except ConfigError as error:
        raise error.at(file=str(path)) from None


@lru_cache(maxsize=1024)
def load_preset(name: str) -> Model:
    """Load the preset of this name.

    Raises:
        UnknownModel: there is no such preset.
    """
    preset = find_preset(name)
    if preset is None:
        raise unknown_model(name)
    return replace(make_model(preset.title, preset.section, is_config_json=True), preset=preset)


def no_effect(entry: Entry, model: Model) -> ConfigError:
    """Error for a change of a key on which nothing in the model depends."""
    message = _("{key} has no effect in {name}", key=entry.key[:100], name=model.label)
    return ConfigError(message, Problem.KEY, _("remove it"), entry.line)


def refuse_unread(parsed: ParsedConfig, model: Model) -> None:
    """Raise ConfigError for a changed key that the family doesn't read, unless a file has it."""
    if parsed.unread and not parsed.is_config_json:
        raise no_effect(parsed.unread[0], model)


def with_settings(model: Model, section: Section) -> Model:
    """Make a model with some keys set to other values.

    Raises:
        ConfigError: a change cannot be used or has no effect, or would change the family.
    """
    family = model.family
    parsed = family.read(section)
    refuse_unread(parsed, model)
    if parsed.settings.get(MODEL_TYPE, family.model_type) != family.model_type:
        is_now = _("a textbook decoder")
        if family.model_type:
            is_now = _("of model_type {name}", name=family.model_type)
        raise parsed.error(
            N_("{name} is {is_now}, which cannot be changed"),
            MODEL_TYPE,
            name=model.label,
            is_now=is_now,
            hint=N_("remove model_type, or choose another name for a model of your own"),
            problem=Problem.VALUE,
        )
    config = family.configure(parsed, model.config)
    architecture = family.build(config, parsed)
    # no effect even if it agrees with the model; false and an empty list state nothing
    stated = [entry for entry in parsed.skipped_sizes if entry.value]
    if stated and not parsed.is_config_json:
        raise no_effect(stated[0], model)
    return replace(
        model,
        config=config,
        architecture=architecture,
        changes=tuple(_changes(model.config, config, family, parsed)),
    )


def _changes(
    before: Config, after: Config, family: Family, parsed: ParsedConfig
) -> Iterator[Change]:
    """The keys to name: those with a new value, or with one that they would lose if not written.

    An example of the latter is an FFN dimension that would follow the hidden dimension. Decoder
    layers that follow those of the encoder are named with them.

    Args:
        before: configuration before the changes.
        after: configuration after them.
        family: the model's family.
        parsed: the changed keys.
    """
    settings = dict(before.settings)
    new = {key: value for key, value in parsed.settings.items() if after[key] != settings.get(key)}
    implied: dict[Key, Setting] | None = settings
    if new and len(new) < len(parsed.settings):
        try:
            entries = tuple(parsed.entries[key] for key in new)
            implied = dict(family.configure(family.read(Section(entries)), before).settings)
        except ConfigError:  # the new values are only valid with the repeated ones
            implied = None
    for key in parsed.settings:
        if key in new or implied is None or after[key] != implied.get(key):
            yield Change(key, after[key])
        follower = NUM_DECODER_LAYERS
        is_followed = key == NUM_ENCODER_LAYERS and follower not in parsed.settings
        if is_followed and follower in settings and after[follower] != settings[follower]:
            yield Change(follower, after[follower])
