"""Labels by which all views of a model name the same thing in the same way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.author_labels import AS_GROUP, Labels, generated_label
from sphinx_llmsize.views.shared.mixer_names import with_mixer_name


def resolved_labels(model: Model, labels: Labels) -> Labels:
    """The author's labels, and those that follow from them and from the model's stages."""
    return with_mixer_name(model, _with_group_labels(model, labels))


def common_labels(models: Sequence[Model], labels: Labels) -> Labels:
    """The author's labels, and those that follow from them and from the stages of every model.

    A group is "LM head" if that is its only stage in all models, and otherwise keeps its usual
    label.
    """
    first, *others = (resolved_labels(model, labels) for model in models)
    return tuple(label for label in first if all(label in other for other in others))


def _with_group_labels(model: Model, labels: Labels) -> Labels:
    """The author's labels, and labels by which views of groups and views of stages agree.

    A group with a single stage and this stage have the same label. If one of several stages has the
    id of its group, the author's label belongs to the stage, and the group keeps its usual label.
    """
    author_labels = dict(labels)
    stages_by_group: dict[Group, dict[str, str]] = {}  # labels of stages by id
    for placed in model.architecture.placed_stages():
        stages_by_group.setdefault(placed.stage.group, {})[placed.stage.id] = placed.stage.label
    more: list[tuple[str, str]] = []
    for group, stages in stages_by_group.items():
        if len(stages) == 1:
            ((stage_id, stage_label),) = stages.items()
            if stage_id in author_labels or group.value in author_labels:
                more += _same_label(stage_id, group, author_labels)
            else:
                more += generated_label(f"{group.value}{AS_GROUP}", stage_label)
        elif group.value in stages and group.value in author_labels:
            more += generated_label(f"{group.value}{AS_GROUP}", group.label)
    return (*labels, *more)


def _same_label(stage_id: str, group: Group, author_labels: Mapping[str, str]) -> Labels:
    """The author's label of a stage for its group, or the other way round, if one has none."""
    pairs = ((stage_id, group.value), (group.value, stage_id))
    return tuple(
        (id, author_labels[other])
        for id, other in pairs
        if id not in author_labels and other in author_labels
    )
