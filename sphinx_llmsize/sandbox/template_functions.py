"""Functions, filters and tests that templates can use by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial, reduce
from operator import itemgetter

from sphinx_llmsize import formats
from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.escaping import escape_mermaid
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox.limits import MAX_STEPS, MODEL_STEPS, Budget, bounded, excess, mistake
from sphinx_llmsize.sandbox.values import OPERATORS, Function, Kind, Value, as_text, call, join
from sphinx_llmsize.sources.located import Section, checked_section, section_of
from sphinx_llmsize.sources.number_text import parse_numbers
from sphinx_llmsize.traced import nearest
from sphinx_llmsize.translation import N_, NARROW_SPACE, _
from sphinx_llmsize.views.shared import typeset
from sphinx_llmsize.views.shared.data_size import UNITS, size_in

FindModel = Callable[[str], Model]
"""Returns the model of a name."""
MAX_PLACES = 30
"""Maximum number of decimal places for the filter ``round``."""
_TEX = {
    **{character: f"\\{character}" for character in "%$#&_{}"},
    "\\": r"\backslash{}",
    "~": r"\sim{}",
    "^": r"\hat{}",
    "×": r"\times{}",
    ",": "{,}",
    NARROW_SPACE: r"\,",
}
"""TeX for each character with a special meaning in math mode."""


def functions(find_model: FindModel, budget: Budget) -> dict[str, Value]:
    """Functions by name; ``model`` looks up each model, and charges its steps, only once."""

    @cache
    def changed_model(name: str, changes: Section) -> Model:
        budget.spend(MODEL_STEPS)
        model = find_model(name)
        return apply_changes(model, changes) if changes.entries else model

    def model(text: str, /, **changes: Value) -> Model:
        """The model of a name such as ``llama-7b?num_layers=40``, with these keys changed too."""
        number, *others = parse_numbers(text)
        if others or number.words:
            hint = _('write model("llama-7b").number("mlp:share")')
            raise mistake(_("{text} is more than a model's name", text=repr(text[:60])), hint)
        in_name = number.changes.entries if number.changes else ()
        floats = {key: float(size) for key, size in changes.items() if isinstance(size, Fraction)}
        in_arguments = section_of({**changes, **floats}).entries
        return changed_model(number.model, checked_section([*in_name, *in_arguments]))

    of_model = N_('write model("llama-7b") or model("llama-7b", num_layers=40)')
    of_range = N_("write range(10) or range(1, 10)")
    return {
        "model": Function("model", model, (Kind.TEXT,), of_model, takes_keywords=True),
        "range": Function("range", _range, (Kind.WHOLE,) * 3, of_range),
    }


def _range(*numbers: int) -> range:
    """Python's ``range``, limited to :data:`MAX_STEPS`."""
    if numbers[2:] == (0,):
        raise mistake(_("the step of a range cannot be 0"))
    # len() raises OverflowError for a much longer range, so the bounds are checked first
    if max(map(abs, numbers)) > MAX_STEPS or len(range(*numbers)) > MAX_STEPS:
        raise excess(_("a range goes beyond {number}", number=MAX_STEPS))
    return range(*numbers)


def _in_unit(unit: str, number: formats.AnyNumber) -> str:
    """Format a number of bytes in a unit, such as GB."""
    if unit != "bytes":
        return size_in(Fraction(number), unit)
    return _("1 byte") if number == 1 else _("{number} bytes", number=formats.trimmed(number, 3))


def _tex(value: Value) -> str:
    """Format a whole number for TeX, with thousands separators; escape any other value."""
    if isinstance(value, int) and not isinstance(value, bool):
        return typeset.number(value)
    return "".join(_TEX.get(character, character) for character in as_text(value))


def _round(number: formats.AnyNumber, places: int = 0) -> formats.AnyNumber:
    """Round exactly, with halves up."""
    if not 0 <= places <= MAX_PLACES:
        raise mistake(_("round takes 0 to {number} decimal places", number=MAX_PLACES))
    return Fraction(nearest(Fraction(number) * 10**places), 10**places)


def _sum(items: Sequence[formats.AnyNumber]) -> formats.AnyNumber:
    """Sum whose intermediate results are bounded too."""
    return reduce(lambda one, other: bounded(one + other), items, 0)


_FILTERS = (
    Function("exact", formats.thousands, (Kind.WHOLE,), N_("use the filter round first")),
    Function("short", formats.short, (Kind.NUMBER,)),
    Function("words", formats.in_words, (Kind.NUMBER,)),
    Function("percent", formats.percent, (Kind.NUMBER,)),
    Function("significant", formats.significant, (Kind.NUMBER,)),
    *(Function(unit, partial(_in_unit, unit), (Kind.NUMBER,)) for unit in UNITS),
    Function("abs", abs, (Kind.NUMBER,)),
    Function("int", int, (Kind.NUMBER,)),
    Function("round", _round, (Kind.NUMBER, Kind.WHOLE)),
    Function("tex", _tex, (Kind.ANY,)),
    Function("mermaid", lambda value: escape_mermaid(as_text(value)), (Kind.ANY,)),
    Function("upper", str.upper, (Kind.TEXT,)),
    Function("lower", str.lower, (Kind.TEXT,)),
    Function("length", len, (Kind.SIZED,)),
    Function("first", itemgetter(0), (Kind.LIST,)),
    Function("last", itemgetter(-1), (Kind.LIST,)),
    Function("join", join, (Kind.LIST, Kind.ANY)),
    Function("sum", _sum, (Kind.NUMBERS,)),
    # for an empty list, sorted() and an index raise IndexError, which has a message of its own
    Function("max", lambda items: sorted(items)[-1], (Kind.NUMBERS,)),
    Function("min", lambda items: sorted(items)[0], (Kind.NUMBERS,)),
)
FILTERS = {function.name: function for function in _FILTERS}
"""Words that can follow ``|``."""
_TESTS = (
    Function("none", lambda value: value is None, (Kind.ANY,)),
    Function("true", lambda value: value is True, (Kind.ANY,)),
    Function("false", lambda value: value is False, (Kind.ANY,)),
    Function("even", lambda number: number % 2 == 0, (Kind.WHOLE,)),
    Function("odd", lambda number: number % 2 == 1, (Kind.WHOLE,)),
    Function("number", lambda value: type(value) in {int, Fraction}, (Kind.ANY,)),
    Function("string", lambda value: isinstance(value, str), (Kind.ANY,)),
)
TESTS = {function.name: function for function in _TESTS}
"""Words that can follow ``is``."""
OPERATIONS: dict[str, Callable[..., Value]] = {
    **OPERATORS,
    "Filter": lambda value, name, args, named: call(FILTERS[name], [value, *args], named),
    "Test": lambda value, name, args, named: call(TESTS[name], [value, *args], named),
}
"""Operators, filters and tests by the name of Jinja's node type, see :data:`.OPERATORS`."""
