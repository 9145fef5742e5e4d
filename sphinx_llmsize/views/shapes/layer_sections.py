"""Sections of a model: steps that several kinds of layers share, and steps of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import Interleaved, Item, Stack, label_of
from sphinx_llmsize.architecture.stages import Step
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import layers_text, listed_text, stack_text


@dataclass(frozen=True)
class Section:
    """Consecutive steps that the same stacks contain.

    Attributes:
        stacks: stacks with these steps; empty outside the layers.
        steps: the steps, in order.
        title: description of the layers, or the position before, between or after them.
    """

    stacks: tuple[Stack, ...]
    steps: tuple[Step, ...]
    title: str


def sections(architecture: Architecture) -> Iterator[Section]:
    """The sections of a model; equal steps of consecutive or interleaved stacks appear once."""
    runs = [(inside, tuple(run)) for inside, run in groupby(architecture.items, _has_layers)]
    for position, (inside, items) in enumerate(runs):
        if inside:
            stacks = tuple(stack for item in items for stack in _stacks(item))
            yield from _of_layers(stacks, architecture)
        else:
            steps = tuple(item for item in items if not isinstance(item, (Stack, Interleaved)))
            after = _("After the layers") if position == len(runs) - 1 else _("Between the layers")
            yield Section((), steps, after if position else _("Before the layers"))


def _has_layers(item: Item) -> bool:
    return isinstance(item, (Stack, Interleaved))


def _stacks(item: Item) -> tuple[Stack, ...]:
    if isinstance(item, Interleaved):
        return item.stacks
    return (item,) if isinstance(item, Stack) else ()


def _of_layers(stacks: tuple[Stack, ...], architecture: Architecture) -> Iterator[Section]:
    """The sections of consecutive or interleaved stacks."""
    owners = _owners(stacks)
    for members, steps in groupby(_in_order(stacks, owners), key=lambda step: owners[step]):
        yield Section(members, tuple(steps), _title(members, stacks, architecture))


Owners = dict[Step, tuple[Stack, ...]]


def _owners(stacks: Sequence[Stack]) -> Owners:
    """The stacks that contain each step."""
    owners: Owners = {}
    for stack in stacks:
        for step in dict.fromkeys(stack.block):
            owners[step] = (*owners.get(step, ()), stack)
    return owners


def _in_order(stacks: Sequence[Stack], owners: Owners) -> Iterator[Step]:
    """Each step once, in an order that fits all stacks if possible.

    A step of the same stacks as the previous one is preferred, for fewer sections.
    """
    left = {stack: list(dict.fromkeys(stack.block)) for stack in stacks}
    previous: tuple[Stack, ...] = ()
    while any(left.values()):
        ready = [
            steps[0]
            for steps in left.values()
            if steps and all(left[stack][0] == steps[0] for stack in owners[steps[0]])
        ]
        step = next((s for s in ready if owners[s] == previous), ready[0] if ready else None)
        if step is None:  # the stacks have no common order: take the first stack's next step
            step = next(steps[0] for steps in left.values() if steps)
        previous = owners[step]
        for stack in previous:
            left[stack].remove(step)
        yield step


def _title(
    members: tuple[Stack, ...], stacks: tuple[Stack, ...], architecture: Architecture
) -> str:
    """``× 28 Mamba layers``; only the number of layers if all stacks are members."""
    if len(members) == 1:
        return stack_text(members[0], architecture)
    count = architecture.count
    layers = sum(count(stack.layers) * count(stack.shared_by) for stack in members)
    if len(members) == len(stacks):
        return layers_text(layers)
    common = [kind for kind in members[0].kinds if all(kind in stack.kinds for stack in members)]
    # kinds whose layers are all members
    exact = [kind for kind in common if all(s in members for s in stacks if kind in s.kinds)]
    return layers_text(layers, label_of(exact) or listed_text([_(s.label) for s in members]))
