"""Occurrences of stages: a stage that several stacks have in common is listed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.equal_weights import with_equal_weights
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.shared.wording import listed_text


@dataclass(frozen=True)
class Occurrence:
    """A stage with all stacks that contain it.

    Attributes:
        stage: the stage.
        stacks: empty for a stage outside the layers.
        layers: number of layers with weights of their own.
        where: its layers in words, if another stage has the same label: ``in MoE layers``, or
            ``in layers 2 and 3`` if their kinds have the same name.
    """

    stage: Stage
    stacks: tuple[Stack, ...]
    layers: Size
    where: str = ""


def occurrences(
    placed_stages: Iterable[PlacedStage], architecture: Architecture
) -> tuple[Occurrence, ...]:
    """Each different stage with the stacks that contain it."""
    stacks_by_stage: dict[Stage, list[Stack]] = {}
    for placed in placed_stages:
        stacks = stacks_by_stage.setdefault(placed.stage, [])
        if placed.stack:
            stacks.append(placed.stack)
    labels = Counter(stage.label for stage in stacks_by_stage)
    kinds = {stage: _in_kinds(stacks) for stage, stacks in stacks_by_stage.items()}
    by_kind = Counter((stage.label, where) for stage, where in kinds.items() if where)
    ambiguous = {label for (label, _where), number in by_kind.items() if number > 1}
    result = []
    for stage, stacks in stacks_by_stage.items():
        layers = architecture.layer_counts.of(stacks).size if stacks else ONE
        where = ""
        if labels[stage.label] > 1:
            where = _in_numbered(stacks) if stage.label in ambiguous else kinds[stage]
        result.append(Occurrence(stage, tuple(stacks), layers, where))
    return tuple(result)


def _in_kinds(stacks: Iterable[Stack]) -> str:
    """The kinds of the layers in words."""
    return in_layers([stack.label for stack in stacks if stack.label])


def _in_numbered(stacks: Iterable[Stack]) -> str:
    """The numbers of the layers, from 1, in words."""
    numbers = sorted(number + 1 for stack in stacks for number in stack.numbers)
    if not numbers:
        return ""
    return ngettext(
        "in layer {numbers}",
        "in layers {numbers}",
        len(numbers),
        numbers=listed_text(list(map(thousands, numbers))),
    )


def occurrences_by_group(
    placed_stages: Iterable[PlacedStage], architecture: Architecture
) -> Iterator[Occurrence]:
    """Each different stage with its stacks, in the order of the groups."""
    stages = list(placed_stages)
    for group in Group:
        members = (placed for placed in stages if placed.stage.group is group)
        yield from occurrences(members, architecture)


def occurrences_with_tensors(architecture: Architecture) -> list[Occurrence]:
    """Each stage with different weights, in the order of the groups."""
    with_tensors = (placed for placed in architecture.placed_stages() if placed.stage.tensors)
    return list(occurrences_by_group(with_equal_weights(with_tensors), architecture))


def in_layers(kinds: Sequence[str]) -> str:
    """``in dense and MoE layers``; empty without kinds."""
    if not kinds:
        return ""
    return _("in {kinds} layers", kinds=listed_text([_(kind) for kind in dict.fromkeys(kinds)]))
