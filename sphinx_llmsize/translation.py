"""Words in the reader's language: English, unless a host has brought a catalogue.

A message is translated when it is put into words, so what is translated is never kept. Names
that are data (a stage's label, a symbol's meaning) stay English where they are defined and are
translated where they are shown. Numbers are written as in English everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from gettext import NullTranslations
from typing import ParamSpec, TypeVar

ENGLISH = NullTranslations()
"""What every message is written in."""
_PLACE = re.compile(r"\{(\w+)\}")

Params = ParamSpec("Params")
Result = TypeVar("Result")


class _Current:
    """The catalogue in use."""

    catalogue: NullTranslations = ENGLISH


class Phrase(str):
    """A name made of others, in English; its parts are translated one by one."""

    __slots__ = ("parts", "template")
    template: str
    parts: dict[str, object]


def use(catalogue: NullTranslations) -> None:
    """Put everything into words of this catalogue from now on."""
    _Current.catalogue = catalogue


def N_(message: str, /, **parts: object) -> str:  # noqa: N802 - gettext's name for it
    """Mark a name that is translated where it is shown; with parts it is made of others."""
    if not parts:
        return message
    phrase = Phrase(_filled(message, parts))
    phrase.template, phrase.parts = message, parts
    return phrase


def _(message: str, /, **values: object) -> str:
    """A message in the language in use, each ``{place}`` filled with the value of that name."""
    if isinstance(message, Phrase):
        parts = {name: _(p) if isinstance(p, str) else p for name, p in message.parts.items()}
        return _(message.template, **parts)
    return _filled(_Current.catalogue.gettext(message) if message else "", values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """The same for a message that means something else elsewhere."""
    return _filled(_Current.catalogue.pgettext(context, message), values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """The same for a message that depends on a number."""
    return _filled(_Current.catalogue.ngettext(one, many, number), values)


def pieces(template: str) -> Iterator[tuple[str, str]]:
    """A message's texts, each with the name of the place that follows it, or an empty one."""
    *parts, rest = _PLACE.split(template)
    yield from zip(parts[::2], parts[1::2], strict=True)
    yield rest, ""


def cached(size: int) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """``lru_cache`` for what is put into words: each language has results of its own."""

    def decorate(function: Callable[Params, Result]) -> Callable[Params, Result]:
        @lru_cache(maxsize=size)
        def found(
            catalogue: NullTranslations, /, *args: Params.args, **kwargs: Params.kwargs
        ) -> Result:
            return function(*args, **kwargs)

        @wraps(function)
        def of_language(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            return found(_Current.catalogue, *args, **kwargs)  # type: ignore[arg-type]

        return of_language

    return decorate


def _filled(template: str, values: Mapping[str, object]) -> str:
    """The template with each place filled; unknown places, as in a bad translation, stay.

    Whole numbers get thousands separators: 14336 becomes 14,336.
    """
    if not values:
        return template

    def filled(place: re.Match[str]) -> str:
        value = values.get(place[1], place[0])
        is_count = isinstance(value, int) and not isinstance(value, bool)
        return f"{value:,}" if is_count else str(value)

    return _PLACE.sub(filled, template)
