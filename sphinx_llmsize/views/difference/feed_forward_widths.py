"""Feed-forward networks of another kind with their widths, unless a row or the note has these."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sphinx_llmsize.config.symbols import F_DEC, F_E, F_ENC, F_S, F
from sphinx_llmsize.differences.key_change import KeyChange
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.difference.kinds_of_parts import Kinds, parts_of
from sphinx_llmsize.views.difference.pairs import Models, Texts
from sphinx_llmsize.views.in_words.experts_in_words import numbers_of_experts
from sphinx_llmsize.views.in_words.part_components import PlacedStages
from sphinx_llmsize.views.in_words.part_details import inner_widths, widths_text
from sphinx_llmsize.views.in_words.parts_in_words import describe_group

WIDTHS = frozenset((F, F_E, F_S, F_ENC, F_DEC))
"""Symbols of the widths of feed-forward networks."""


def texts_with_widths(
    models: Models, parts: Kinds, key_changes: Iterable[KeyChange], *, has_row_of_experts: bool
) -> Texts:
    """``gated FFN (11,008 wide)``, ``8 experts (2 active, 14,336 wide)``.

    Args:
        models: the models.
        parts: their feed-forward networks.
        key_changes: the changed keys that are named elsewhere, with the widths that these have.
        has_row_of_experts: the numbers of experts are named elsewhere; they are omitted unless the
            texts only differ in them.
    """
    sizes = [each.sizes for each in key_changes if each.key.symbol in WIDTHS]
    stages = parts_of(models, Aspect.FEED_FORWARD)
    widths = [inner_widths(model, part) for model, part in zip(models, stages, strict=True)]
    are_shown = all(widths) and widths[0] != widths[1]
    unnamed = [
        of_model - {pair[side] for pair in sizes} if are_shown else set()
        for side, of_model in enumerate(widths)
    ]

    def texts(*, with_numbers: bool) -> Texts:
        before, after = (
            _with_widths(part.text, model, placed, shown, with_numbers=with_numbers)
            for part, model, placed, shown in zip(parts, models, stages, unnamed, strict=True)
        )
        return before, after

    shown = texts(with_numbers=not has_row_of_experts)
    return shown if shown[0] != shown[1] else texts(with_numbers=True)


def _with_widths(
    text: str,
    model: Model,
    placed_stages: PlacedStages,
    widths: Collection[int],
    *,
    with_numbers: bool,
) -> str:
    """The description of a part with the widths of its dense networks and of its experts.

    Args:
        text: description of the part, with the numbers of experts.
        model: the model.
        placed_stages: stages of the part.
        widths: the widths to name, with others of the same networks.
        with_numbers: False to leave out the numbers of experts.
    """
    for group in Aspect.FEED_FORWARD.value:
        of_group = [placed for placed in placed_stages if placed.stage.group is group]
        if not of_group:
            continue
        of_networks = inner_widths(model, of_group)
        width = "" if of_networks.isdisjoint(widths) else widths_text(of_networks)
        numbers = numbers_of_experts(model, of_group)
        if numbers:
            named = numbers_of_experts(model, of_group, width)
            experts = named if with_numbers else _with_details(_("experts"), width)
            text = text.replace(numbers, experts)
        elif len(of_group) == len(placed_stages):
            text = _with_details(text, width)
        else:
            kind = describe_group(model, of_group).text
            text = text.replace(kind, _with_details(kind, width), 1)
    return text


def _with_details(part: str, details: str) -> str:
    """``gated FFN (11,008 wide)``; the part alone if there are no details."""
    return _("{part} ({details})", part=part, details=details) if details else part
