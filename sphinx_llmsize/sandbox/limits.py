"""Limits on a template's computations, and errors for templates that cannot be evaluated."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import Any

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

MAX_SOURCE = 50_000
"""Maximum number of characters of a template."""
MAX_CHARACTERS = 200_000
"""Maximum number of characters that a template produces, in its output and in values."""
MAX_STEPS = 50_000
"""Maximum number of steps of a template, which take about a second."""
MODEL_STEPS = 200
"""Steps for the first use of a model, and for each model that is built for a number."""
CALL_STEPS = 25
"""Steps for a call, and for reading an attribute of a model."""
CHARACTERS_PER_STEP = 64
"""Number of characters of an operand that cost one step."""
MAX_BITS = 1000
"""Maximum bits of a numerator or denominator: about 300 digits, within the range of a float."""
MAX_DEPTH = 50
"""Maximum nesting of statements and expressions."""


class Budget:
    """Remaining steps and characters of a template."""

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.characters = MAX_CHARACTERS

    def spend(self, steps: int, characters: int = 0) -> None:
        """Charge steps and characters; raises ConfigError if there are too few left."""
        self.steps -= steps
        self.characters -= characters
        if self.steps < 0:
            raise excess(_("this takes more than {number} steps", number=MAX_STEPS))
        if self.characters < 0:
            raise too_long()


def bounded(value: Any) -> Any:
    """Convert a number to int or Fraction (4.5 becomes 9/2); return any other value unchanged.

    Raises:
        ConfigError: the number has more than ``MAX_BITS`` bits.
    """
    if isinstance(value, float):
        if not isfinite(value):
            raise too_large()
        value = Fraction(repr(value))
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if isinstance(value, (int, Fraction)):
        bits = max(value.numerator.bit_length(), value.denominator.bit_length())
        if bits > MAX_BITS:
            raise too_large()
    return value


def too_large() -> ConfigError:
    """Error for a number with too many bits."""
    return excess(_("a number of more than {number} bits", number=MAX_BITS))


def too_long() -> ConfigError:
    """Error for too many characters."""
    return excess(_("this makes more than {number} characters", number=MAX_CHARACTERS))


def too_deep() -> ConfigError:
    """Error for too much nesting."""
    return excess(_("more than {number} levels of nesting", number=MAX_DEPTH))


def excess(message: str) -> ConfigError:
    """Error for exceeding a limit."""
    return mistake(message, _("simplify the template"))


def mistake(message: str, hint: str = "") -> ConfigError:
    """Error for a template that cannot be evaluated."""
    return ConfigError(message, Problem.EXPRESSION, hint)


def as_config_error(error: Exception) -> ConfigError:
    """ConfigError for any exception of an evaluation."""
    match error:
        case ConfigError():
            return error
        case ZeroDivisionError():
            return mistake(_("division by zero"))
        case IndexError():
            return mistake(_("the list is empty or has no such item"))
        case OverflowError():
            return too_large()
        case RecursionError():
            return too_deep()
    return mistake(_("this cannot be evaluated: {error}", error=type(error).__name__))
