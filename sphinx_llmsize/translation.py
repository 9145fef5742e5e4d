"""Translation of messages: English unless a host sets a catalogue.

``_()`` translates a message immediately. ``N_()`` only marks a label, which ``_()`` translates when
it is shown, so that data contains English labels only. Numbers have the English format in every
language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from gettext import NullTranslations
from typing import ParamSpec, TypeVar

ENGLISH = NullTranslations()
"""Catalogue without translations: messages stay as in the source."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")

Params = ParamSpec("Params")
Result = TypeVar("Result")


class _Current:
    catalogue: NullTranslations = ENGLISH


class Phrase(str):
    """Label composed of other labels; the template and its parts are translated separately."""

    __slots__ = ("parts", "template")
    template: str
    parts: dict[str, object]


def use(catalogue: NullTranslations) -> None:
    """Set the catalogue for all messages from now on."""
    _Current.catalogue = catalogue


def N_(message: str, /, **parts: object) -> str:  # noqa: N802 - gettext's conventional name
    """Mark a label for translation by ``_()``; with parts, the label is a :class:`Phrase`.

    ``N_("{stage} ({part})", stage=N_("Norm"), part=N_("encoder"))`` needs a translation of three
    messages, not of every combination.
    """
    if not parts:
        return message
    phrase = Phrase(_filled(message, parts))
    phrase.template, phrase.parts = message, parts
    return phrase


def _(message: str, /, **values: object) -> str:
    """Translate a message or label, and fill in the value of each ``{placeholder}``."""
    if isinstance(message, Phrase):
        parts = {name: _(p) if isinstance(p, str) else p for name, p in message.parts.items()}
        return _(message.template, **parts)
    return _filled(_Current.catalogue.gettext(message) if message else "", values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Translate a message in a context."""
    return _filled(_Current.catalogue.pgettext(context, message), values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Translate a message with singular and plural."""
    return _filled(_Current.catalogue.ngettext(one, many, number), values)


def pieces(template: str) -> Iterator[tuple[str, str]]:
    """Pairs of literal text and the placeholder after it; the last placeholder is empty."""
    *parts, rest = _PLACEHOLDER.split(template)
    yield from zip(parts[::2], parts[1::2], strict=True)
    yield rest, ""


def cached(size: int) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """``lru_cache`` for functions that translate: results are separate for each catalogue."""

    def decorate(function: Callable[Params, Result]) -> Callable[Params, Result]:
        @lru_cache(maxsize=size)
        def in_catalogue(
            catalogue: NullTranslations, /, *args: Params.args, **kwargs: Params.kwargs
        ) -> Result:
            return function(*args, **kwargs)

        @wraps(function)
        def in_current_catalogue(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            return in_catalogue(_Current.catalogue, *args, **kwargs)  # type: ignore[arg-type]

        return in_current_catalogue

    return decorate


def _filled(template: str, values: Mapping[str, object]) -> str:
    """Fill in the placeholders; unknown ones, as in a faulty translation, stay as they are.

    Whole numbers get thousands separators: 14336 becomes 14,336.
    """
    if not values:
        return template

    def filled(placeholder: re.Match[str]) -> str:
        value = values.get(placeholder[1], placeholder[0])
        is_count = isinstance(value, int) and not isinstance(value, bool)
        return f"{value:,}" if is_count else str(value)

    return _PLACEHOLDER.sub(filled, template)
