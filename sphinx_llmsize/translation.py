"""Translation of messages: English unless a host sets a catalogue.

``_()`` translates a message at once. ``N_()`` only marks a label: data has English labels, which
``_()`` translates when they are shown. ``localize()`` writes a number with the separators of the
language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, wraps
from gettext import NullTranslations
from typing import ParamSpec, TypeVar

from sphinx_llmsize.traced import Traced, is_whole, untraced

ENGLISH = NullTranslations()
"""Catalogue without translations: messages stay as in the source."""
NARROW_SPACE = "\u202f"
"""No-break space between groups of digits."""
_PLACEHOLDER = re.compile(r"\{(\w+)\}")

Params = ParamSpec("Params")
Result = TypeVar("Result")


_HIGHER_GROUPS = re.compile(r"\d[\d,]*(?=,\d{3})")
"""Groups of digits above the lowest."""
_BEFORE_PAIRS = re.compile(r"\B(?=(?:\d\d)+$)")
"""A place before pairs of digits."""


@dataclass(frozen=True)
class Separators:
    """Characters in numbers, and whether digits are grouped in pairs.

    Attributes:
        group: character between groups of digits.
        decimal: character before the decimal places.
        has_pairs: digits above the lowest three stand in pairs, as in Hindi: 6,73,84,15,616.
    """

    group: str = ","
    decimal: str = "."
    has_pairs: bool = False


@dataclass(frozen=True)
class Language:
    """Catalogue of messages, and the separators in numbers."""

    catalogue: NullTranslations = ENGLISH
    separators: Separators = Separators()


class _Current:
    """Language of the process, set by :func:`set_language`."""

    language = Language()


class Phrase(str):
    """Label composed of other labels; the template and its parts are translated separately.

    Attributes:
        template: message with placeholders, in English.
        parts: label or number for each placeholder.
    """

    __slots__ = ("parts", "template")
    template: str
    parts: dict[str, object]


def set_language(catalogue: NullTranslations, separators: Separators = Separators()) -> None:
    """Set the catalogue for all messages, and the separators for all numbers, from now on."""
    _Current.language = Language(catalogue, separators)


def language_code() -> str:
    """Code of the current language, as in HTML: ``en``, ``zh-CN``."""
    return _Current.language.catalogue.info().get("language", "en").replace("_", "-")


def current_separators() -> Separators:
    """The separators in numbers of the current language."""
    return _Current.language.separators


def localize(number: str) -> str:
    """A number written as ``1,234.5``, with the separators of the current language."""
    separators = current_separators()
    if separators.has_pairs:
        number = _HIGHER_GROUPS.sub(_in_pairs, number)
    return number.translate({ord(","): separators.group, ord("."): separators.decimal})


def _in_pairs(groups: re.Match[str]) -> str:
    """Groups of digits as pairs: ``6,738,415`` → ``6,73,84,15``."""
    return _BEFORE_PAIRS.sub(",", groups[0].replace(",", ""))


def plain_digits(number: str) -> str:
    """The reverse of :func:`localize`, without groups: ``1234.5``."""
    separators = current_separators()
    return number.replace(separators.group, "").replace(separators.decimal, ".")


def N_(message: str, /, **parts: object) -> str:  # noqa: N802 - gettext's conventional name
    """Mark a label for translation by ``_()``; with parts, the label is a :class:`Phrase`.

    ``N_("{stage} ({part})", stage=N_("Norm"), part=N_("encoder"))`` needs a translation of three
    messages, not of every combination.
    """
    if not parts:
        return message
    phrase = Phrase(_fill(message, parts))
    phrase.template, phrase.parts = message, parts
    return phrase


def _(message: str, /, **values: object) -> str:
    """Translate a message or label, and fill in the value of each ``{placeholder}``."""
    if isinstance(message, Phrase):
        parts = {name: _(p) if isinstance(p, str) else p for name, p in message.parts.items()}
        return _(message.template, **parts)
    if not message:  # gettext would return the header of the catalogue
        return ""
    return _fill(_Current.language.catalogue.gettext(message), values)


def pgettext(context: str, message: str, /, **values: object) -> str:
    """Translate a message in a context."""
    return _fill(_Current.language.catalogue.pgettext(context, message), values)


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """Translate a message with singular and plural; ``number`` only selects the form."""
    if isinstance(number, Traced):
        # the comparison is recorded: the same form holds for all numbers but 1, or for 1 alone
        number = 1 if number == 1 else untraced(number)
    return _fill(_Current.language.catalogue.ngettext(one, many, number), values)


def literals_and_placeholders(template: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of a literal text and the name of the placeholder after it; the last is empty."""
    *parts, rest = _PLACEHOLDER.split(template)
    yield from zip(parts[::2], parts[1::2], strict=True)
    yield rest, ""


def cached(size: int) -> Callable[[Callable[Params, Result]], Callable[Params, Result]]:
    """``lru_cache`` for functions that translate: results are separate for each language."""

    def decorate(function: Callable[Params, Result]) -> Callable[Params, Result]:
        @lru_cache(maxsize=size)
        def in_language(
            language: Language, /, *args: Params.args, **kwargs: Params.kwargs
        ) -> Result:
            return function(*args, **kwargs)

        @wraps(function)
        def in_current_language(*args: Params.args, **kwargs: Params.kwargs) -> Result:
            return in_language(_Current.language, *args, **kwargs)  # type: ignore[arg-type]

        return in_current_language

    return decorate


def _fill(template: str, values: Mapping[str, object]) -> str:
    """Fill in the placeholders; unknown ones, as in a faulty translation, stay as they are.

    Whole numbers get thousands separators: 14336 becomes 14,336, or 14.336 in German.
    """
    if not values:
        return template

    def text_for(placeholder: re.Match[str]) -> str:
        value = values.get(placeholder[1], placeholder[0])
        is_count = is_whole(value) and not isinstance(value, bool)
        return localize(f"{value:,}") if is_count else str(value)

    return _PLACEHOLDER.sub(text_for, template)
