"""Labels by which all views of a model name the same thing in the same way."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.author_labels import AS_GROUP, Labels, generated_label
from sphinx_llmsize.views.shared.mixer_names import with_mixer_name


def resolved_labels(model: Model, labels: Labels) -> Labels:
    """The author's labels, and those that follow from them and from the model's mixers."""
    return with_mixer_name(model, _with_group_labels(model, labels))


def _with_group_labels(model: Model, labels: Labels) -> Labels:
    """The author's labels, with those that views of groups and views of stages need besides.

    A group with a single stage and this stage have the same label. If one of several stages has the
    id of its group, the author's label belongs to the stage, and the group keeps its usual label.
    """
    author_labels = dict(labels)
    ids_by_group: dict[Group, set[str]] = {}
    for placed in model.architecture.placed_stages():
        ids_by_group.setdefault(placed.stage.group, set()).add(placed.stage.id)
    more: list[tuple[str, str]] = []
    for group, stage_ids in ids_by_group.items():
        if len(stage_ids) == 1:
            (stage_id,) = stage_ids
            for id, other in ((stage_id, group.value), (group.value, stage_id)):
                if id not in author_labels and other in author_labels:
                    more.append((id, author_labels[other]))
        elif group.value in stage_ids and group.value in author_labels:
            more += generated_label(f"{group.value}{AS_GROUP}", group.label)
    return (*labels, *more)
