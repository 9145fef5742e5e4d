"""Stages that share a box: steps of experts, or in a brief diagram all stages of a group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from sphinx_llmsize.architecture.stages import (
    Block,
    Group,
    Parallel,
    Residual,
    Stage,
    Step,
    stages_of,
)
from sphinx_llmsize.architecture.tensors import SINGLE
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence

MINOR = "minor"
"""Kind of consecutive steps with hardly any parameters."""
MIN_MINOR = 3
"""Number of consecutive minor steps that share a box."""


@dataclass(frozen=True)
class MergedStages(Stage):
    """Stages in one box, as a stage with the label of their group.

    Attributes:
        members: ids of the stages.
    """

    members: tuple[str, ...] = ()


def names_of(stage: Stage) -> tuple[str, ...]:
    """Ids by which a box is called: those of its stages."""
    return (stage.id, *stage.members) if isinstance(stage, MergedStages) else (stage.id,)


def with_merged_steps(block: Iterable[Step], is_minor: Callable[[Stage], bool]) -> Block:
    """The block with the steps of the experts in one stage, and runs of minor steps in another.

    Args:
        block: the steps.
        is_minor: True for a stage with hardly any parameters, such as a state space's scan.
    """
    merged: list[Step] = []
    for kind, found in groupby(block, lambda step: _kind(step, is_minor)):
        steps = tuple(found)
        stages = tuple(step for step in steps if isinstance(step, Stage))
        if kind == MINOR and len(stages) >= MIN_MINOR:
            merged.append(_merged(stages, _labels(stages)))
        elif kind not in {MINOR, None} and len(stages) > 1:
            merged.append(_merged(stages))
        else:
            merged += (_inside(step, is_minor) for step in steps)
    return tuple(merged)


def with_merged_groups(block: Iterable[Step]) -> Block:
    """The block with consecutive stages of a group in one stage, without norms and additions."""
    steps = tuple(_flat(block))
    merged: list[Step] = []
    for group, members in groupby(steps, _common_group):
        found = tuple(members)
        stages = tuple(stages_of(found)) if group else ()
        merged += (_merged(stages),) if len(stages) > 1 else found
    return tuple(merged)


def _kind(step: Step, is_minor: Callable[[Stage], bool]) -> Hashable:
    """Value that is equal for consecutive steps to merge; None for a step to keep."""
    if not isinstance(step, Stage):
        return None
    if step.expert_count is not SINGLE:
        return step.expert_count
    return MINOR if is_minor(step) else None


def _labels(stages: tuple[Stage, ...]) -> str:
    """``Causal convolution, time steps, states``."""
    first, *others = stages
    return comma_separated([_(first.label), *(in_sentence(stage.label) for stage in others)])


def _inside(step: Step, is_minor: Callable[[Stage], bool]) -> Step:
    if isinstance(step, Parallel):
        return Parallel(tuple(with_merged_steps(branch, is_minor) for branch in step.branches))
    if isinstance(step, Residual):
        return Residual(with_merged_steps(step.steps, is_minor))
    return step


def _flat(block: Iterable[Step]) -> Iterator[Step]:
    """The steps without norms and residual connections; branches are merged by group."""
    for step in block:
        if isinstance(step, Residual):
            yield from _flat(step.steps)
        elif isinstance(step, Parallel):
            branches = tuple(filter(None, map(with_merged_groups, step.branches)))
            yield from branches[0] if len(branches) == 1 else (Parallel(branches),)
        elif step.group is not Group.NORMS:
            yield step


def _common_group(step: Step) -> Group | None:
    """The group of all stages in a step; None if there are several."""
    groups = {stage.group for stage in stages_of((step,))}
    return groups.pop() if len(groups) == 1 else None


def _merged(stages: tuple[Stage, ...], label: str = "") -> MergedStages:
    """The stages as one, with the label of their group by default."""
    first, last = stages[0], stages[-1]
    return MergedStages(
        id=first.id if label else first.group.value,
        label=label or first.group.label,
        group=first.group,
        output=last.output,
        tensors=tuple(tensor for stage in stages for tensor in stage.tensors),
        source=next((s.source for s in stages if s.source is not first.source), first.source),
        computes=tuple(product for stage in stages for product in stage.computes),
        members=tuple(id for stage in stages for id in names_of(stage)),
    )
