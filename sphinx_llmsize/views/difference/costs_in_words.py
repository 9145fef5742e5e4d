"""Costs of changes: signed numbers, percentages, and words."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.formats import HALF_STEP, fixed, percent, short, thousands, trimmed
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE, KV_CACHE
from sphinx_llmsize.views.numbers.role_text import MINUS
from sphinx_llmsize.views.shared.data_size import bytes_of, size_text
from sphinx_llmsize.views.shared.wording import listed_text

LARGEST_CHANGE = 10
"""Largest change, relative to the first model, that is shown in percent."""


def signed(number: Fraction | int) -> str:
    """``+788,529,152``, ``−805,306,368``, ``0``; up to three decimal places."""
    text = number_text(number)
    return f"+{text}" if number > 0 else text


def number_text(number: Fraction | int) -> str:
    """``788,529,152``, ``−805,306,368``, ``0``; up to three decimal places."""
    size = abs(Fraction(number))
    text = thousands(int(size)) if size.denominator == 1 else trimmed(size, 3)
    return f"{MINUS}{text}" if number < 0 else text


def relative_change(number: Fraction | int, of_first_model: Fraction | int) -> str:
    """``+11.7%``: a change of a number relative to that of the first model.

    Empty if there is no change, or one that is too large for percentages.
    """
    change, whole = Fraction(number), Fraction(of_first_model)
    is_small = 0 < abs(change) <= LARGEST_CHANGE * whole
    return signed_percent(change / whole) if is_small else ""


def signed_percent(change: Fraction) -> str:
    """``+11.7%``, ``−12.0%``; ``<0.1%`` for small changes in either direction.

    A model that has nearly lost all of its parameters changed by ``<−99.9%``, not by 100%.
    """
    size = abs(change)
    if size < HALF_STEP:
        return percent(size)
    if -1 < change <= HALF_STEP - 1:
        return f"<{MINUS}{fixed(Fraction('99.9'), 1)}%"
    sign = MINUS if change < 0 else "+"
    return f"{sign}{fixed(100 * size, 1)}%"


def cost_text(counted: CountedDifference, cost: Cost) -> str:
    """``788,529,152 more parameters (+11.7%)``, and the KV cache.

    Without parameters, these are the active parameters. The KV cache is named if it changes and
    the table has a column for it. The text is empty if there is nothing to name.
    """
    of_first_model = counted.difference.cost_of_one.parameters
    if not cost.parameters:
        parameters = active_parameters_text(cost)
    elif change := relative_change(cost.parameters, of_first_model):
        number = _parameters_text(cost)
        parameters = _("{number} ({change})", number=number, change=change)
    else:
        parameters = _parameters_text(cost)
    cache = ""
    if cost.cache and any(column.name == KV_CACHE for column in counted.columns):
        size = size_text(bytes_of(abs(cost.cache), DEFAULT_DTYPE))
        more, less = N_("{size} more KV cache per token"), N_("{size} less KV cache per token")
        cache = _(more if cost.cache > 0 else less, size=size)
    return listed_text([text for text in (parameters, cache) if text])


def _parameters_text(cost: Cost) -> str:
    """``788,529,152 more parameters``."""
    number = abs(cost.parameters)
    if cost.parameters > 0:
        return ngettext(
            "{number} more parameter", "{number} more parameters", number, number=number
        )
    return ngettext("{number} fewer parameter", "{number} fewer parameters", number, number=number)


def active_parameters_text(cost: Cost) -> str:
    """``2.42B fewer active parameters``; empty for none."""
    number = short(abs(cost.active))
    if not cost.active:
        return ""
    if cost.active > 0:
        return _("{number} more active parameters", number=number)
    return _("{number} fewer active parameters", number=number)


def with_active(cost: Cost) -> str:
    """``788,529,152 more parameters (92.3M of them active)``; no brackets if all are active.

    ``… (4.67B fewer active)`` if the active parameters change the other way, or by more than the
    parameters do. The cost must have parameters.
    """
    text = _parameters_text(cost)
    share = Fraction(cost.active, cost.parameters)
    active = short(abs(cost.active))
    if share == 1:
        return text
    if 0 < share < 1:
        return _("{parameters} ({active} of them active)", parameters=text, active=active)
    if not share:
        return _("{parameters} (none of them active)", parameters=text)
    if cost.active > 0:
        return _("{parameters} ({active} more active)", parameters=text, active=active)
    return _("{parameters} ({active} fewer active)", parameters=text, active=active)
