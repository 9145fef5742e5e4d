"""Numbers that views derive: rules of thumb, memory for training, growth with a size."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.errors import ConfigError, Problem, unknown_word
from sphinx_llmsize.formats import (
    decimal,
    flops_text,
    in_words,
    percent,
    short,
    significant,
    thousands,
)
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import Measure, read_bytes, read_length
from sphinx_llmsize.views.numbers.number_formats import read_format
from sphinx_llmsize.views.numbers.parts import TOTAL, Ids
from sphinx_llmsize.views.view_options import ViewOptions, read_factors

if TYPE_CHECKING:
    from sphinx_llmsize.views.scaling.growth import Growth

Formats = Mapping[str, Callable[[Fraction], str]]
NUMBER_FORMATS: Formats = {
    "short": decimal,
    "exact": lambda number: thousands(int(number)) if number.denominator == 1 else str(number),
    "fraction": str,
    "percent": percent,
}
"""Formats of numbers that need not be whole."""
FLOPS_FORMATS: Formats = {"short": flops_text, "exact": lambda number: thousands(round(number))}
_SCALED = re.compile(r"(?P<key>\w+)(?:\*(?P<factors>[^*]+))?", re.ASCII)
_COEFFICIENT = re.compile(r"\d{1,4}(\.\d{1,4})?", re.ASCII)
BETWEEN = ".."
"""Sign between the two factors of a measured exponent: ``hidden_dim*1..2``."""


def rule(model: Model, ids: Ids, words: list[str]) -> Measure:
    """The rule of thumb L·c·D²: its estimate, ``c`` and the parts of it, and the rest.

    A first word such as ``12`` replaces c.

    Raises:
        ConfigError: the rule does not apply to the model, or has no such number.
    """
    from sphinx_llmsize.views.parameters.rule_of_thumb import applies, ratios_of, rule_of_thumb

    if not applies(model):
        message = _("the rule of thumb does not describe {name}", name=model.called)
        raise ConfigError(message, Problem.NUMBER, _("its layers differ, or do not follow D"))
    found = rule_of_thumb(model)
    c = found.c
    if not ids and words and _COEFFICIENT.fullmatch(words[0]):
        c, words = Fraction(words[0]), words[1:]
    ratios = {
        "c": found.c,
        **found.coefficients,
        **{symbol.name: ratio for symbol, ratio in ratios_of(model).items()},
        **{symbol.name: ratio for symbol, ratio in found.ratios},
    }
    counts = {
        "": found.estimate(c),
        "per_layer": found.estimate(c) / found.layers,
        "rest": model.total - found.estimate(c),
        **{f"rest.{id}": Fraction(number) for id, _name, number in found.uncounted},
    }
    formats: Formats = {
        "short": short,
        "exact": NUMBER_FORMATS["exact"],
        "words": in_words,
        "share": lambda number: percent(number / model.total),
    }
    number = _look_up({**ratios, **counts}, ids, "rule")
    is_ratio = ".".join(ids) in ratios
    return _formatted(number, words, NUMBER_FORMATS if is_ratio else formats)


def flops_rule(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs per token by a rule of thumb, ``exact`` ones, and the ``error`` of the rule.

    Raises:
        ConfigError: there is no such rule, or no number of tokens.
    """
    from sphinx_llmsize.views.compute.flops_rules import error_text, rules_of

    tokens, rest = read_length(model, words)
    rules = {rule.id: rule for rule in rules_of(model, tokens)}
    numbers = {id: Fraction(rule.estimate) for id, rule in rules.items()}
    numbers |= {f"{id}.exact": rule.exact for id, rule in rules.items()}
    numbers |= {f"{id}.error": rule.error for id, rule in rules.items()}
    number = _look_up(numbers, ids, "flops_rule")
    if ids[-1] == "error":
        return _formatted(number, rest, {**NUMBER_FORMATS, "percent": error_text}, "percent")
    return _formatted(number, rest, FLOPS_FORMATS)


