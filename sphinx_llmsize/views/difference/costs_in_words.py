"""Costs of changes: signed numbers, shares of the difference, and words."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.formats import fixed, percent, short, thousands, trimmed
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE
from sphinx_llmsize.views.numbers.measures import KV_CACHE
from sphinx_llmsize.views.numbers.role_text import MINUS
from sphinx_llmsize.views.shared.data_size import bytes_of, size_text
from sphinx_llmsize.views.shared.wording import listed_text

SMALL = Fraction(199, 20_000)
"""Share below which percentages have a decimal place; from it, they are rounded to 1%."""
NEARLY_ALL = Fraction(199, 200)
"""Share from which percentages below 100% have a decimal place."""
MAX_SHARE = 10
"""Largest change, relative to the difference, whose share is shown."""


def signed(number: Fraction | int) -> str:
    """``+788,529,152``, ``−805,306,368``, ``0``; up to three decimal places."""
    text = number_text(number)
    return f"+{text}" if number > 0 else text


def number_text(number: Fraction | int) -> str:
    """``788,529,152``, ``−805,306,368``, ``0``; up to three decimal places."""
    size = abs(Fraction(number))
    text = thousands(int(size)) if size.denominator == 1 else trimmed(size, 3)
    return f"{MINUS}{text}" if number < 0 else text


def share_of_difference(difference: Difference, cost: Cost) -> str:
    """Share of a cost in the difference in parameters: ``61%``, ``−62%`` if against its direction.

    Empty if the cost or the difference has no parameters, or if the share is too large to help.
    """
    total = difference.total.parameters
    if not cost.parameters or not total:
        return ""
    share = Fraction(cost.parameters, total)
    return share_text(share) if abs(share) <= MAX_SHARE else ""


def share_text(share: Fraction) -> str:
    """``61%``, ``−62%``; with a decimal place below 1% and near 100%.

    Like other percentages, shares that would be rounded to 0.0% or 100.0% are inequalities:
    ``<0.1%``, for negative shares too, ``>99.9%``, and ``<−99.9%``.
    """
    size = abs(share)
    is_whole = SMALL <= size < NEARLY_ALL or size >= 1
    text = f"{fixed(100 * size, 0)}%" if is_whole else percent(size)
    if share >= 0 or text.startswith("<"):
        return text
    if text.startswith(">"):
        return f"<{MINUS}{text[1:]}"
    return f"{MINUS}{text}"


def cost_text(counted: CountedDifference, cost: Cost) -> str:
    """``788,529,152 more parameters, 61% of the difference``, and the KV cache.

    Without parameters, these are the active parameters. The KV cache is named if it changes and
    the table has a column for it. The text is empty if there is nothing to name.

    The share is that of the table, but only from 0 to 100%: a sentence can't call −20% or 130% a
    part of the difference.
    """
    parameters = _parameters_text(cost) if cost.parameters else active_parameters_text(cost)
    total = counted.difference.total.parameters
    is_part = 0 <= cost.parameters * total <= total**2  # 0 <= parameters / total <= 1
    share = share_of_difference(counted.difference, cost) if is_part else ""
    cache = ""
    if cost.cache and any(column.name == KV_CACHE for column in counted.columns):
        size = size_text(bytes_of(abs(cost.cache), DEFAULT_DTYPE))
        more, less = N_("{size} more KV cache per token"), N_("{size} less KV cache per token")
        cache = _(more if cost.cache > 0 else less, size=size)
    if not share:
        return listed_text([text for text in (parameters, cache) if text])
    text = _("{number}, {share} of the difference", number=parameters, share=share)
    return _("{parameters}, and {cache}", parameters=text, cache=cache) if cache else text


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
