"""Functions that read the values of options from their texts."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.factor_text import factor_of
from sphinx_llmsize.sources.located import plain_scalar
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.shared.data_size import bits_of

MAX_TOKENS = 10**9
"""Largest number of tokens; no model has such a long context."""
MAX_BATCH = 10**6
"""Largest number of sequences that are processed together."""
MAX_FACTORS = 12
"""Maximum number of factors, since more don't fit on the axis of the chart."""


def read_names(text: str) -> tuple[str, ...]:
    """The parts of a comma-separated list."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def read_count(text: str) -> int:
    """A whole number, with or without commas.

    Raises:
        ConfigError: it is not a whole number.
    """
    value = _whole_number(text)
    if value is None:
        hint = _("write digits only, such as 6738415616 or 6,738,415,616")
        message = _("{text} is not a whole number", text=repr(text[:60]))
        raise ConfigError(message, Problem.OPTION, hint)
    return value


def read_path(text: str) -> str:
    """Return the text of a path as it is.

    Raises:
        ConfigError: the text is empty.
    """
    if not text:
        raise ConfigError(_("the path is missing"), Problem.OPTION, _("write the path of a file"))
    return text


def read_tokens(text: str, problem: Problem = Problem.OPTION) -> int:
    """A number of tokens: ``4096`` or ``4,096``.

    Raises:
        ConfigError: the text is not a number from 1 to :data:`MAX_TOKENS`.
    """
    message = N_("{text} is not a number of tokens")
    hint = N_("write a number from 1 to {number} in digits, such as 4096")
    return _number_up_to(MAX_TOKENS, text, message, hint, problem)


def read_batch(text: str) -> int:
    """A number of sequences.

    Raises:
        ConfigError: the text is not a number from 1 to :data:`MAX_BATCH`.
    """
    message = N_("{text} is not a number of sequences")
    return _number_up_to(MAX_BATCH, text, message, N_("write a number from 1 to {number}"))


def _number_up_to(
    most: int, text: str, message: str, hint: str, problem: Problem = Problem.OPTION
) -> int:
    """A whole number from 1 to ``most``; raise ConfigError with the message if it is none."""
    value = _whole_number(text)
    if value is None or not 1 <= value <= most:
        raise ConfigError(_(message, text=repr(text[:60])), problem, _(hint, number=most))
    return value


def _whole_number(text: str) -> int | None:
    """A whole number, with or without commas: ``6,738,415,616``; None for any other text."""
    value = plain_scalar(text.replace(",", "_"))  # reads 6_738 as YAML does
    return None if isinstance(value, bool) or not isinstance(value, int) else value


def read_dtype(text: str) -> str:
    """Return the text of a data type, ``fp8``, or of bits per weight, ``4.5``, as it is.

    Raises:
        ConfigError: the text is neither.
    """
    try:
        bits_of(text)
    except ConfigError as error:
        raise error.replace(problem=Problem.OPTION) from None
    return text


def read_factors(text: str) -> tuple[Fraction, ...]:
    """Factors such as ``1, 2, 4`` or ``1/2, 1``, without duplicates, in ascending order.

    Raises:
        ConfigError: a part is not a factor, or there are more than :data:`MAX_FACTORS`.
    """
    factors = {_factor(part) for part in read_names(text)}
    if len(factors) > MAX_FACTORS:
        message = _("too many factors: {factors}", factors=len(factors))
        raise ConfigError(message, Problem.OPTION, _("at most {number}", number=MAX_FACTORS))
    return tuple(sorted(factors))


def _factor(text: str) -> Fraction:
    """A single factor; raise ConfigError if the text is none."""
    if factor := factor_of(text):
        return factor
    hint = _("write numbers such as 1/2, 1, 1.5, 2")
    raise ConfigError(_("{text} is not a factor", text=repr(text[:60])), Problem.OPTION, hint)
