"""Texts of the role: a number, or the ratio or difference of two."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sphinx_llmsize.errors import (
    NEAR,
    ConfigError,
    Problem,
    UnknownModel,
    nearest,
    suggestion,
)
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.number_text import NumberText, parse_difference, parse_numbers
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.byte_measures import ELEMENTS
from sphinx_llmsize.views.numbers.measures import difference_format
from sphinx_llmsize.views.numbers.model_numbers import (
    is_quantity,
    is_setting,
    number_text,
    number_with_unit,
)
from sphinx_llmsize.views.numbers.number_formats import (
    COUNT_FORMATS,
    PARAMETER_FORMATS,
    RATIO_FORMAT_WORDS,
    RATIO_FORMATS,
    read_format,
)
from sphinx_llmsize.views.numbers.part_selection import TOTAL
from sphinx_llmsize.views.shared.data_size import UNITS

MINUS = "−"
"""Sign of a negative difference."""


@only_config_errors()
def role_text(text: str, find_model: Callable[[NumberText], Model]) -> str:
    """Resolve the text of a role to a number, or to a ratio or difference of two.

    Args:
        text: such as ``llama-7b:mlp:share``.
        find_model: function that returns the model for a parsed number.

    Raises:
        ConfigError: the text cannot be parsed, or a model has no such number.
    """
    if difference := parse_difference(text):
        first, second = difference
        try:
            return difference_text(find_model(first), first.words, find_model(second), second.words)
        except UnknownModel as error:
            return _text_with_minus_in_name(text, find_model, error)
    first, *divisors = parse_numbers(text)
    if not divisors:
        return number_text(find_model(first), first.words)
    (second,) = divisors
    return ratio_text(find_model(first), first.words, find_model(second), second.words)


def _text_with_minus_in_name(
    text: str, find_model: Callable[[NumberText], Model], error: UnknownModel
) -> str:
    """Text of a role that is no difference, as the minus is in the model's name: ``Ours - v2``.

    Args:
        text: text of the role.
        find_model: function that returns the model for a parsed number.
        error: the error of the text as a difference, raised if there is no such model either.
    """
    number, *divisors = parse_numbers(text)
    if divisors:  # a ratio
        raise error
    try:
        model = find_model(number)
    except UnknownModel:
        raise error from None
    return number_text(model, number.words)


def ratio_text(
    model: Model, words: tuple[str, ...], other: Model, other_words: tuple[str, ...]
) -> str:
    """Format the ratio of two numbers: ``8.79×``.

    Args:
        model: model of the first number.
        words: its name; empty for the same as the second's.
        other: model of the second number.
        other_words: its name, and optionally one of :data:`RATIO_FORMATS`.

    Raises:
        ConfigError: one of them is not a number, or the second is 0, or they have different units.
    """
    format_ratio = RATIO_FORMATS["times"]
    if other_words and other_words[-1] in RATIO_FORMATS:
        format_ratio, other_words = RATIO_FORMATS[other_words[-1]], other_words[:-1]
    _refuse_formats(words)
    _refuse_formats(other_words)
    words = words or other_words
    try:
        dividend, divisor = _numbers_of_same_unit(model, words, other, other_words)
    except ConfigError as error:
        raise _unknown_ratio_format(other_words) or error from None
    if not divisor:
        message = _("{name} has none of it, so there is no ratio", name=other.name)
        raise ConfigError(message, Problem.NUMBER)
    return format_ratio(Fraction(dividend, divisor))


def difference_text(
    model: Model, words: tuple[str, ...], other: Model, other_words: tuple[str, ...]
) -> str:
    """Format the difference of two numbers: ``1.29B``, ``−393 kB``.

    Args:
        model: model of the first number.
        words: its name; empty for the same as the second's.
        other: model of the number that is subtracted.
        other_words: its name, and optionally a format or a unit for the difference.

    Raises:
        ConfigError: one of them is not a number, the format is unknown, or they have different
            units.
    """
    name, *rest = other_words or (TOTAL,)
    if is_quantity(name):
        format_number = difference_format(name, rest)
        # for a difference in elements, the first number must be in elements too, not in bytes
        if words and rest[-1:] == [ELEMENTS] and words[-1:] != (ELEMENTS,):
            words = (*words, ELEMENTS)
    else:
        default = "exact" if is_setting(other, name) else "short"
        format_number = COUNT_FORMATS[read_format(rest, default, COUNT_FORMATS)]
        other_words = (name,)
    first, second = _numbers_of_same_unit(model, words or other_words, other, other_words)
    number = Fraction(first - second)
    return f"{MINUS if number < 0 else ''}{format_number(abs(number))}"


def _numbers_of_same_unit(
    model: Model, words: tuple[str, ...], other: Model, other_words: tuple[str, ...]
) -> tuple[int | Fraction, int | Fraction]:
    """The two numbers, which have the same unit.

    Raises:
        ConfigError: one of them is not a number, or they have different units.
    """
    first, unit = number_with_unit(model, *words)
    second, other_unit = number_with_unit(other, *other_words)
    if unit is other_unit:
        return first, second
    name = ":".join(words) or TOTAL
    other_name = ":".join(other_words) or TOTAL
    message = _(
        "{one} and {other} have different units: {unit} and {other_unit}",
        one=repr(name[:60]),
        other=repr(other_name[:60]),
        unit=_(unit.value),
        other_unit=_(other_unit.value),
    )
    same = name if other_name == TOTAL else other_name
    raise ConfigError(message, Problem.NUMBER, _("write {name} for both", name=repr(same[:60])))


def _unknown_ratio_format(words: tuple[str, ...]) -> ConfigError | None:
    """Error for words that end with another word for a format of a ratio, or a misspelt one."""
    word = words[-1] if words else ""
    hint = suggestion(_meant_ratio_format(word))
    message = _("unknown format {name}", name=repr(word[:60]))
    return ConfigError(message, Problem.NUMBER, hint) if hint else None


def _meant_ratio_format(word: str) -> str:
    """The format of a ratio that a word may mean; empty if there is none."""
    return RATIO_FORMAT_WORDS.get(word.casefold()) or nearest(word, RATIO_FORMATS, NEAR)


def _refuse_formats(words: tuple[str, ...]) -> None:
    """Raise ConfigError if the words of a number in a ratio include a format of its own."""
    if not words:
        return
    name, *rest = words
    # of the words after a measure, such as its context and data type, only units are formats
    formats = [word for word in rest if not is_quantity(name) or word in UNITS]
    if name in (*PARAMETER_FORMATS, *RATIO_FORMATS):
        formats.insert(0, name)
    if formats:
        message = _("a ratio takes no format {written}", written=repr(formats[0][:60]))
        known = ", ".join(RATIO_FORMATS)
        hint = suggestion(_meant_ratio_format(formats[-1]))
        hint = hint or _("a ratio ends with one of {names}, or nothing", names=known)
        raise ConfigError(message, Problem.NUMBER, hint)
