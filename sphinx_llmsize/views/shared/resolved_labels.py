"""Labels by which all views of a model name the same thing in the same way."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.author_labels import AS_GROUP, Labels, generated_label, own_label
from sphinx_llmsize.views.shared.mixer_names import with_mixer_name


def resolved_labels(model: Model, labels: Labels) -> Labels:
    """The author's labels, and those that follow from them and from the model's mixers."""
    return with_mixer_name(model, _with_group_labels(model, labels))


def _with_group_labels(model: Model, labels: Labels) -> Labels:
    """The author's labels, so that they name the same thing in views of stages and of groups.

    A group with one stage and this stage have the same label. If one of several stages has the id
    of its group, the author's label is the stage's.
    """
    author_labels = dict(labels)
    stages: dict[Group, set[str]] = {}
    for placed in model.architecture.placed_stages():
        stages.setdefault(placed.stage.group, set()).add(placed.stage.id)
    more: list[tuple[str, str]] = []
    for group, ids in stages.items():
        if len(ids) > 1 and group.value in ids & author_labels.keys():
            more += generated_label(f"{group.value}{AS_GROUP}", group.label)
        elif len(ids) == 1:
            both = (*ids, group.value)
            label = own_label(labels, both, "")
            more += ((id, label) for id in both if label and id not in author_labels)
    return (*labels, *more)
