"""From what a text gives to a checked :class:`Config` of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.vocabulary import MODEL_TYPE, Key
from sphinx_llmsize.errors import ConfigError, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx_llmsize.config.given import Given
    from sphinx_llmsize.config.rules import Rule


def resolve(
    given: Given,
    base: Config | None,
    *,
    required: tuple[Key, ...],
    defaults: Mapping[Key, Setting],
    rules: tuple[Rule, ...],
) -> Config:
    """The configuration of a family that has these defaults and rules.

    Args:
        given: what the text says.
        base: the configuration it changes, if it changes one.
        required: keys without which the family means nothing.
        defaults: what the family takes for absent keys; null where a rule derives it.
        rules: relations between the keys.

    Raises:
        ConfigError: a key is missing or foreign to the family, or a rule is broken.
    """
    written = {key: base[key] for key in base.given} if base else {}
    written.update(given.settings)
    known = {MODEL_TYPE, *required, *defaults}
    _refuse_foreign(given, known, written.get(MODEL_TYPE))
    settings: dict[Key, Setting] = {**dict.fromkeys(required), **defaults, **written}
    for rule in rules:
        rule.check(settings, given)
    _refuse_missing(given, [key for key in required if settings[key] is None])
    derived: dict[Key, Setting] = {}
    for rule in rules:
        derived |= {k: v for k, v in rule.derive(settings).items() if settings.get(k) is None}
    settings |= derived
    return Config(
        tuple((key, value) for key, value in settings.items() if key in known or key in derived),
        frozenset(key for key, value in written.items() if value is not None),
    )


def _refuse_foreign(given: Given, known: set[Key], model_type: Setting) -> None:
    """Refuse keys that the family does not know, unless they were meant for other programs."""
    for key, value in given.settings.items():
        if key not in known and value is not None and not given.foreign:
            family = f"model_type {model_type}" if model_type else "a model without model_type"
            raise ConfigError(
                f"{given.name(key)} has no meaning for {family}",
                Problem.KEY,
                hint="remove it" if model_type else "add its model_type, or remove it",
                line=given.line(key),
            )


def _refuse_missing(given: Given, keys: list[Key]) -> None:
    if keys:
        raise ConfigError(
            f"missing {' and '.join(key.name for key in keys)}",
            Problem.MISSING,
            hint="or a model_type, whose defaults then fill the gaps",
            line=given.first_line,
        )
