"""Values of options: numbers of tokens and sequences, data types, factors."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.sources.factor_text import factor_of
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.option_declarations import read_names, whole_number
from sphinx_llmsize.views.shared.data_size import bits_of

MAX_TOKENS = 10**9
"""Largest number of tokens; no model has such a long context."""
MAX_BATCH = 10**6
"""Largest number of sequences that are processed together."""
MAX_FACTORS = 12
"""Maximum number of factors, since more don't fit on the axis of the chart."""


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
    value = whole_number(text)
    if value is None or not 1 <= value <= most:
        raise ConfigError(_(message, text=repr(text[:60])), problem, _(hint, number=most))
    return value


def read_dtype(text: str) -> str:
    """Return a data type such as ``fp8``, or bits per weight such as ``4.5``, as it is.

    Raises:
        ConfigError: the text is neither.
    """
    try:
        bits_of(text)
    except ConfigError as error:
        raise ConfigError(error.message, Problem.OPTION, error.hint) from None
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
    if factor := factor_of(text):
        return factor
    hint = _("write numbers such as 1/2, 1, 1.5, 2")
    raise ConfigError(_("{text} is not a factor", text=repr(text[:60])), Problem.OPTION, hint)