def flops_polynomial(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Coefficients of the FLOPs as a polynomial in T, and the T from which T² costs more.

    Raises:
        ConfigError: the FLOPs are not a polynomial, or have no such number.
    """
    from sphinx_llmsize.views.compute.flops_polynomial import break_even, coefficients

    numbers = {id: Fraction(number) for id, number in coefficients(model).items()}
    if (tokens := break_even(model)) is not None:
        numbers["break_even"] = Fraction(tokens)
    number = _look_up(numbers, ids, "flops_polynomial")
    formats = {"exact": NUMBER_FORMATS["exact"], "short": short, "words": in_words}
    return _formatted(number, words, formats, "exact")


def training(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Bytes for training: ``states``, and activations of a sequence of some tokens.

    Raises:
        ConfigError: there is no such number, or no number of tokens.
    """
    from sphinx_llmsize.views.memory.training import STATES, training_bytes

    tokens, rest = (1, words) if ids == (STATES,) else read_length(model, words)
    return read_bytes(_look_up(training_bytes(model, tokens), ids, "training"), rest)


def growth(model: Model, ids: Ids, words: list[str]) -> Measure:
    """A number relative to the unchanged model: ``growth.total:hidden_dim*2``.

    Raises:
        ConfigError: the model has no such number or size, there is not one factor, or the number
            is 0.
    """
    found, _key, factors = _growth(model, ids, words, (Fraction(2),))
    if len(factors) != 1:
        message = _("growth needs one factor")
        raise ConfigError(message, Problem.NUMBER, _("write it as in {text}", text="hidden_dim*2"))
    if not found.counts[Fraction(1)]:
        message = _("{name} has 0 of it, and a ratio cannot divide by 0", name=model.called)
        raise ConfigError(message, Problem.NUMBER)
    number = found.ratio(factors[0])
    return Measure(number, significant(number))


def exponent(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Exponent of a size: ``exponent.mlp:hidden_dim``, or measured, ``:hidden_dim*1..2``.

    Raises:
        ConfigError: the model has no such number or size, or the number is not a polynomial.
    """
    found, key, factors = _growth(model, ids, words, ())
    if factors:
        before = factors[0] if len(factors) > 1 else Fraction(1)
        measured = found.measured_exponent(before, factors[-1])
        if measured is not None:
            return Measure(Fraction(measured), f"{measured:.2f}")
    elif found.exponent is not None:
        return Measure(Fraction(found.exponent), str(found.exponent))
    message = _("{what} is not a polynomial of {key}", what=".".join(ids) or TOTAL, key=key)
    raise ConfigError(message, Problem.NUMBER, _("measure it: {text}", text=f"{key}*1..2"))


def _growth(
    model: Model, ids: Ids, words: list[str], usual: tuple[Fraction, ...]
) -> tuple[Growth, str, tuple[Fraction, ...]]:
    """The number in models of several sizes, the key of the size, and the factors.

    Raises:
        ConfigError: the model has no such number or size, or a factor is invalid.
    """
    from sphinx_llmsize.views.numbers.number import number_of
    from sphinx_llmsize.views.scaling.growth import Growth
    from sphinx_llmsize.views.scaling.scaled_models import scaled_models

    if ids and ids[0] in SCALED:
        message = _("{what} of {other} is not a number", what="growth", other=ids[0])
        raise ConfigError(message, Problem.NUMBER)
    own, key, factors = _scaling(model, words)
    factors = factors or usual
    try:
        scaled = scaled_models(model, ViewOptions(vary=key, factors=factors))
    except ConfigError as error:
        raise ConfigError(error.message, Problem.NUMBER, error.hint) from None
    name = ".".join(ids) or TOTAL
    return Growth(scaled, "", lambda each: number_of(each, name, *own)), key, factors


SCALED = {"growth": growth, "exponent": exponent}
"""Quantities that are counted in models of several sizes."""
DERIVED: dict[str, Callable[[Model, Ids, list[str]], Measure]] = {
    "rule": rule,
    "flops_rule": flops_rule,
    "flops_polynomial": flops_polynomial,
    "training": training,
    **SCALED,
}
"""Like :data:`MEASURES`; called with a model, the ids and the words after the name."""


def _look_up(numbers: Mapping[str, Fraction], ids: Ids, quantity: str) -> Fraction:
    name = ".".join(ids)
    if name in numbers:
        return Fraction(numbers[name])
    known = [known for known in numbers if known]
    raise unknown_word(
        N_("{quantity} has no {name}"), name, known, Problem.NUMBER, quantity=quantity
    )


def _formatted(
    number: Fraction, words: list[str], formats: Formats, default: str = "short"
) -> Measure:
    return Measure(number, formats[read_format(words, default, formats)](number))


def _scaling(model: Model, words: list[str]) -> tuple[list[str], str, tuple[Fraction, ...]]:
    """The words of the number that is scaled, the key of the size, and the factors.

    Raises:
        ConfigError: a factor is invalid.
    """
    *own, last = words or [""]
    found = _SCALED.fullmatch(last)
    if not found or not (found["factors"] or last in model.keys):
        return words, HIDDEN_DIM.name, ()
    factors = (found["factors"] or "").replace(BETWEEN, ",")
    try:
        return own, found["key"], read_factors(factors)
    except ConfigError as error:
        raise ConfigError(error.message, Problem.NUMBER, error.hint) from None
