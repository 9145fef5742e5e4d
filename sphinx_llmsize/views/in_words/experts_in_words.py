"""Experts in a few words: ``8 experts (2 active)``."""

from __future__ import annotations

from sphinx_llmsize.config.symbols import E_S
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.description import Description, with_parentheses
from sphinx_llmsize.views.in_words.part_components import PlacedStages, tensors_of

SHARED_EXPERTS = "shared_experts"
"""Component of the experts that all tokens use."""


def describe_experts(
    model: Model,
    placed_stages: PlacedStages,
    width: Description | None = None,
    *,
    with_numbers: bool = True,
) -> Description:
    """``8 experts (2 active)``, ``256 experts (8 active) plus 1 shared expert``.

    Args:
        model: the model.
        placed_stages: stages with the experts.
        width: their width, to be added: ``8 experts (2 active, 14,336 wide)``.
        with_numbers: False to leave out the numbers of routed experts.
    """
    numbers = _routed_experts(model, placed_stages) if with_numbers else ()
    text = _routed_text(numbers, width)
    others = _other_experts(model, placed_stages)
    for id, number in others.items():
        text = _with_others(text, id, number)
    facts = frozenset((numbers, *others.items()))
    return Description(("experts", *others), facts | (width.facts if width else set()), text)


def _routed_text(numbers: tuple[int, ...], width: Description | None) -> str:
    """``8 experts (2 active, 14,336 wide)``: the numbers and the width that are given."""
    if not numbers:
        return with_parentheses(_("experts"), [width])
    total, active = numbers
    if width:
        return ngettext(
            "{total} expert ({used} active, {width})",
            "{total} experts ({used} active, {width})",
            total,
            total=total,
            used=active,
            width=width.text,
        )
    return ngettext(
        "{total} expert ({used} active)",
        "{total} experts ({used} active)",
        total,
        total=total,
        used=active,
    )


def _routed_experts(model: Model, placed_stages: PlacedStages) -> tuple[int, ...]:
    """Total and active number of the routed experts of the first stage with any: ``(8, 2)``.

    Experts for images don't count. Empty if no stage has others.
    """
    for placed in placed_stages:
        expert_count = placed.stage.expert_count
        if expert_count and not placed.stage.is_for_images:
            return tuple(map(model.architecture.count, expert_count.sizes))
    return ()


def _other_experts(model: Model, placed_stages: PlacedStages) -> dict[str, int]:
    """Numbers of experts of other kinds, by id."""
    count = model.architecture.count
    numbers: dict[str, int] = {}
    for stage in (placed.stage for placed in placed_stages):
        if stage.expert_count and stage.expert_count.is_zero_computation:
            numbers.setdefault("zero_computation", count(stage.expert_count.total))
        if stage.expert_count and stage.is_for_images:
            numbers.setdefault("for_images", count(stage.expert_count.total))
    shared = [tensor for tensor in tensors_of(placed_stages) if tensor.component == SHARED_EXPERTS]
    if shared:
        # without E_S in its shape, all shared experts are one MLP
        is_counted = any(E_S in size.symbols() for tensor in shared for size in tensor.shape)
        numbers["shared"] = count(E_S) if is_counted else 1
    return numbers


def _with_others(experts: str, id: str, number: int) -> str:
    """``256 experts (8 active) plus 1 shared expert``: a text with experts of another kind."""
    match id:
        case "zero_computation":
            return ngettext(
                "{experts} plus {number} zero-computation expert",
                "{experts} plus {number} zero-computation experts",
                number,
                experts=experts,
                number=number,
            )
        case "for_images":
            return ngettext(
                "{experts} plus {number} expert for images",
                "{experts} plus {number} experts for images",
                number,
                experts=experts,
                number=number,
            )
        case _:  # "shared"
            return ngettext(
                "{experts} plus {n} shared expert",
                "{experts} plus {n} shared experts",
                number,
                experts=experts,
                n=number,
            )
