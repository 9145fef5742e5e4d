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
"""Steps for the first use of a model, and the unit in which ``models_built`` gives costs."""
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
        """Charge steps and characters; raises an error if there are too few left."""
        self.steps -= steps
        self.characters -= characters
        if self.steps < 0:
            raise excess(_("this takes more than {number} steps", number=MAX_STEPS))
        if self.characters < 0:
            raise MemoryError  # as Python raises it; see as_config_error


def bounded(value: Any) -> Any:
    """Convert a number to int or Fraction, within the limit; return any other value unchanged."""
    match value:
        case float() if isfinite(value):
            return bounded(Fraction(repr(value)))  # 4.5 becomes 9/2
        case Fraction(denominator=1):
            return bounded(value.numerator)
        case float():
            raise OverflowError  # as Python raises it; see as_config_error
        case int() | Fraction() if max(abs(value.numerator), value.denominator) >= 2**MAX_BITS:
            raise OverflowError
    return value


def mistake(message: str, hint: str = "") -> ConfigError:
    """Error for a template that cannot be evaluated."""
    return ConfigError(message, Problem.EXPRESSION, hint)


def excess(message: str) -> ConfigError:
    """Error for exceeding a limit."""
    return mistake(message, _("simplify the template"))


def as_config_error(error: Exception) -> ConfigError:
    """ConfigError for any exception of an evaluation."""
    match error:
        case ConfigError():
            return error
        case ZeroDivisionError():
            return mistake(_("division by zero"))
        case IndexError():
            return mistake(_("the list is empty or has no such item"))
        case OverflowError():  # this, MemoryError and RecursionError: a limit was exceeded
            message = _("a number of more than {number} bits", number=MAX_BITS)
        case MemoryError():
            message = _("this makes more than {number} characters", number=MAX_CHARACTERS)
        case RecursionError():
            message = _("more than {number} levels of nesting", number=MAX_DEPTH)
        case _:
            return mistake(_("this cannot be evaluated: {error}", error=type(error).__name__))
    return excess(message)
