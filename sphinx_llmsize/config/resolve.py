"""From what a text gives to a checked :class:`Config` of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sphinx_llmsize.config.key import Key
    from sphinx_llmsize.config.parsed import ParsedConfig
    from sphinx_llmsize.config.rule import Rule


def resolve(
    parsed: ParsedConfig,
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
        ConfigError: a key is missing, or a rule is broken.
    """
    written = {**dict.fromkeys(base.nulls), **{k: base[k] for k in base.explicit}} if base else {}
    written.update(parsed.settings)
    settings: dict[Key, Setting] = {**dict.fromkeys(required), **defaults, **written}
    for rule in rules:
        rule.check(settings, parsed)
    _refuse_missing(parsed, [key for key in required if settings[key] is None])
    for rule in rules:
        settings |= {k: v for k, v in rule.derive(settings).items() if settings.get(k) is None}
        settings |= rule.clamp(settings)
    return Config(
        tuple(settings.items()),
        frozenset(key for key, value in written.items() if value is not None),
        frozenset(key for key, value in written.items() if value is None),
    )


def _refuse_missing(parsed: ParsedConfig, keys: list[Key]) -> None:
    if keys:
        raise ConfigError(
            _("missing {names}", names=" and ".join(key.name for key in keys)),
            Problem.MISSING,
            hint=_("or a model_type, whose defaults then fill the gaps"),
            line=parsed.first_line,
        )
