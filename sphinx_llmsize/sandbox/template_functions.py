"""Functions that templates can call by name: ``model`` and ``range``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from sphinx_llmsize.changes.apply_changes import apply_changes
from sphinx_llmsize.model import Model
from sphinx_llmsize.sandbox.limits import MAX_STEPS, MODEL_STEPS, Budget, excess, mistake
from sphinx_llmsize.sandbox.values import ArgumentKind, Function, Value
from sphinx_llmsize.sources.located import Section, checked_section, section_of
from sphinx_llmsize.sources.number_text import parse_numbers
from sphinx_llmsize.translation import N_, _

FindModel = Callable[[str], Model]
"""Returns the model of a name."""


def functions(find_model: FindModel, budget: Budget) -> dict[str, Value]:
    """Functions by name; ``model`` looks up each model, and charges its steps, only once."""
    models: dict[object, Model] = {}

    def model(text: str, /, **changes: Value) -> Model:
        """The model of a name such as ``llama-7b?num_layers=40``, with these keys changed too."""
        number, *others = parse_numbers(text)
        name = number.model
        if others or number.words:
            hint = _('write model("llama-7b").number("mlp:share")')
            raise mistake(_("{text} is more than a model's name", text=repr(text[:60])), hint)
        changes_in_name = number.changes.entries if number.changes else ()
        all_changes = checked_section([*changes_in_name, *_section(changes).entries])
        if (name, all_changes) not in models:
            budget.spend(MODEL_STEPS)
            found = find_model(name)
            changed = apply_changes(found, all_changes) if all_changes.entries else found
            models[name, all_changes] = changed
        return models[name, all_changes]

    example = N_('write model("llama-7b") or model("llama-7b", num_layers=40)')
    return {
        "model": Function("model", model, (ArgumentKind.TEXT,), example, takes_keywords=True),
        "range": Function(
            "range", _range, (ArgumentKind.WHOLE,) * 3, N_("write range(10) or range(1, 10)")
        ),
    }


def _section(changes: Mapping[str, Value]) -> Section:
    """Keyword arguments as a section, with fractions as floats."""
    values = {
        key: float(value) if isinstance(value, Fraction) else value
        for key, value in changes.items()
    }
    return section_of(values)


def _range(*numbers: int) -> range:
    """Python's ``range``, limited to :data:`MAX_STEPS`."""
    if len(numbers) == 3 and not numbers[2]:  # noqa: PLR2004 - start, stop and step
        raise mistake(_("the step of a range cannot be 0"))
    items = range(*numbers)
    # len() raises OverflowError for a much longer range, so the bounds are checked first
    if max(map(abs, numbers)) > MAX_STEPS or len(items) > MAX_STEPS:
        raise excess(_("a range goes beyond {number}", number=MAX_STEPS))
    return items
