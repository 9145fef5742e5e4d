"""Rules: relations between configuration keys, checked and derived in a family's order."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.config.key import Key
    from sphinx_llmsize.config.parsed import ParsedConfig

Settings = dict["Key", "Setting"]


def _accept(settings: Settings, parsed: ParsedConfig) -> None:
    """Nothing to check."""


def _derive_nothing(settings: Settings) -> Settings:
    return {}


@dataclass(frozen=True)
class Rule:
    """A relation between keys.

    Attributes:
        derive: values for keys that are null, from settings in which no required key is null.
        check: raises a ConfigError where what was written does not fit; keys may be null.
        adapt: values in place of defaults that do not fit what was written.
    """

    derive: Callable[[Settings], Settings] = _derive_nothing
    check: Callable[[Settings, ParsedConfig], None] = _accept
    clamp: Callable[[Settings], Settings] = _derive_nothing


def whole(settings: Settings, key: Key) -> int | None:
    """A key's whole number, or None where it is null or the family does not know it."""
    value = settings.get(key)
    return value if isinstance(value, int) else None


def known(settings: Settings, key: Key) -> int:
    """The whole number of a key that cannot be null, or that an earlier rule has derived."""
    value = settings[key]
    assert isinstance(value, int)
    return value


def same_as(other: Key, *keys: Key) -> Rule:
    """These keys are as another one, unless told."""

    def derive(settings: Settings) -> Settings:
        return dict.fromkeys(keys, settings[other])

    return Rule(derive)


def only_these(key: Key, names: Collection[str]) -> Rule:
    """Entries of this key's list must be among these names."""

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        entries = settings.get(key)
        for name in entries if isinstance(entries, tuple) else ():
            if name not in names:
                raise ConfigError(
                    _(
                        "{key} has {name}, which this family does not know",
                        key=parsed.name(key),
                        name=repr(str(name)[:60]),
                    ),
                    Problem.VALUE,
                    hint=_("it knows {names}", names=", ".join(names)),
                    line=parsed.line(key),
                )

    return Rule(check=check)
