"""One number of a model as text: for prose, where tables would be too much."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.config.config import Setting
from sphinx_llmsize.errors import ConfigError, Problem, did_you_mean
from sphinx_llmsize.formats import in_words, percent, short, significant, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.sources.number_text import NumberText, parse_figure
from sphinx_llmsize.translation import _, cached
from sphinx_llmsize.views.numbers.flops_numbers import FLOPS
from sphinx_llmsize.views.numbers.memory_numbers import MEASURES as BYTES
from sphinx_llmsize.views.shared.data_size import UNITS

TOTALS: dict[str, Callable[[Model], int]] = {
    "total": lambda model: model.total,
    "active": lambda model: model.active,
    "non_embedding": lambda model: model.non_embedding,
}
MEASURES = {**BYTES, **FLOPS}
"""What is measured, by the word that asks for it; the function takes the words after it."""
FORMATS = ("exact", "short", "words", "share")
GROUPS = {group.value: group for group in Group}


def asked_for(text: str, model: Callable[[NumberText], Model]) -> str:
    """The number or the ratio that a role's text asks for.

    Args:
        text: such as ``llama-7b:mlp:share``.
        model: finds a model as it is named there.

    Raises:
        ConfigError: the text cannot be read, or a model has no such number.
    """
    figure = parse_figure(text)
    one, over = figure.number, figure.over
    if over is None:
        return figure_text(model(one), one.words)
    return ratio_text(model(one), one.words, model(over), over.words)


@cached(4096)
def figure_text(model: Model, words: tuple[str, ...]) -> str:
    """The number that the words ask for, as they want it written.

    ``()`` is the total in short, ``("mlp", "share")`` a component's share of the total,
    ``("hidden_dim",)`` a key's value, ``("weights", "bf16", "GiB")`` bytes.

    Raises:
        ConfigError: the model has no such number, or it cannot be written that way.
    """
    what, *how = words or ("total",)
    if what in MEASURES:
        return MEASURES[what](model, how).text
    counted = _count(model, what)
    if counted is not None:
        return _written(counted, model, _format(how, "short"))
    value = _setting(model, what)
    if isinstance(value, bool) or not isinstance(value, int):
        _format(how, "exact", ("exact",))
        return str(value).lower() if isinstance(value, bool) or value is None else str(value)
    return _written(value, model, _format(how, "exact", ("exact", "short", "words")))


def ratio_text(model: Model, words: tuple[str, ...], other: Model, others: tuple[str, ...]) -> str:
    """How many times one number is the other: ``8.79×``.

    Raises:
        ConfigError: one of them is no number, or the second is 0.
    """
    for what, *how in filter(None, (words, others)):
        # of what is measured the words before the unit say what it is
        written = [word for word in how if what not in MEASURES or word in UNITS]
        if written:
            hint = _("a ratio is of the numbers themselves")
            raise ConfigError(
                _("{written} has no meaning in a ratio", written=repr(written[0][:60])),
                Problem.FIGURE,
                hint,
            )
    one, over = figure_number(model, *words), figure_number(other, *others)
    if not over:
        raise ConfigError(
            _("{name} has none of it to compare with", name=other.name), Problem.FIGURE
        )
    return f"{significant(Fraction(one, over))}×"


def figure_number(model: Model, what: str = "total", *how: str) -> int | Fraction:
    """A total, a component's parameters, a key's number, or what is measured in ``how``.

    Raises:
        ConfigError: the model has none of that name.
    """
    if what in MEASURES:
        return MEASURES[what](model, list(how)).number
    value = figure_value(model, what)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(_("{what} is not a number", what=what), Problem.FIGURE)
    return value


def figure_value(model: Model, what: str) -> Setting:
    """A total, a component's parameters, or whatever a key is.

    Raises:
        ConfigError: the model has none of that name.
    """
    counted = _count(model, what)
    return _setting(model, what) if counted is None else counted


def _count(model: Model, name: str) -> int | None:
    """A total, or the parameters of a component, of several, or of a group."""
    if name in TOTALS:
        return TOTALS[name](model)
    components = model.components
    found = [n for n in components if n == name or n.startswith(f"{name}_")]
    if found:
        return sum(components[component] for component in found)
    return model.in_groups(GROUPS[name]) if name in GROUPS else None


def _setting(model: Model, name: str) -> Setting:
    key = model.keys.get(name)
    if key is None:
        known = (*TOTALS, *MEASURES, *model.components, *GROUPS, *model.keys)
        hint = did_you_mean(name, known) or _(
            "there are {names}", names=", ".join((*TOTALS, *model.components))
        )
        raise ConfigError(
            _("{name} has no {other}", name=model.name, other=repr(name[:60])), Problem.FIGURE, hint
        )
    return dict(model.config.settings).get(key)


def _format(how: list[str], usual: str, allowed: tuple[str, ...] = FORMATS) -> str:
    if len(how) > 1 or (how and how[0] not in allowed):
        wrong = how[-1] if len(how) > 1 else how[0]
        hint = did_you_mean(wrong, allowed) or _("one of {names}", names=", ".join(allowed))
        raise ConfigError(
            _("{wrong} is no way to write it", wrong=repr(wrong[:60])), Problem.FIGURE, hint
        )
    return how[0] if how else usual


def _written(number: int, model: Model, form: str) -> str:
    if form == "share":
        return percent(number / model.total)
    return {"exact": thousands, "short": short, "words": in_words}[form](number)
