"""Comparison keys: a diagram merges steps whose keys are equal."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sphinx_llmsize.architecture.stages import Group, Parallel, Residual, Stage, Step


def step_key(step: Step) -> Hashable:
    """Key that is equal for equal steps; ids and labels of norms may differ."""
    return _nested(step, _norm_or_stage)


def _norm_or_stage(stage: Stage) -> Hashable:
    """The stage; for a norm, only the shapes and roles of its tensors, without names and labels."""
    if stage.group is Group.NORMS:
        return (stage.output, tuple((tensor.shape, tensor.role) for tensor in stage.tensors))
    return stage


def weights_key(step: Step) -> Hashable:
    """Key that is equal for steps with the same weights and names."""
    return _nested(step, lambda stage: (stage.id, stage.label, stage.tensors, stage.source))


def names_key(step: Step) -> Hashable:
    """Key that is equal for steps with the same names; labels of norms may differ."""
    return _nested(step, _name)


def _name(stage: Stage) -> Hashable:
    """Id, label, source and experts of a stage; only the id of a norm."""
    if stage.group is Group.NORMS:
        return stage.id
    return (stage.id, stage.label, stage.source, stage.expert_count)


def structure_key(step: Step) -> Hashable:
    """Key that is equal for steps that differ only in sizes."""
    return _nested(step, lambda stage: stage.id)


def _nested(step: Step, key: Callable[[Stage], Hashable]) -> Hashable:
    """The keys of a step's stages, in tuples nested like the step."""
    if isinstance(step, Residual):
        return ("residual", tuple(_nested(inner, key) for inner in step.steps))
    if isinstance(step, Parallel):
        return tuple(tuple(_nested(inner, key) for inner in branch) for branch in step.branches)
    return key(step)
