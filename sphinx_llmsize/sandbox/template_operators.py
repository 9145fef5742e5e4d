"""Operators of expressions: exact arithmetic, comparison, attributes, items, calls.

All of them raise a ConfigError for operands that they don't take.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from sphinx_llmsize.errors import Problem, unknown_word
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox.filters import FILTERS, TESTS, join
from sphinx_llmsize.sandbox.limits import MAX_BITS, mistake, too_large
from sphinx_llmsize.sandbox.values import ArgumentKind, Function, Loop, Value, as_kind, label_of
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.model_numbers import number_text, value_of


def _power(base: int | Fraction, exponent: int | Fraction) -> Fraction | float:
    """Power: exact for a whole exponent, a float for a root; its size is checked beforehand."""
    if isinstance(exponent, Fraction):
        root = float(base) ** float(exponent)
        if isinstance(root, complex):
            raise mistake(_("a negative number has no such root"))
        return float(root)
    bits = max(abs(base.numerator).bit_length(), base.denominator.bit_length())
    # a number with n bits is at least 2 ** (n - 1)
    if (bits - 1) * abs(exponent) > MAX_BITS:
        raise too_large()
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
            raise mistake(_("{kind} cannot be compared", kind=label_of(side)), hint)
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    return bool(left == right)


def _is_in(part: Value, whole: Value) -> bool:
    """True if a text contains another text, or a list contains an equal item."""
    if isinstance(whole, str):
        return as_kind(ArgumentKind.TEXT, part, "in") in whole
    return any(_are_equal(item, part) for item in as_kind(ArgumentKind.LIST, whole, "in"))


def _attribute(owner: Value, name: str, *_context: str) -> Value:
    """Attribute of a model, of its components or of a loop; other values have none.

    ``_context`` is the last field of Jinja's node, always "load" for expressions.
    """
    if isinstance(owner, Model):
        return _model_attribute(owner, name)
    known: Mapping[str, Value] = {}
    if isinstance(owner, dict):
        known = {**owner, "items": Function("items", lambda: tuple(owner.items()), required=0)}
    elif isinstance(owner, Loop):
        known = {
            "index": owner.index,
            "length": owner.length,
            "index0": owner.index - 1,
            "first": owner.index == 1,
            "last": owner.index == owner.length,
        }
    if name not in known:
        message = N_("{kind} has no {name}")
        raise unknown_word(message, name, known, Problem.EXPRESSION, kind=label_of(owner))
    return known[name]


def _model_attribute(model: Model, name: str) -> Value:
    """Name, number or key of a model; accepts the same names as the role: ``flops.mlp:2048``."""
    if name == "name":
        return model.name
    if name == "components":
        return dict(model.components)
    if name == "number":
        return Function(
            name, lambda text="total": _number(model, text), (ArgumentKind.TEXT,), required=0
        )
    value = value_of(model, name)
    if value is None or isinstance(value, (int, float, str, tuple, Fraction)):
        return value
    hint = _("name one of its keys")
    raise mistake(_("{name} is a section of the configuration", name=name), hint)


def _number(model: Model, text: str) -> str:
    """A formatted number, by the words that follow the model's name in the role: ``mlp:share``."""
    return number_text(model, tuple(word.strip() for word in text.split(":")))


def _item(owner: Value, index: Value, *_context: str) -> Value:
    """Item of a list by its position, or attribute of an object by its name."""
    if isinstance(owner, (Model, dict, Loop)):
        return _attribute(owner, as_kind(ArgumentKind.TEXT, index, "[]"))
    return as_kind(ArgumentKind.LIST, owner, "[]")[as_kind(ArgumentKind.WHOLE, index, "[]")]


def _call(function: Value, arguments: Sequence[Value], named: Any, *_starred: None) -> Value:
    """Call a function.

    Args:
        function: the value that is called.
        arguments: positional arguments.
        named: keyword arguments, as pairs of a name and a value.
        _starred: Jinja's fields for ``*`` and ``**`` arguments, which ``checks`` has rejected.
    """
    if not isinstance(function, Function):
        raise mistake(_("{kind} cannot be called", kind=label_of(function)))
    if len(dict(named)) < len(named):
        raise mistake(_("an argument is given twice"), _("keep one of them"))
    return function(*arguments, **dict(named))


def _apply(known: Mapping[str, Function], value: Value, name: str, args: Any, *rest: Any) -> Value:
    """Apply a filter or test to a value; ``checks`` has already rejected unknown names.

    ``args`` and ``rest`` are the arguments in brackets, as in :func:`_call`.
    """
    return _call(known[name], [value, *args], *rest)


_TWO_NUMBERS = (ArgumentKind.NUMBER, ArgumentKind.NUMBER)
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
OPERATIONS: dict[str, Callable[..., Value]] = {
    "Add": Function("+", operator.add, _TWO_NUMBERS, N_("put texts together with ~")),
    "Sub": Function("-", operator.sub, _TWO_NUMBERS),
    "Mul": Function("*", operator.mul, _TWO_NUMBERS),
    "Div": Function("/", Fraction, _TWO_NUMBERS),
    "FloorDiv": Function("//", operator.floordiv, _TWO_NUMBERS),
    "Mod": Function("%", operator.mod, _TWO_NUMBERS, N_("use a filter, such as round(2)")),
    "Pow": Function("**", _power, _TWO_NUMBERS),
    "Pos": Function("+", operator.pos, (ArgumentKind.NUMBER,)),
    "Neg": Function("-", operator.neg, (ArgumentKind.NUMBER,)),
    "Concat": join,
    "Compare": _compare,
    "Getattr": _attribute,
    "Getitem": _item,
    "Call": _call,
    "Filter": partial(_apply, FILTERS),
    "Test": partial(_apply, TESTS),
}
"""Operations by the name of Jinja's node type; called with the value of each field of the node."""
