"""Stages that share a box: experts, minor steps, or all stages of a group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, groupby

from sphinx_llmsize.architecture.parts.block_edits import change_inside
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import (
    Block,
    Group,
    Parallel,
    Residual,
    Source,
    Stage,
    Step,
    beside_input,
    stages_of,
)
from sphinx_llmsize.architecture.tensors import ExpertCount
from sphinx_llmsize.translation import N_

CROSS_ATTENTION = N_("Cross-attention")
MINOR = "minor"
"""Kind of consecutive steps with few parameters."""
MINOR_LABELS = {
    ("convolution", "state_space"): N_("Convolution and SSM"),
    ("convolution", "delta_rule"): N_("Convolution and delta rule"),
    ("state_space",): N_("Selective SSM"),
    ("delta_rule",): N_("Delta rule"),
}
"""Labels of minor steps in one box, by the ids of the stages among them that mix tokens."""
LABELS = {
    "bottleneck": N_("Bottleneck"),
    "laurel_left": N_("Laurel"),
    "per_layer_gate": N_("Per-layer input"),
}
"""Labels of stages of a group in one box, in place of the group's, by the id of the first stage."""
SHARED = "shared"
"""Kind of the steps of a shared expert."""
SHARED_STAGES = {"shared_up", "shared_down", "shared_gate"}
"""Ids of the stages of a shared expert."""
SHARED_EXPERT = N_("Shared expert")
INSIDE_ATTENTION = {Group.NORMS, Group.MIXER}
"""Groups of steps inside attention: norms of Q and K, convolutions of Q, K or V."""
FURTHER_EMBEDDINGS = N_("Further embeddings")
MAX_ADDENDS = 3
"""Maximum number of embeddings side by side; further ones share a box with the last."""
MIN_MINOR = 3
"""Minimum number of consecutive minor steps that share a box."""
STATE_SPACE = "state space"
"""Kind of a step with a state space, whose result is multiplied with a part of its input."""


@dataclass(frozen=True)
class MergedStages(Stage):
    """Several stages in one box, as a single stage.

    Attributes:
        members: ids of the stages.
        tables: tables for positions that the stages read, which all layers share.
        placed_members: the stages with the stacks whose weights they use, in place of the layers
            that contain them; empty if these layers have the weights.
    """

    members: tuple[str, ...] = ()
    tables: tuple[Stage, ...] = ()
    placed_members: tuple[PlacedStage, ...] = ()


def names_of(stage: Stage) -> tuple[str, ...]:
    """Ids of the stages in a box, by which authors can name it."""
    members = stage.members if isinstance(stage, MergedStages) else ()
    return (stage.id, *members, *(table.id for table in tables_of(stage)))


def tables_of(*stages: Stage) -> tuple[Stage, ...]:
    """Tables for positions in the box of stages that read them."""
    merged = (stage for stage in stages if isinstance(stage, MergedStages))
    return tuple(dict.fromkeys(table for stage in merged for table in stage.tables))


def placed_members_of(stage: Stage) -> tuple[PlacedStage, ...]:
    """Stages in a box whose weights aren't those of the layers that contain it, with their stacks.

    It is empty if all weights are.
    """
    return stage.placed_members if isinstance(stage, MergedStages) else ()


def with_merged_steps(block: Iterable[Step], is_minor: Callable[[Stage], bool]) -> Block:
    """The block with one stage for routed experts, a shared expert, and each run of minor steps.

    Args:
        block: the steps.
        is_minor: True for a stage with few parameters, such as a state space's scan.
    """
    merged: list[Step] = []
    inside = partial(with_merged_steps, is_minor=is_minor)
    for kind, run in groupby(block, lambda step: _kind(step, is_minor)):
        steps = tuple(run)
        stages = tuple(stages_of(steps))
        if kind == STATE_SPACE:
            merged.append(beside_input(_merged(stages, _minor_label(stages))))
        elif kind == MINOR and len(stages) >= MIN_MINOR:
            merged.append(_merged(stages, _minor_label(stages)))
        elif kind == SHARED and len(stages) > 1:
            merged.append(_merged(stages, SHARED_EXPERT))
        elif isinstance(kind, ExpertCount) and len(stages) > 1:
            merged.append(_merged(stages))
        else:
            merged += (change_inside(_with_few_addends(step), inside) for step in steps)
    return tuple(merged)


def _with_few_addends(step: Step) -> Step:
    """The step; of many embeddings that are added, the last ones are merged."""
    if not (isinstance(step, Parallel) and step.is_sum and len(step.branches) > MAX_ADDENDS):
        return step
    first, last = step.branches[: MAX_ADDENDS - 1], step.branches[MAX_ADDENDS - 1 :]
    stages = tuple(stage for branch in last for stage in stages_of(branch))
    return replace(step, branches=(*first, (_merged(stages, FURTHER_EMBEDDINGS),)))


