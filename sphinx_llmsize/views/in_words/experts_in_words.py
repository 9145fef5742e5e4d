"""Experts in a few words: ``8 experts (2 active)``."""

from __future__ import annotations

from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.config.symbols import E_S
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
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


def experts_in_words(model: Model, placed_stages: PlacedStages) -> str:
    """``8 experts (2 active)``, ``256 experts (8 active) plus 1 shared expert``."""
    text = numbers_of_experts(model, placed_stages) or _("experts")
    counts = [
        (count, placed.stage.is_for_images)
        for placed in placed_stages
        if (count := placed.stage.expert_count)
    ]
    zero_computation = [count for count, _is_for_images in counts if count.is_zero_computation]
    for_images = [count for count, is_for_images in counts if is_for_images]
    if zero_computation:
        number = model.architecture.count(zero_computation[0].total)
        text = ngettext(
            "{experts} plus {number} zero-computation expert",
            "{experts} plus {number} zero-computation experts",
            number,
            experts=text,
            number=number,
        )
    if for_images:
        number = model.architecture.count(for_images[0].total)
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
        number = model.architecture.count(E_S) if is_counted else 1
        text = ngettext(
            "{experts} plus {n} shared expert",
            "{experts} plus {n} shared experts",
            number,
            experts=text,
            n=number,
        )
    return text


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
