"""Kinds of values in expressions, and the operators on them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from math import log2
from types import NoneType, SimpleNamespace
from typing import Any

from sphinx_llmsize.errors import Problem, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox.limits import MAX_BITS, MAX_CHARACTERS, mistake
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.model_numbers import number_text, value_of

Value = Any
"""A value of one of the types in ``Kind``."""


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
    kinds: tuple[Kind, ...] = ()
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


class Kind(Enum):
    """Kinds of values that functions and operators take.

    The kind of a value is the first one that fits. Those from ``NUMBER`` on are wider; they only
    describe arguments. A kind has a label, its types, and a suggested fix where text is wanted.
    """

    NONE = "none", (NoneType,)
    FLAG = N_("true or false"), (bool,)
    WHOLE = N_("a whole number"), (int,)
    FRACTION = N_("a fraction"), (Fraction,)
    TEXT = N_("text"), (str,)
    COMPONENTS = N_("components"), (dict,), N_("write one of them, or loop over their .items()")
    LIST = N_("a list"), (tuple, range, dict), N_("write one of its items, or use the filter join")
    MODEL = N_("a model"), (Model,), N_("write one of its numbers or its name: .total, .name")
    FUNCTION = N_("a function"), (Function,), N_("call it, with brackets after its name")
    LOOP = N_("a loop"), (SimpleNamespace,)
    NUMBER = N_("a number"), (int, Fraction)
    NUMBERS = N_("a list of numbers"), (tuple, range, dict)
    SIZED = N_("a list or text"), (tuple, range, dict, str)
    ANY = N_("a value"), (object,)

    def __init__(self, label: str, types: tuple[Any, ...], hint: str = "") -> None:
        self.label, self.types, self.hint = label, types, hint


def kind_of(value: Value) -> Kind:
    """The first kind that fits a value."""
    return next(kind for kind in Kind if isinstance(value, kind.types))


def as_kind(wanted: Kind, value: Value, name: str, hint: str = "") -> Value:
    """Check the kind of a value for the function ``name``; components become a list of names."""
    if wanted is not Kind.ANY and type(value) not in wanted.types:  # a bool is no whole number
        words = {"name": repr(name), "wanted": _(wanted.label), "kind": _(kind_of(value).label)}
        raise mistake(_("{name} needs {wanted}, not {kind}", **words), _(hint))
    if wanted is Kind.NUMBERS:
        return [as_kind(Kind.NUMBER, item, name) for item in value]
    if wanted is Kind.LIST and isinstance(value, dict):
        return tuple(value)
    return value


def as_text(value: Value) -> str:
    """Convert a value to text for the page; raises ConfigError for lists and objects."""
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, Fraction)):
        return str(float(value) if isinstance(value, Fraction) else value)
    kind = kind_of(value)
    message = _("{kind} cannot be written as text", kind=_(kind.label))
    raise mistake(message, _(kind.hint))


def join(values: Sequence[Value], between: Value = "") -> str:
    """Join values as text; raises MemoryError if the result would be too long."""
    separator = as_text(between)
    texts = [as_text(value) for value in values]
    if sum(map(len, texts)) + len(separator) * len(texts) > MAX_CHARACTERS:
        raise MemoryError
    return separator.join(texts)


def _power(base: int | Fraction, exponent: int | Fraction) -> Fraction | float:
    """Power: exact for a whole exponent, a float for a root; its size is checked beforehand."""
    if isinstance(exponent, Fraction):
        if base < 0:
            raise mistake(_("a negative number has no such root"))
        return float(float(base) ** float(exponent))
    if log2(max(abs(base.numerator), base.denominator)) * abs(exponent) > MAX_BITS:
        raise OverflowError
    return Fraction(base) ** exponent


def _compare(left: Value, others: Sequence[tuple[str, Value]]) -> bool:
    """Evaluate a chain ``left < right <= other``, given as pairs: ``("lt", right), …``."""
    for name, right in others:
        if not COMPARISONS[name](left, right):
            return False
        left = right
    return True


def _are_equal(left: Value, right: Value) -> bool:
    """True for equal numbers, texts, flags or none; ``true`` and 1 are not equal."""
    for side in (left, right):
        if side is not None and not isinstance(side, (str, int, Fraction)):
            hint = _("compare one of its numbers or items")
            raise mistake(_("{kind} cannot be compared", kind=_(kind_of(side).label)), hint)
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _is_in(part: Value, whole: Value) -> bool:
    """True if a text contains another text, or a list contains an equal item."""
    if isinstance(whole, str):
        return as_kind(Kind.TEXT, part, "in") in whole
    return any(_are_equal(item, part) for item in as_kind(Kind.LIST, whole, "in"))


def _attribute(owner: Value, name: str) -> Value:
    """Attribute of a model, of its components or of a loop; other values have none."""
    known: Mapping[str, Value] = {}
    match owner:
        case Model():
            number = Function("number", partial(_number, owner), (Kind.TEXT,), required=0)
            known = {"name": owner.name, "components": dict(owner.components), "number": number}
        case dict():
            known = {**owner, "items": Function("items", lambda: tuple(owner.items()), required=0)}
        case SimpleNamespace():
            known = vars(owner)
    if name in known:
        return known[name]
    if not isinstance(owner, Model):
        message = N_("{kind} has no {name}")
        raise unknown_word(message, name, known, Problem.EXPRESSION, kind=_(kind_of(owner).label))
    value = value_of(owner, name)  # by the same names as in the role: ``flops.mlp:2048``
    if isinstance(value, (int, float, str, tuple, Fraction, NoneType)):
        return value
    message = _("{name} is a section of the configuration", name=name)
    raise mistake(message, _("name one of its keys"))


def _number(model: Model, text: str = "total") -> str:
    """A formatted number, by the words that follow the model's name in the role: ``mlp:share``."""
    return number_text(model, tuple(word.strip() for word in text.split(":")))


