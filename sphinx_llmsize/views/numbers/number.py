"""Single numbers of a model as text, for the role and for templates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.errors import ConfigError, Problem
from sphinx_llmsize.formats import in_words, percent, short, significant, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.number_text import NumberText, parse_numbers
from sphinx_llmsize.translation import N_, _, cached
from sphinx_llmsize.views.numbers.measures import MEASURES, read_format
from sphinx_llmsize.views.numbers.number_labels import unknown_number
from sphinx_llmsize.views.shared.data_size import UNITS

TOTALS: dict[str, Callable[[Model], int]] = {
    "total": lambda model: model.total,
    "active": lambda model: model.active,
    "non_embedding": lambda model: model.non_embedding,
}
FORMATS = ("exact", "short", "words", "share")
RATIO_FORMATS: dict[str, Callable[[Fraction], str]] = {
    "times": lambda ratio: f"{significant(ratio)}×",
    "plain": significant,
    "percent": percent,
}
"""Formats of a ratio, by the last word of its second number; the first is the default."""
GROUPS = {group.value: group for group in Group}


def role_text(text: str, model: Callable[[NumberText], Model]) -> str:
    """Resolve the text of a role to a number or a ratio of two.

    Args:
        text: such as ``llama-7b:mlp:share``.
        model: function that returns the model for a parsed number.

    Raises:
        ConfigError: the text cannot be parsed, or a model has no such number.
    """
    one, *divisor = parse_numbers(text)
    if not divisor:
        return number_text(model(one), one.words)
    (other,) = divisor
    return ratio_text(model(one), one.words, model(other), other.words)


@cached(4096)
def number_text(model: Model, words: tuple[str, ...]) -> str:
    """Format a number of the model; the words are its name and an optional format.

    ``()`` gives the total in the short format, ``("mlp", "share")`` a component's share of the
    total, ``("hidden_dim",)`` the value of a key, and ``("weights", "bf16", "GiB")`` a size.

    Raises:
        ConfigError: the model has no such number, or the format is unknown.
    """
    name, *rest = words or ("total",)
    if name in MEASURES:
        return MEASURES[name](model, rest).text
    counted = _count(model, name)
    if counted is not None:
        return _formatted(counted, model, read_format(rest, "short", FORMATS))
    value = _setting(model, name)
    if isinstance(value, bool) or not isinstance(value, int):
        read_format(rest, "exact", ("exact",))
        return str(value).lower() if isinstance(value, bool) or value is None else str(value)
    return _formatted(value, model, read_format(rest, "exact", ("exact", "short", "words")))


def ratio_text(model: Model, words: tuple[str, ...], other: Model, others: tuple[str, ...]) -> str:
    """Format the ratio of two numbers: ``8.79×``.

    Args:
        model: model of the first number.
        words: its name.
        other: model of the second number.
        others: its name, and optionally one of :data:`RATIO_FORMATS`.

    Raises:
        ConfigError: one of them is not a number, or the second is 0.
    """
    form = RATIO_FORMATS["times"]
    if others and others[-1] in RATIO_FORMATS:
        *name_of_other, last = others
        form, others = RATIO_FORMATS[last], tuple(name_of_other)
    for name, *rest in filter(None, (words, others)):
        # of the words after a measure, such as its context and data type, only units are formats
        formats = [word for word in rest if name not in MEASURES or word in UNITS]
        if name in (*FORMATS, *RATIO_FORMATS):
            formats.insert(0, name)
        if formats:
            message = _("{written} has no meaning in a ratio", written=repr(formats[0][:60]))
            known = ", ".join(RATIO_FORMATS)
            hint = _("a ratio ends with one of {names}, or nothing", names=known)
            raise ConfigError(message, Problem.NUMBER, hint)
    one, divisor = number_of(model, *words), number_of(other, *others)
    if not divisor:
        message = _("{name} has 0 of it, and a ratio cannot divide by 0", name=other.name)
        raise ConfigError(message, Problem.NUMBER)
    return form(Fraction(one, divisor))


def number_of(model: Model, name: str = "total", *words: str) -> int | Fraction:
    """Look up a total, the parameters of a component, the value of a key, or a measure.

    Raises:
        ConfigError: the model has no such number.
    """
    if name in MEASURES:
        return MEASURES[name](model, list(words)).number
    value = value_of(model, name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(_("{what} is not a number", what=name), Problem.NUMBER)
    return value


def value_of(model: Model, name: str) -> Setting:
    """Look up a total, the parameters of a component, or the value of a key, of any type.

    Raises:
        ConfigError: the model has nothing of that name.
    """
    counted = _count(model, name)
    return _setting(model, name) if counted is None else counted


def _count(model: Model, name: str) -> int | None:
    """Parameters in total, of components with this id or prefix, or of a group; None if unknown."""
    if name in TOTALS:
        return TOTALS[name](model)
    found = [n for each, n in model.components.items() if f"{each}_".startswith(f"{name}_")]
    if found:
        return sum(found)
    return model.in_groups(GROUPS[name]) if name in GROUPS else None


def _setting(model: Model, name: str) -> Setting:
    key = model.keys.get(name)
    if key is None:
        known = (*TOTALS, *MEASURES, *model.components, *GROUPS, *model.keys)
        message = N_("{model} has no {name}")
        error = unknown_number(message, name, known, (model,), model=model.name)
        hint = error.hint or _("there are {names}", names=", ".join((*TOTALS, *model.components)))
        if name in FORMATS:
            hint = _("write a format last: {example}", example=f"total:{name}")
        if name in MEASURES:
            hint = _("write figure({example})", example=f'"{name}:…"')
        raise ConfigError(error.message, Problem.NUMBER, hint)
    return dict(model.config.settings).get(key)


def _formatted(number: int, model: Model, form: str) -> str:
    if form == "share":
        return percent(number / model.total)
    return {"exact": thousands, "short": short, "words": in_words}[form](number)
