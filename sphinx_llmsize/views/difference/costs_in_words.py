"""Costs of changes in words: ``788,529,152 more parameters, 61% of the difference``."""

from __future__ import annotations

from fractions import Fraction

from sphinx_llmsize.differences.costs import Cost
from sphinx_llmsize.formats import short
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.difference.counted_difference import CountedDifference
from sphinx_llmsize.views.difference.signed import share_text
from sphinx_llmsize.views.numbers.byte_measures import DEFAULT_DTYPE
from sphinx_llmsize.views.numbers.measures import KV_CACHE
from sphinx_llmsize.views.shared.data_size import bytes_of, size_text
from sphinx_llmsize.views.shared.wording import listed_text


def cost_text(counted: CountedDifference, cost: Cost) -> str:
    """``788,529,152 more parameters, 61% of the difference``; the KV cache if it changes."""
    texts = []
    if cost.parameters:
        texts.append(_with_share(counted, cost))
    if cost.cache and any(column.name == KV_CACHE for column in counted.columns):
        size = size_text(bytes_of(abs(cost.cache), DEFAULT_DTYPE))
        if cost.cache > 0:
            texts.append(_("{size} more KV cache per token", size=size))
        else:
            texts.append(_("{size} less KV cache per token", size=size))
    return listed_text(texts)


def _parameters(cost: Cost) -> str:
    """``788,529,152 more parameters``."""
    number = abs(cost.parameters)
    if cost.parameters > 0:
        return ngettext(
            "{number} more parameter", "{number} more parameters", number, number=number
        )
    return ngettext("{number} fewer parameter", "{number} fewer parameters", number, number=number)


def with_active(cost: Cost) -> str:
    """``788,529,152 more parameters (92.3M of them active)``; no brackets if all are active.

    ``… (4.67B fewer active)`` if the active parameters change the other way, or by more than all.
    """
    text = _parameters(cost)
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


def _with_share(counted: CountedDifference, cost: Cost) -> str:
    """``788,529,152 more parameters, 61% of the difference``.

    The share is omitted if it would be negative, or 100% or more, because of changes in the other
    direction.
    """
    text = _parameters(cost)
    total = counted.difference.total.parameters
    share = Fraction(cost.parameters, total) if total else Fraction(0)
    if not 0 < share < 1:
        return text
    return _("{number}, {share} of the difference", number=text, share=share_text(share))
