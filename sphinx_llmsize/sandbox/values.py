"""Kinds of values in expressions, and functions that check the kinds of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox.limits import mistake
from sphinx_llmsize.translation import N_, _

Value = Any
"""A value of one of the types in ``ArgumentKind``."""


@dataclass(frozen=True)
class Function:
    """Filter, operator or function that checks the kinds of its arguments.

    Attributes:
        name: name in messages.
        run: called with the checked arguments.
        kinds: kind of each positional argument.
        hint: suggested fix for wrong arguments; may be empty.
        required: number of positional arguments that can't be omitted.
        takes_keywords: it also accepts keyword arguments, of any kind.
    """

    name: str
    run: Callable[..., Value]
    kinds: tuple[ArgumentKind, ...] = ()
    hint: str = ""
    required: int = 1
    takes_keywords: bool = False

    def __call__(self, *arguments: Value, **named: Value) -> Value:
        """Call ``run``; raises ConfigError for a wrong number or kind of arguments."""
        if named and not self.takes_keywords:
            raise mistake(_("{name} takes no named arguments", name=repr(self.name)), _(self.hint))
        if not self.required <= len(arguments) <= len(self.kinds):
            message = _("wrong number of arguments for {name}", name=repr(self.name))
            raise mistake(message, _(self.hint))
        pairs = zip(self.kinds, arguments, strict=False)
        checked = (as_kind(kind, value, self.name, self.hint) for kind, value in pairs)
        return self.run(*checked, **named)


@dataclass(frozen=True)
class Loop:
    """Iteration of a loop: ``index`` counts from 1, ``length`` is the number of iterations."""

    index: int
    length: int


class ArgumentKind(Enum):
    """Kinds of values that functions and operators take.

    The kind of a value is the first one that fits. Those from ``NUMBER`` on are wider; they only
    describe arguments.

    Attributes:
        label: kind in words, translated where it is shown.
        types: types of its values.
    """

    NONE = "none", (type(None),)
    FLAG = N_("true or false"), (bool,)
    WHOLE = N_("a whole number"), (int,)
    FRACTION = N_("a fraction"), (Fraction,)
    TEXT = N_("text"), (str,)
    COMPONENTS = N_("components"), (dict,)
    LIST = N_("a list"), (tuple, range, dict)
    MODEL = N_("a model"), (Model,)
    FUNCTION = N_("a function"), (Function,)
    LOOP = N_("a loop"), (Loop,)
    NUMBER = N_("a number"), (int, Fraction)
    NUMBERS = N_("a list of numbers"), (tuple, range, dict)
    SIZED = N_("a list or text"), (tuple, range, dict, str)
    ANY = N_("a value"), (object,)

    def __init__(self, label: str, types: tuple[Any, ...]) -> None:
        self.label, self.types = label, types


def kind_of(value: Value) -> ArgumentKind:
    """The first kind that fits a value."""
    return next(kind for kind in ArgumentKind if isinstance(value, kind.types))


def label_of(value: Value) -> str:
    """Kind of a value in words, translated."""
    return _(kind_of(value).label)


def as_kind(wanted: ArgumentKind, value: Value, name: str, hint: str = "") -> Value:
    """Check the kind of a value and return it; components wanted as a list become their names.

    Raises:
        ConfigError: the value is of another kind; the message begins with ``name``.
    """
    # a bool is an int in Python, but only ANY accepts it
    is_refused_flag = isinstance(value, bool) and wanted is not ArgumentKind.ANY
    if is_refused_flag or not isinstance(value, wanted.types):
        words = {"name": repr(name), "wanted": _(wanted.label), "kind": label_of(value)}
        raise mistake(_("{name} needs {wanted}, not {kind}", **words), _(hint))
    if wanted is ArgumentKind.NUMBERS:
        return [as_kind(ArgumentKind.NUMBER, item, name) for item in value]
    if wanted is ArgumentKind.LIST and isinstance(value, dict):
        return tuple(value)
    return value


def as_text(value: Value) -> str:
    """Convert a value to text for the page; raises ConfigError for lists and objects."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Fraction):
        return str(float(value))
    hints = {
        ArgumentKind.MODEL: N_("write one of its numbers or its name: .total, .name"),
        ArgumentKind.COMPONENTS: N_("write one of them, or loop over their .items()"),
        ArgumentKind.LIST: N_("write one of its items, or use the filter join"),
        ArgumentKind.FUNCTION: N_("call it, with brackets after its name"),
    }
    hint = _(hints.get(kind_of(value), ""))
    raise mistake(_("{kind} cannot be written as text", kind=label_of(value)), hint)
