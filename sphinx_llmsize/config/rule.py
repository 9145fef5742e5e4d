"""Rules: relations between configuration keys, applied in the order listed by the family.

All rules are checked first; then each rule in turn derives missing values and replaces others. In
the families, the functions are named after the attribute of :class:`Rule` that they are for:
``_check…``, ``_derive…``, ``_replace…``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from sphinx_llmsize.errors import Problem, did_you_mean
from sphinx_llmsize.traced import is_whole
from sphinx_llmsize.translation import N_

if TYPE_CHECKING:
    from sphinx_llmsize.config.config import Setting
    from sphinx_llmsize.config.key import Key
    from sphinx_llmsize.config.parsed_config import ParsedConfig

Settings = dict["Key", "Setting"]
"""Value of each key; null if it has none yet."""


def _accept(settings: Settings, parsed: ParsedConfig) -> None:
    """Accept any settings."""


def _no_values(settings: Settings) -> Settings:
    """Derive or replace nothing."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A relation between keys.

    Attributes:
        derive: function that returns values for keys that are null; values for other keys are
            ignored. All required keys have a value.
        check: function that raises a ConfigError, at the line of a key at fault, for values that
            contradict each other. It runs before any ``derive``, so every key may be null.
            Its messages have {key}, {other}, {third} and {fourth} for the names of the keys at
            fault, in the order in which they are passed to :meth:`ParsedConfig.error`.
        replace: function that returns values for keys whose value is not the one that the model
            uses, such as a size that is rounded up. It runs after ``derive`` of the same rule.
    """

    derive: Callable[[Settings], Settings] = _no_values
    check: Callable[[Settings, ParsedConfig], None] = _accept
    replace: Callable[[Settings], Settings] = _no_values


def int_of(settings: Settings, key: Key) -> int:
    """Value of a whole-number key that is required or was derived by an earlier rule."""
    value = settings[key]
    assert is_whole(value)
    return cast("int", value)


def int_or_none(settings: Settings, key: Key) -> int | None:
    """Value of a whole-number key; None if it is null or not a key of the family."""
    value = settings.get(key)
    return cast("int", value) if is_whole(value) else None


def ints_of(settings: Settings, key: Key) -> tuple[int, ...]:
    """Whole numbers of a key: those of a list, or a single one; none if it is null."""
    value = settings.get(key)
    numbers = value if isinstance(value, tuple) else (value,)
    return tuple(cast("int", number) for number in numbers if is_whole(number))


def names_of(settings: Settings, key: Key) -> tuple[str, ...]:
    """Names in the list of a key; none if it is null or a single name."""
    value = settings.get(key)
    return tuple(map(str, value)) if isinstance(value, tuple) else ()


def same_as(other: Key, *keys: Key) -> Rule:
    """Rule: these keys default to the value of another."""
    return Rule(derive=lambda settings: dict.fromkeys(keys, settings[other]))


def default_if_null(key: Key, value: Setting) -> Rule:
    """Rule: a key that is null or absent has this value."""
    return Rule(derive=lambda settings: {key: value})


def only_these(key: Key, names: Collection[str]) -> Rule:
    """Rule: the list of a key contains only these names."""
    message = N_("{key} has the unknown entry {name}")
    return names_are_known(key, names, lambda settings: names_of(settings, key), message)


def one_of(key: Key, *names: str) -> Rule:
    """Rule: the value of a key is one of these names, or null."""

    def name(settings: Settings) -> tuple[object, ...]:
        value = settings.get(key)
        return () if value is None else (value,)

    return names_are_known(key, names, name)


def names_are_known(
    key: Key,
    names: Collection[str],
    found_in: Callable[[Settings], Iterable[object]],
    message: str = N_("{key} {name} is not supported"),
) -> Rule:
    """Rule: each name that a function finds in the settings is a known one.

    Args:
        key: key of the names.
        names: the known names.
        found_in: the function.
        message: message for a name that is not known, marked for translation with ``N_``.
    """

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        for name in found_in(settings):
            if name not in names:
                error = parsed.error(
                    message,
                    key,
                    name=repr(str(name)[:60]),
                    names=", ".join(names),
                    hint=N_("choose among {names}"),
                    problem=Problem.VALUE,
                )
                raise error.replace(hint=did_you_mean(str(name), names) or error.hint)

    return Rule(check=check)


def must_be_zero(key: Key) -> Rule:
    """Rule: a number is 0 or null."""
    return _unset(key, N_("{key} must be 0 in this family"))


def unsupported_flag(key: Key) -> Rule:
    """Rule: a flag is not set; the sizes that it changes are not supported."""
    return _unset(key, N_("models with {key} are not supported in this family"))


def _unset(key: Key, message: str) -> Rule:
    """Rule: a key is 0, false, empty or null.

    Args:
        key: the key.
        message: message for another value, marked for translation with ``N_``; its placeholder
            ``{key}`` is the name of the key.
    """

    def check(settings: Settings, parsed: ParsedConfig) -> None:
        if settings.get(key):
            raise parsed.error(message, key, hint=N_("remove it"), problem=Problem.VALUE)

    return Rule(check=check)