def with_merged_blocks(block: Iterable[Step]) -> Block:
    """The block with consecutive stages of a group in one stage: attention, the FFN.

    Norms between them, such as those of Q and K, are in this stage, too, and so are convolutions of
    Q, K or V inside attention.
    """
    merged: list[Step] = []
    for group, steps in _runs(block):
        stages = tuple(stages_of(steps))
        if group not in {None, Group.NORMS} and len(stages) > 1:
            merged.append(_merged(stages))
        else:
            merged += (change_inside(step, with_merged_blocks) for step in steps)
    return tuple(merged)


def _runs(block: Iterable[Step]) -> list[tuple[Group | None, Block]]:
    """Consecutive steps of a group, with the steps inside it; see :func:`_common_group`."""
    runs: list[tuple[Group | None, Block]] = []
    for group, run in groupby(block, _common_group):
        start = _start_of_run(runs, group)
        steps = chain.from_iterable(before for _group, before in runs[start:])
        runs[start:] = [(group, (*steps, *run))]
    return runs


def _start_of_run(runs: Sequence[tuple[Group | None, Block]], group: Group | None) -> int:
    """Position of the group's run if only steps inside it follow; else the position after all."""
    inside = INSIDE_ATTENTION if group is Group.ATTENTION else {Group.NORMS}
    for position in reversed(range(len(runs))):
        if runs[position][0] is group and group is not None:
            return position
        if runs[position][0] not in inside:
            break
    return len(runs)


def without_groups(block: Block, *groups: Group) -> Block:
    """The block without the stages of some groups, such as norms."""
    remaining: list[Step] = []
    for step in block:
        changed = change_inside(step, lambda steps: without_groups(steps, *groups))
        if any(stage.group not in groups for stage in stages_of((changed,))):
            remaining.append(changed)
    return tuple(remaining)


def _kind(step: Step, is_minor: Callable[[Stage], bool]) -> ExpertCount | str | None:
    """Kind of a step, equal for consecutive steps to merge; None for a step to keep.

    It is the number of experts for routed experts, else :data:`SHARED` or :data:`MINOR`.
    """
    if all(stage.id in SHARED_STAGES for stage in stages_of((step,))):
        return SHARED
    if _is_state_space(step):
        return STATE_SPACE
    if not isinstance(step, Stage):
        return None
    if step.expert_count:
        return step.expert_count
    return MINOR if is_minor(step) else None


def _is_state_space(step: Step) -> bool:
    """True for branches with a state space, beside a branch that passes their input on."""
    passes_input = isinstance(step, Parallel) and () in step.branches
    return passes_input and any(stage.id == "state_space" for stage in stages_of((step,)))


def _minor_label(stages: tuple[Stage, ...]) -> str:
    """``Convolution and SSM``; the label of the group if none is defined for the stages."""
    mixing = {id for ids in MINOR_LABELS for id in ids}
    ids = tuple(stage.id for stage in stages if stage.id in mixing)
    return MINOR_LABELS.get(ids, stages[0].group.label)


def _common_group(step: Step) -> Group | None:
    """The group of all stages in a step, except for norms besides them.

    None if there are several, or a residual connection.
    """
    stages = tuple(stages_of((step,)))
    if isinstance(step, Residual) or not stages:
        return None
    groups = {stage.group for stage in stages}
    others = groups - {Group.NORMS} or groups
    return others.pop() if len(others) == 1 else None


def _merged(stages: tuple[Stage, ...], label: str = "") -> MergedStages:
    """The stages as one with a label; without one, with the id and label of their group."""
    first, last = stages[0], stages[-1]
    group = next((stage.group for stage in stages if stage.group is not Group.NORMS), first.group)
    reads_encoder = any(stage.source is Source.ENCODER for stage in stages)
    group_label = CROSS_ATTENTION if reads_encoder else LABELS.get(first.id, group.label)
    return MergedStages(
        id=first.id if label else group.value,
        label=label or group_label,
        group=group,
        output=last.output,
        tensors=tuple(tensor for stage in stages for tensor in stage.tensors),
        source=Source.ENCODER if reads_encoder else first.source,
        reads=first.reads,
        computes=tuple(product for stage in stages for product in stage.computes),
        members=tuple(id for stage in stages for id in names_of(stage)),
        placed_members=tuple(each for stage in stages for each in placed_members_of(stage)),
    )


def sums_of(steps: Iterable[Step]) -> Iterator[Parallel]:
    """The sums among parallel branches, at any depth."""
    for step in steps:
        if isinstance(step, Parallel) and step.is_sum:
            yield step
        elif isinstance(step, Parallel):
            for branch in step.branches:
                yield from sums_of(branch)