def _item(owner: Value, index: Value) -> Value:
    """Item of a list by its position, or attribute of an object by its name."""
    if isinstance(owner, (Model, dict, SimpleNamespace)):
        return _attribute(owner, as_kind(Kind.TEXT, index, "[]"))
    return as_kind(Kind.LIST, owner, "[]")[as_kind(Kind.WHOLE, index, "[]")]


def call(function: Value, arguments: Sequence[Value], named: Any) -> Value:
    """Call a function with positional arguments, and with pairs of a name and a value."""
    if not isinstance(function, Function):
        raise mistake(_("{kind} cannot be called", kind=_(kind_of(function).label)))
    if len(dict(named)) < len(named):
        raise mistake(_("an argument is given twice"), _("keep one of them"))
    return function(*arguments, **dict(named))


_TWO_NUMBERS = (Kind.NUMBER, Kind.NUMBER)
COMPARISONS: dict[str, Callable[[Value, Value], Any]] = {
    "eq": _are_equal,
    "ne": lambda left, right: not _are_equal(left, right),
    "in": _is_in,
    "notin": lambda part, whole: not _is_in(part, whole),
    "lt": Function("<", operator.lt, _TWO_NUMBERS),
    "lteq": Function("<=", operator.le, _TWO_NUMBERS),
    "gt": Function(">", operator.gt, _TWO_NUMBERS),
    "gteq": Function(">=", operator.ge, _TWO_NUMBERS),
}
"""Comparisons of two values, by Jinja's names."""
OPERATORS: dict[str, Callable[..., Value]] = {
    "Add": Function("+", operator.add, _TWO_NUMBERS, N_("put texts together with ~")),
    "Sub": Function("-", operator.sub, _TWO_NUMBERS),
    "Mul": Function("*", operator.mul, _TWO_NUMBERS),
    "Div": Function("/", Fraction, _TWO_NUMBERS),
    "FloorDiv": Function("//", operator.floordiv, _TWO_NUMBERS),
    "Mod": Function("%", operator.mod, _TWO_NUMBERS, N_("use a filter, such as round(2)")),
    "Pow": Function("**", _power, _TWO_NUMBERS),
    "Pos": Function("+", operator.pos, (Kind.NUMBER,)),
    "Neg": Function("-", operator.neg, (Kind.NUMBER,)),
    "Concat": join,
    "Compare": _compare,
    "Getattr": _attribute,
    "Getitem": _item,
    "Call": call,
}
"""Operators by the name of Jinja's node type; called with the value of each field of the node."""
