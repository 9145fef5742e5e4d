"""What an expression can call: ``model`` and ``range``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from sphinx_llmsize.model import Model, changed
from sphinx_llmsize.sandbox.bounds import MAX_STEPS, MODEL_STEPS, Budget, beyond, wrong
from sphinx_llmsize.sandbox.values import Function, ModelValue, Value, kind, text_of, whole_of
from sphinx_llmsize.sources.located import Entry, Scalar, Section, section
from sphinx_llmsize.sources.number_text import NumberText, parse_figure
from sphinx_llmsize.translation import _

FindModel = Callable[[str], Model]
"""Finds a model by its name."""


class Models:
    """The function ``model``: each model is looked up once."""

    def __init__(self, named: FindModel, budget: Budget) -> None:
        self._named = named
        self._budget = budget
        self._found: dict[object, ModelValue] = {}

    def model(self, name: Value, /, **changes: Value) -> ModelValue:
        """The model of that name, with keys changed.

        Raises:
            ConfigError: there is none, or a change cannot be used.
        """
        wanted = _described(text_of(name, "model"))
        section = _section(wanted.changes, changes)
        if (wanted.model, section) not in self._found:
            self._budget.step(MODEL_STEPS)
            model = self._named(wanted.model)
            if section.entries:
                model = changed(model, section)
            self._found[wanted.model, section] = ModelValue(model, self._budget)
        return self._found[wanted.model, section]


def functions(named: FindModel, budget: Budget) -> dict[str, Value]:
    """Every function by its name."""
    model = Models(named, budget).model
    known = (Function("model", model, 1, 1, named=True), Function("range", _range, 1, 3))
    return {function.name: function for function in known}


def _range(*numbers: Value) -> range:
    whole = [whole_of(number, "range") for number in numbers]
    if len(whole) == 3 and not whole[2]:  # noqa: PLR2004 - from, to and a step
        raise wrong(_("a range has no step of 0"))
    items = range(*whole)
    # what is longer has no len()
    if max(map(abs, whole)) > MAX_STEPS or len(items) > MAX_STEPS:
        raise beyond(_("a range that goes beyond {number}", number=MAX_STEPS))
    return items


def _described(text: str) -> NumberText:
    wanted = parse_figure(text)
    if wanted.over or wanted.number.words:
        hint = _('ask the model for it: model("llama-7b").figure("mlp:share")')
        raise wrong(_("{text} is more than a model's name", text=repr(text[:60])), hint)
    return wanted.number


def _section(written: Section | None, named: dict[str, Value]) -> Section:
    entries = [Entry(key, _scalar(key, value), None) for key, value in named.items()]
    return section([*(written.entries if written else ()), *entries])


def _scalar(key: str, value: Value) -> Scalar:
    if isinstance(value, Fraction):
        return float(value)
    if value is None or isinstance(value, (int, str)):
        return value
    raise wrong(_("{key} cannot be {kind}", key=key[:60], kind=_(kind(value))))
