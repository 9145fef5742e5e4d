"""Numbers that views derive: rules of thumb, other conventions, memory for training."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from sphinx_llmsize.errors import AbsentNumber, ConfigError, Problem, unknown_word
from sphinx_llmsize.formats import in_words, percent, short
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.byte_measures import byte_measure
from sphinx_llmsize.views.numbers.growth_numbers import GROWTH_NUMBERS
from sphinx_llmsize.views.numbers.measures import (
    NO_TOKENS_OF_ACTIVATIONS,
    NO_TOKENS_OF_FLOPS,
    read_token_count,
)
from sphinx_llmsize.views.numbers.number_formats import (
    FLOPS_FORMATS,
    FRACTION_FORMATS,
    Formats,
    read_format,
)
from sphinx_llmsize.views.numbers.part_selection import UNION, Ids
from sphinx_llmsize.views.numbers.units import Measure, Unit
from sphinx_llmsize.views.shared.data_size import UNITS

_COEFFICIENT = re.compile(r"\d{1,4}(\.\d{1,4})?", re.ASCII)
"""A value for c in the rule of thumb: ``12``."""


def rule(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Numbers of the rule of thumb L·c·D²: its estimate, c, the ratios in c, the uncounted rest.

    A first word such as ``12`` replaces c.

    Raises:
        ConfigError: the rule does not apply to the model, or has no such number.
    """
    from sphinx_llmsize.views.parameters.rule_of_thumb import (
        has_rule_of_thumb,
        ratios_of,
        rule_of_thumb,
    )

    if not has_rule_of_thumb(model):
        message = _("the rule of thumb does not apply to {name}", name=model.label)
        raise ConfigError(
            message, Problem.NUMBER, _("its layers differ, or have widths that do not depend on D")
        )
    model_rule = rule_of_thumb(model)
    c = model_rule.c
    if not ids and words and _COEFFICIENT.fullmatch(words[0]):
        c, words = Fraction(words[0]), words[1:]
    ratios = {"c": model_rule.c, **model_rule.coefficients}
    for symbol, ratio in {**ratios_of(model), **model_rule.ratios}.items():
        ratios[symbol.name] = ratio
    estimate = model_rule.estimate(c)
    counts = {
        "": estimate,
        "per_layer": estimate / model_rule.layers,
        "rest": model.total - estimate,
    }
    for part in model_rule.uncounted:
        counts[f"rest.{part.id}"] = Fraction(part.parameters)
    number = _look_up({**ratios, **counts}, ids, "rule")
    if ".".join(ids) in ratios:
        return _formatted(number, words, FRACTION_FORMATS)
    return _formatted(number, words, _count_formats(model), unit=Unit.PARAMETERS)


def other_convention(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Parameters by a convention other than the usual one: ``without_head``, ``untied``.

    Raises:
        ConfigError: there is no such convention.
    """
    from sphinx_llmsize.views.naming.conventions import CONVENTIONS

    prefix = "counted."
    numbers = {}
    for convention in CONVENTIONS:
        if convention.name.startswith(prefix):
            id = convention.name.removeprefix(prefix)
            numbers[id] = Fraction(convention.count(model))
    number = _look_up(numbers, ids, "counted")
    return _formatted(number, words, _count_formats(model), unit=Unit.PARAMETERS)


def _count_formats(model: Model) -> Formats:
    """Formats of numbers of parameters that need not be whole."""
    return {
        "short": short,
        "exact": FRACTION_FORMATS["exact"],
        "words": in_words,
        "share": lambda number: percent(number / model.total),
    }


def flops_rule(model: Model, ids: Ids, words: list[str]) -> Measure:
    """FLOPs per token by a rule of thumb, ``exact`` ones, and the ``error`` of the rule.

    Raises:
        ConfigError: there is no such rule, or no number of tokens.
    """
    from sphinx_llmsize.views.compute.flops_rules import error_text, rules_of

    tokens, rest = read_token_count(model, words, NO_TOKENS_OF_FLOPS)
    rules = tuple(rules_of(model, tokens))
    numbers = {rule.id: Fraction(rule.estimate) for rule in rules}
    numbers |= {f"{rule.id}.exact": rule.exact for rule in rules}
    numbers |= {f"{rule.id}.error": rule.error for rule in rules}
    number = _look_up(numbers, ids, "flops_rule")
    if ids[-1] == "error":
        return _formatted(number, rest, {**FRACTION_FORMATS, "percent": error_text}, "percent")
    return _formatted(number, rest, FLOPS_FORMATS, unit=Unit.FLOPS)


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
    formats = {"exact": FRACTION_FORMATS["exact"], "short": short, "words": in_words}
    unit = Unit.NONE if ids == ("break_even",) else Unit.FLOPS
    return _formatted(number, words, formats, "exact", unit)


def training(model: Model, ids: Ids, words: list[str]) -> Measure:
    """Bytes for training: ``states``, activations of a sequence of some tokens, or a sum of these.

    Raises:
        ConfigError: there is no such number, or no number of tokens.
    """
    from sphinx_llmsize.views.memory.training_formulas import STATES, training_bytes

    if ids == (STATES,):
        tokens, rest = 1, words  # the states take the same memory for any number of tokens
    else:
        tokens, rest = read_token_count(model, words, NO_TOKENS_OF_ACTIVATIONS)
    sizes = training_bytes(model, tokens)
    parts = ".".join(ids).split(UNION)
    size = sum((_look_up(sizes, (id,), "training") for id in parts), start=Fraction(0))
    return byte_measure(size, read_format(rest, "", UNITS))


DERIVED: dict[str, Callable[[Model, Ids, list[str]], Measure]] = {
    "rule": rule,
    "counted": other_convention,
    "flops_rule": flops_rule,
    "flops_polynomial": flops_polynomial,
    "training": training,
    **GROWTH_NUMBERS,
}
"""Functions for derived numbers, by the first id of their name; called as in :data:`MEASURES`."""


def _look_up(numbers: Mapping[str, Fraction], ids: Ids, quantity: str) -> Fraction:
    """The number with these ids, joined by dots.

    Raises:
        AbsentNumber: there is none.
    """
    name = ".".join(ids)
    if name in numbers:
        return Fraction(numbers[name])
    known = [known for known in numbers if known]
    message = N_("{quantity} has no {name}")
    error = unknown_word(message, name, known, Problem.NUMBER, quantity=quantity)
    raise AbsentNumber(error.message, error.problem, error.hint)


def _formatted(
    number: Fraction,
    words: list[str],
    formats: Formats,
    default: str = "short",
    unit: Unit = Unit.NONE,
) -> Measure:
    """The number in the format that the words name, if they name one, or in the default format."""
    return Measure(number, formats[read_format(words, default, formats)](number), unit)
