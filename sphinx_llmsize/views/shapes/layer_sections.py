"""Sections of a model: steps that several kinds of layers share, and steps of each kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import Interleaved, Stack, label_of, stacks_of
from sphinx_llmsize.architecture.stages import Step, without_residuals
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.layer_text import layers_text, stack_text
from sphinx_llmsize.views.shared.wording import listed_text

Owners = dict[Step, tuple[Stack, ...]]
"""The stacks that contain each step."""


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
    by_place = groupby(architecture.items, key=lambda item: bool(stacks_of(item)))
    runs = [tuple(run) for _is_in_layers, run in by_place]
    for position, items in enumerate(runs):
        if stacks := tuple(stack for item in items for stack in stacks_of(item)):
            yield from _of_layers(stacks, architecture)
        else:
            steps = tuple(item for item in items if not isinstance(item, (Stack, Interleaved)))
            yield Section((), tuple(without_residuals(steps)), _outside_title(position, len(runs)))


def _outside_title(position: int, runs: int) -> str:
    """Title of steps outside the layers, by their place among the runs of steps and of stacks."""
    if position == 0:
        return _("Before the layers")
    return _("After the layers") if position == runs - 1 else _("Between the layers")


def _of_layers(stacks: tuple[Stack, ...], architecture: Architecture) -> Iterator[Section]:
    """The sections of consecutive or interleaved stacks."""
    owners = _owners(stacks)
    for members, steps in groupby(_in_order(stacks, owners), key=lambda step: owners[step]):
        yield Section(members, tuple(steps), _title(members, stacks, architecture))


def _owners(stacks: Sequence[Stack]) -> Owners:
    """The stacks that contain each step."""
    owners: Owners = {}
    for stack in stacks:
        for step in dict.fromkeys(without_residuals(stack.block)):
            owners[step] = (*owners.get(step, ()), stack)
    return owners


def _in_order(stacks: Sequence[Stack], owners: Owners) -> Iterator[Step]:
    """Each step once, in an order that fits all stacks if possible.

    A step of the same stacks as the previous one is preferred, for fewer sections.
    """
    left = {stack: list(dict.fromkeys(without_residuals(stack.block))) for stack in stacks}
    previous: tuple[Stack, ...] = ()
    while any(left.values()):
        first = [steps[0] for steps in left.values() if steps]
        ready = [step for step in first if all(left[s][0] == step for s in owners[step])]
        # if the stacks have no common order, take the first stack's next step
        candidates = ready or first[:1]
        step = next((s for s in candidates if owners[s] == previous), candidates[0])
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
    layers = sum(count(stack.uses) for stack in members)
    if len(members) == len(stacks):
        return layers_text(layers)
    common = [kind for kind in members[0].kinds if all(kind in stack.kinds for stack in members)]
    # kinds whose layers are all members
    exact = [kind for kind in common if all(s in members for s in stacks if kind in s.kinds)]
    return layers_text(layers, label_of(exact) or listed_text([_(s.label) for s in members]))
