"""From the entries of a text to a checked :class:`Config` of a family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.config.config import Config, Setting
from sphinx_llmsize.config.values import setting
from sphinx_llmsize.config.vocabulary import KEY_OF_NAME, MODEL_TYPE, WITHOUT_SIZE, Key
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sphinx_llmsize.sources.marks import Entry, Section

Settings = dict[Key, Setting]


class Given:
    """The settings a text gives, each with the entry it stood in."""

    def __init__(self, section: Section, *, foreign: bool) -> None:
        """Read every entry.

        Args:
            section: the entries.
            foreign: the text was written for other programs as well (a ``config.json``):
                keys that resemble none of ours are passed over.

        Raises:
            ConfigError: for the first entry that is wrong, telling how many follow.
        """
        self.settings: Settings = {}
        self.entries: dict[Key, Entry] = {}
        self.foreign = foreign
        self.first_line = section.entries[0].line if section.entries else None
        errors: list[ConfigError] = []
        for entry in section.entries:
            try:
                self._read(entry)
            except ConfigError as error:
                errors.append(error)
        if errors:
            raise _first_of(errors)

    def _read(self, entry: Entry) -> None:
        key = KEY_OF_NAME.get(entry.key)
        if key is None:
            _refuse_unknown(entry, self.foreign)
            return
        value = setting(entry, key)
        if key in self.entries and not (self.foreign and value == self.settings[key]):
            raise ConfigError(
                f"{entry.key} is {self.entries[key].key} by another name, which is given too",
                Problem.KEY,
                hint="keep one of them",
                line=entry.line,
            )
        self.entries[key] = entry
        self.settings[key] = value

    def line(self, key: Key) -> int | None:
        """Where the key was given."""
        entry = self.entries.get(key)
        return entry.line if entry else None

    def name(self, key: Key) -> str:
        """The key by the name it was given with."""
        entry = self.entries.get(key)
        return entry.key if entry else key.name


def resolve(
    given: Given,
    base: Config | None,
    *,
    required: tuple[Key, ...],
    defaults: Mapping[Key, Setting],
    derive: Callable[[Settings], Settings],
    check: Callable[[Settings, Given], None],
) -> Config:
    """The configuration of a family that has these defaults and rules.

    Args:
        given: what the text says.
        base: the configuration it changes, if it changes one.
        required: keys without which the family means nothing.
        defaults: what the family takes for absent keys.
        derive: values that follow from the others, for keys that are still null.
        check: raises a ConfigError for values that do not fit each other.

    Raises:
        ConfigError: a key is missing or foreign to the family, or a check failed.
    """
    written: Settings = {key: base[key] for key in base.given} if base else {}
    written.update(given.settings)
    known = {MODEL_TYPE, *required, *defaults}
    for key, value in given.settings.items():
        if key not in known and value is not None and not given.foreign:
            raise _foreign_to_family(given, key, written.get(MODEL_TYPE))
    settings: Settings = {**dict.fromkeys(required), **defaults, **written}
    check(settings, given)
    missing = [key.name for key in required if settings[key] is None]
    if missing:
        raise ConfigError(
            f"missing {' and '.join(missing)}",
            Problem.MISSING,
            hint="or a model_type, whose defaults then fill the gaps",
            line=given.first_line,
        )
    derived = {k: v for k, v in derive(settings).items() if settings.get(k) is None}
    settings |= derived
    return Config(
        tuple((key, value) for key, value in settings.items() if key in known or key in derived),
        frozenset(key for key, value in written.items() if value is not None),
    )


def _refuse_unknown(entry: Entry, foreign: bool) -> None:
    if entry.key in WITHOUT_SIZE:
        return
    hint = did_you_mean(entry.key, KEY_OF_NAME)
    if hint or not foreign:
        raise ConfigError(f"unknown key {entry.key[:100]!r}", Problem.KEY, hint, line=entry.line)


def _foreign_to_family(given: Given, key: Key, model_type: Setting) -> ConfigError:
    family = f"model_type {model_type}" if model_type else "a configuration without model_type"
    return ConfigError(
        f"{given.name(key)} has no meaning for {family}",
        Problem.KEY,
        hint="remove it" if model_type else "add the model_type it belongs to, or remove it",
        line=given.line(key),
    )


def _first_of(errors: list[ConfigError]) -> ConfigError:
    first, more = errors[0], len(errors) - 1
    if not more:
        return first
    return first.hinting(f"and {more:,} more problem{'s' if more > 1 else ''} below")
