"""What an expression can be: numbers, texts, lists, models and their components."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Union

from sphinx_llmsize.errors import did_you_mean
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox.bounds import FIGURE_STEPS, Budget, fitting, too_large, wrong
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.number import figure_text, figure_value


@dataclass(frozen=True)
class Function:
    """What can be called: with values from ``least`` to ``most``, and with names if ``named``."""

    name: str
    run: Callable[..., Value]
    least: int = 0
    most: int = 0
    named: bool = False

    def call(self, values: Sequence[Value], names: Mapping[str, Value] | None = None) -> Value:
        """What it returns for these values.

        Raises:
            ConfigError: there are too few or too many of them, or what it raises itself.
        """
        if names and not self.named:
            raise wrong(_("{name} takes no names in brackets", name=self.name))
        if not self.least <= len(values) <= self.most:
            if len(values) < self.least:
                raise wrong(_("{name} does not take so few values in brackets", name=self.name))
            raise wrong(_("{name} does not take so many values in brackets", name=self.name))
        return self.run(*values, **(names or {}))


@dataclass(frozen=True)
class Counts:
    """Parameters by component."""

    counts: Mapping[str, int]

    def attribute(self, name: str) -> Value:
        """A component's parameters, or ``items``.

        Raises:
            ConfigError: there is no such component.
        """
        if name in self.counts:
            return self.counts[name]
        if name == "items":
            return Function(name, lambda: tuple(self.counts.items()))
        hint = did_you_mean(name, self.counts) or _(
            "there are {names}", names=", ".join(self.counts)
        )
        raise wrong(_("there is no component {name}", name=repr(name[:60])), hint)


class ModelValue:
    """A model: what can be read of it, and nothing else; what was read once is kept."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._read: dict[tuple[str, ...], Value] = {}

    def attribute(self, name: str) -> Value:
        """A total, a component or a key, by the names that the role has for them.

        Raises:
            ConfigError: the model has none of that name.
        """
        if name == "name":
            return self._model.name
        if name == "figure":
            return Function(name, self._figure, most=1)
        if name == "components":
            return self._once((name,), lambda: Counts(self._model.components))
        return self._once((name,), lambda: _known(name, figure_value(self._model, name)))

    def _figure(self, text: Value = "total") -> Value:
        """A number as the role writes it: ``mlp:share`` → 64.2%."""
        words = tuple(word.strip() for word in text_of(text, "figure").split(":"))
        return self._once(("figure", *words), lambda: figure_text(self._model, words))

    def _once(self, name: tuple[str, ...], read: Callable[[], Value]) -> Value:
        if name not in self._read:
            self._budget.step(FIGURE_STEPS)
            self._read[name] = read()
        return self._read[name]


@dataclass(frozen=True)
class Loop:
    """Where a loop is: ``index`` from 1, ``index0``, ``first``, ``last``, ``length``."""

    index: int
    length: int

    def attribute(self, name: str) -> Value:
        """One of them.

        Raises:
            ConfigError: it is none of them.
        """
        known: dict[str, Value] = {
            "index": self.index,
            "index0": self.index - 1,
            "first": self.index == 1,
            "last": self.index == self.length,
            "length": self.length,
        }
        if name not in known:
            raise wrong(_("a loop has no {name}", name=repr(name[:60])), did_you_mean(name, known))
        return known[name]


List = Sequence[Any]
Value = Union[int, Fraction, bool, str, List, Function, Counts, ModelValue, Loop, None]
Object = (ModelValue, Counts, Loop)
"""What has attributes."""


def kind(value: Value) -> str:
    """What a value is, in English."""
    if value is None or isinstance(value, bool):
        return plain(value)
    for types, words in (
        ((int, Fraction), N_("a number")),
        (str, N_("a text")),
        (ModelValue, N_("a model")),
        (Counts, N_("components")),
        (Loop, N_("a loop")),
        (Function, N_("a function")),
    ):
        if isinstance(value, types):
            return words
    return N_("a list")


def plain(value: Value) -> str:
    """A value as it stands in the page.

    Raises:
        ConfigError: it is no number, text, true, false or none.
    """
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, Fraction)):
        return str(value) if isinstance(value, int) else str(float(value))
    hints = {
        "a model": N_("write what of it: its .total, its .name"),
        "components": N_("write one of them, or go through their .items()"),
        "a list": N_("write one of its items, or use the filter join"),
        "a function": N_("write brackets after it, with what it is about"),
    }
    raise wrong(_("{kind} is no text", kind=_(kind(value))), _(hints.get(kind(value), "")))


def number_of(value: Value, what: str) -> int | Fraction:
    """The value, which must be a number.

    Raises:
        ConfigError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise wrong(_("{what} needs a number, and this is {kind}", what=what, kind=_(kind(value))))
    return value


def whole_of(value: Value, what: str) -> int:
    """The value, which must be a whole number.

    Raises:
        ConfigError: it is none.
    """
    number = number_of(value, what)
    if not isinstance(number, int):
        raise wrong(
            _("{what} needs a whole number, and this is {number}", what=what, number=plain(number))
        )
    return number


def text_of(value: Value, what: str) -> str:
    """The value, which must be a text.

    Raises:
        ConfigError: it is none.
    """
    if not isinstance(value, str):
        raise wrong(_("{what} needs a text, and this is {kind}", what=what, kind=_(kind(value))))
    return value


def list_of(value: Value) -> List:
    """The value's items; of components their names.

    Raises:
        ConfigError: it has none.
    """
    if isinstance(value, Counts):
        return tuple(value.counts)
    if isinstance(value, (tuple, range)):
        return value
    raise wrong(_("{kind} is no list", kind=_(kind(value))))


def exact(number: float) -> int | Fraction:
    """A number with a point as it is written: ``4.5`` is 9/2.

    Raises:
        ConfigError: it is infinite.
    """
    if not isfinite(number):
        raise too_large()
    return fitting(Fraction(repr(number)))


def _known(name: str, setting: object) -> Value:
    """A key's value as one of ours."""
    if isinstance(setting, float):
        return exact(setting)
    if setting is None or isinstance(setting, (int, str, tuple)):
        return setting
    raise wrong(_("{name} is a section of the configuration", name=name), _("name one of its keys"))
