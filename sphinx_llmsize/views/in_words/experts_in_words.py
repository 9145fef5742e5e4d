"""Experts in a few words: ``8 experts (2 active)``."""

from __future__ import annotations

from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config.symbols import E_S
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.part_components import PlacedStages, tensors_of

SHARED_EXPERTS = "shared_experts"
"""Component of the experts that all tokens use."""


def numbers_of_experts(model: Model, placed_stages: PlacedStages) -> str:
    """``8 experts (2 active)``: those of the first layers that have experts for text, if any."""
    for placed in placed_stages:
        expert_count = placed.stage.expert_count
        if expert_count and not placed.stage.is_for_images:
            return _count_in_words(model, expert_count)
    return ""


def describe_experts(model: Model, placed_stages: PlacedStages) -> Description:
    """``8 experts (2 active)``, ``256 experts (8 active) plus 1 shared expert``."""
    count = model.architecture.count
    text = numbers_of_experts(model, placed_stages) or _("experts")
    counts = [
        (experts, placed.stage.is_for_images)
        for placed in placed_stages
        if (experts := placed.stage.expert_count)
    ]
    numbers: dict[str, tuple[int, ...]] = {}
    if counts:
        numbers["routed"] = tuple(map(count, counts[0][0].sizes))
    zero_computation = [each for each, _for_images in counts if each.is_zero_computation]
    for_images = [each for each, is_for_images in counts if is_for_images]
    if zero_computation:
        number = count(zero_computation[0].total)
        numbers["zero_computation"] = (number,)
        text = ngettext(
            "{experts} plus {number} zero-computation expert",
            "{experts} plus {number} zero-computation experts",
            number,
            experts=text,
            number=number,
        )
    if for_images:
        number = count(for_images[0].total)
        numbers["for_images"] = (number,)
        text = ngettext(
            "{experts} plus {number} expert for images",
            "{experts} plus {number} experts for images",
            number,
            experts=text,
            number=number,
        )
    shared = [tensor for tensor in tensors_of(placed_stages) if tensor.component == SHARED_EXPERTS]
    if shared:
        is_counted = any(E_S in size.symbols() for tensor in shared for size in tensor.shape)
        number = count(E_S) if is_counted else 1
        numbers["shared"] = (number,)
        text = ngettext(
            "{experts} plus {n} shared expert",
            "{experts} plus {n} shared experts",
            number,
            experts=text,
            n=number,
        )
    return Description(("experts", *numbers), frozenset(numbers.items()), text)


def _count_in_words(model: Model, count: ExpertCount) -> str:
    """``8 experts (2 active)``."""
    total, active = map(model.architecture.count, count.sizes)
    return ngettext(
        "{total} expert ({used} active)",
        "{total} experts ({used} active)",
        total,
        total=total,
        used=active,
    )
