"""How much a text may compute, and what is charged to whom."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.translation import _

MAX_STEPS = 50_000
"""Nodes that are evaluated: well below a second."""
MODEL_STEPS = 200
"""What a model costs that was not asked for before."""
FIGURE_STEPS = 25
"""What one of its numbers costs that was not asked for before."""
MAX_SOURCE = 50_000
"""Characters of a text that is read."""
MAX_CHARACTERS = 200_000
"""Of what is made of it: a page far longer than anyone writes."""
CHARACTERS_A_STEP = 64
"""How many characters are compared in a step."""
MAX_BITS = 1000
"""Of a whole number, and of a quotient's two: of 300 digits, and within what a float can be."""
MAX_DEPTH = 50
"""How deep expressions and statements nest."""


class Budget:
    """What is left of the steps and characters of one text."""

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.characters = MAX_CHARACTERS

    def step(self, steps: int = 1) -> None:
        """Charge steps.

        Raises:
            ConfigError: there are none left.
        """
        self.steps -= steps
        if self.steps < 0:
            raise beyond(_("this takes more than {number} steps", number=MAX_STEPS))

    def made(self, characters: int) -> None:
        """Charge characters, before or after they are put together.

        Raises:
            ConfigError: there are none left.
        """
        self.characters -= characters
        if self.characters < 0:
            raise beyond(_("this makes more than {number} characters", number=MAX_CHARACTERS))


def fitting(number: int | Fraction) -> int | Fraction:
    """The number, whole if it can be.

    Raises:
        ConfigError: it is too large to be computed with.
    """
    if isinstance(number, Fraction) and number.denominator == 1:
        number = number.numerator
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MAX_BITS:
        raise too_large()
    return number


def too_large() -> ConfigError:
    """The error for a number that is beyond the bounds."""
    return beyond(_("a number of more than {number} bits", number=MAX_BITS))


def beyond(message: str) -> ConfigError:
    """The error for what is beyond the bounds."""
    return ConfigError(message, Problem.EXPRESSION, _("no page needs as much"))


def wrong(message: str, hint: str = "") -> ConfigError:
    """The error for an expression that means nothing."""
    return ConfigError(message, Problem.EXPRESSION, hint)
