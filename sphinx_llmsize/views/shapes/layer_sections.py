"""Sections of a model: steps of some layers, and steps before, between and after the layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import (
    Interleaved,
    Item,
    Stack,
    common_kinds,
    label_of,
    stacks_of,
)
from sphinx_llmsize.architecture.stages import Step, without_residuals
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.layer_text import layers_text, stack_text
from sphinx_llmsize.views.shared.wording import listed_text

Owners = dict[Step, tuple[Stack, ...]]
"""The stacks that contain each step."""


@dataclass(frozen=True)
class LayerSection:
    """Consecutive steps that the same stacks contain, or steps outside the layers.

    Attributes:
        stacks: stacks with these steps; empty outside the layers.
        steps: the steps, in order.
        title: description of the layers, or the position before, between or after them.
    """

    stacks: tuple[Stack, ...]
    steps: tuple[Step, ...]
    title: str


def sections(architecture: Architecture) -> Iterator[LayerSection]:
    """The sections of a model; equal steps of consecutive or interleaved stacks appear once."""
    runs = [tuple(run) for _has_layers, run in groupby(architecture.items, key=_has_layers)]
    for position, items in enumerate(runs):
        stacks = tuple(stack for item in items for stack in stacks_of(item))
        if stacks:
            yield from _sections_of_layers(stacks, architecture)
        else:
            steps = tuple(item for item in items if not isinstance(item, (Stack, Interleaved)))
            title = _outside_title(position, len(runs))
            yield LayerSection((), tuple(without_residuals(steps)), title)


def _has_layers(item: Item) -> bool:
    """True for stacks of layers, False for a step outside the layers."""
    return bool(stacks_of(item))


def _outside_title(position: int, runs: int) -> str:
    """Title of steps outside the layers, by their position among all runs of steps and stacks."""
    if position == 0:
        return _("Before the layers")
    if position == runs - 1:
        return _("After the layers")
    return _("Between the layers")


def _sections_of_layers(
    stacks: tuple[Stack, ...], architecture: Architecture
) -> Iterator[LayerSection]:
    """The sections of consecutive or interleaved stacks."""
    owners = _owners(stacks)
    for members, steps in groupby(_in_order(stacks, owners), key=lambda step: owners[step]):
        yield LayerSection(members, tuple(steps), _title(members, stacks, architecture))


def _owners(stacks: Sequence[Stack]) -> Owners:
    """The stacks that contain each step."""
    owners: Owners = {}
    for stack in stacks:
        for step in dict.fromkeys(without_residuals(stack.block)):
            owners[step] = (*owners.get(step, ()), stack)
    return owners


def _in_order(stacks: Sequence[Stack], owners: Owners) -> Iterator[Step]:
    """Each step once, in an order that is also the order in each stack, if there is such an order.

    A step of the same stacks as the previous one is preferred, since it adds no section.
    """
    remaining = {stack: list(dict.fromkeys(without_residuals(stack.block))) for stack in stacks}
    previous_owners: tuple[Stack, ...] = ()
    while any(remaining.values()):
        next_steps = [steps[0] for steps in remaining.values() if steps]
        ready = [step for step in next_steps if all(remaining[s][0] == step for s in owners[step])]
        # if the stacks have no common order, take the first stack's next step
        candidates = ready or next_steps[:1]
        of_same_stacks = [step for step in candidates if owners[step] == previous_owners]
        step = (of_same_stacks or candidates)[0]
        previous_owners = owners[step]
        for stack in previous_owners:
            remaining[stack].remove(step)
        yield step


def _title(
    members: tuple[Stack, ...], stacks: tuple[Stack, ...], architecture: Architecture
) -> str:
    """Title of the layers in some of the stacks: ``× 28 Mamba layers``.

    It names the kinds that only the members have, after those that all stacks have: ``× 6 encoder
    MoE layers``. If the members have no kind of their own, their labels are listed; layers that
    differ only in their sizes have none.

    Args:
        members: the stacks with these layers.
        stacks: all consecutive or interleaved stacks.
        architecture: the model's architecture.
    """
    count = architecture.count
    has_shared_weights = any(count(stack.passes) > 1 for stack in members)
    is_only_stack = len(stacks) == 1
    if is_only_stack or (len(members) == 1 and has_shared_weights):
        return stack_text(members[0], architecture)
    layers = sum(count(stack.uses) for stack in members)
    shared = common_kinds(stacks)
    if len(members) == len(stacks):
        return layers_text(layers, _(label_of(shared)))
    others = [stack for stack in stacks if stack not in members]
    own = [k for k in common_kinds(members) if all(k not in other.kinds for other in others)]
    if not own:
        labels = dict.fromkeys(_(stack.label) if stack.label else "" for stack in members)
        return layers_text(layers, listed_text([*labels]) if all(labels) else "")
    return layers_text(layers, _(label_of((*shared, *own))))
