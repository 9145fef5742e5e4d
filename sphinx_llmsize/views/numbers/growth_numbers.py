"""Growth of a number with a size of the model, and the exponent of that growth."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import fixed, significant
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.part_selection import TOTAL, Ids
from sphinx_llmsize.views.numbers.units import Measure
from sphinx_llmsize.views.option_values import read_factors
from sphinx_llmsize.views.view_options import ViewOptions

if TYPE_CHECKING:
    from sphinx_llmsize.views.scaling.growth import CountGrowth

_SCALED_SIZE = re.compile(r"(?P<key>\w+)(?:\*(?P<factors>[^*]+))?", re.ASCII)
"""Key of a size, and optionally factors: ``hidden_dim``, ``hidden_dim*2``."""
BETWEEN = ".."
"""Sign between the two factors of an exponent: ``hidden_dim*1..2``."""


def growth(model: Model, ids: Ids, words: list[str]) -> Measure:
    """A number relative to the unchanged model: ``growth.total:hidden_dim*2``.

    Raises:
        ConfigError: the model has no such number or size, there is not one factor, or the number
            is 0.
    """
    growth_of_number, _key, factors = _growth(model, ids, words, (Fraction(2),))
    if len(factors) != 1:
        message = _("growth needs one factor")
        raise ConfigError(message, Problem.NUMBER, _("write it as in {text}", text="hidden_dim*2"))
    if not growth_of_number.counts[Fraction(1)]:
        message = _("{name} has none of it, so there is no ratio", name=model.label)
        raise ConfigError(message, Problem.NUMBER)
    number = growth_of_number.ratio(factors[0])
    return Measure(number, significant(number))


def exponent(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Exponent of a size: ``exponent.mlp:hidden_dim``, or measured, ``:hidden_dim*1..2``.

    Raises:
        ConfigError: the model has no such number or size, or the number is not a polynomial.
    """
    growth_of_number, key, factors = _growth(model, ids, words, ())
    if factors:
        before = factors[0] if len(factors) > 1 else Fraction(1)
        measured = growth_of_number.exponent_between(before, factors[-1])
        if measured is not None:
            return Measure(Fraction(measured), fixed(measured, 2))
    elif growth_of_number.exponent is not None:
        degree = growth_of_number.exponent
        return Measure(Fraction(degree), str(degree))
    message = _("{what} is not a polynomial of {key}", what=".".join(ids) or TOTAL, key=key)
    raise ConfigError(message, Problem.NUMBER, _("measure it: {text}", text=f"{key}*1..2"))


def _growth(
    model: Model, ids: Ids, words: list[str], default_factors: tuple[Fraction, ...]
) -> tuple[CountGrowth, str, tuple[Fraction, ...]]:
    """Growth of a number, the key of the size it grows with, and the factors of the size.

    Args:
        model: the unchanged model.
        ids: name of the number.
        words: words after the name; the last one may be a size: ``hidden_dim*2``.
        default_factors: factors if none are written.

    Raises:
        ConfigError: the model has no such number or size, or a factor is invalid.
    """
    from sphinx_llmsize.views.numbers.model_numbers import number_of
    from sphinx_llmsize.views.scaling.growth import CountGrowth
    from sphinx_llmsize.views.scaling.scaled_models import scaled_models

    if ids and ids[0] in GROWTH_NUMBERS:
        message = _("{what} is not a number that grows", what=repr(ids[0]))
        raise ConfigError(message, Problem.NUMBER)
    number_words, key, factors = read_scaling(model, words)
    factors = factors or default_factors
    try:
        models = scaled_models(model, ViewOptions(vary=key, factors=factors))
    except ConfigError as error:
        raise error.replace(problem=Problem.NUMBER, option="") from None
    name = ".".join(ids) or TOTAL
    growth_of_number = CountGrowth(
        models, name="", count_in=lambda each: number_of(each, name, *number_words)
    )
    return growth_of_number, key, factors


GROWTH_NUMBERS = {"growth": growth, "exponent": exponent}
"""Functions for numbers on growth, by the first id of their name; see :data:`MEASURES`."""


def read_scaling(model: Model, words: list[str]) -> tuple[list[str], str, tuple[Fraction, ...]]:
    """Parse words such as ``["2048", "hidden_dim*1..2"]``.

    Returns:
        The words of the number, the key of the scaled size, and the factors. If the last word is
        not a size: all words, the hidden dimension and no factors.

    Raises:
        ConfigError: a factor is invalid.
    """
    *number_words, last = words or [""]
    size = _SCALED_SIZE.fullmatch(last)
    if not size or not (size["factors"] or last in model.keys):
        return words, HIDDEN_DIM.name, ()
    factors = (size["factors"] or "").replace(BETWEEN, ",")
    try:
        return number_words, size["key"], read_factors(factors)
    except ConfigError as error:
        raise error.replace(problem=Problem.NUMBER) from None
