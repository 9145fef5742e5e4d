"""Checked configuration from a parsed one: defaults, rules and derived values."""

from __future__ import annotations

from collections.abc import Mapping

from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.key import Key
from sphinx_llmsize.config.parsed_config import ParsedConfig
from sphinx_llmsize.config.rule import Rule, Settings
from sphinx_llmsize.translation import N_


def resolve(
    parsed: ParsedConfig,
    base: Config | None,
    *,
    required: tuple[Key, ...],
    defaults: Mapping[Key, Setting],
    rules: tuple[Rule, ...],
) -> Config:
    """Check a parsed configuration, and fill in defaults and derived values.

    Args:
        parsed: values of the text.
        base: configuration that the text changes; None if the text is complete.
        required: keys without a default.
        defaults: values of absent keys; null if a rule derives them.
        rules: relations between the keys.

    Raises:
        ConfigError: a key is missing, or two values contradict each other.
    """
    explicit: Settings = {}  # keys of the text, and those that were explicit in ``base``
    if base:
        explicit.update(dict.fromkeys(base.nulls))
        explicit.update({key: base[key] for key in base.explicit})
    explicit.update(parsed.settings)
    settings: Settings = {**dict.fromkeys(required), **defaults, **explicit}
    for rule in rules:
        rule.check(settings, parsed)
    if missing := [key.name for key in required if settings[key] is None]:
        raise parsed.missing(
            missing, N_("add what is missing, or a model_type, which has defaults")
        )
    for rule in rules:
        derived = rule.derive(settings)
        settings |= {key: derived[key] for key in derived if settings.get(key) is None}
        settings |= rule.replace(settings)
    nulls = frozenset(key for key, value in explicit.items() if value is None)
    return Config(tuple(settings.items()), frozenset(explicit) - nulls, nulls)
