"""Names of sequence mixers other than attention, such as Mamba."""

from __future__ import annotations

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.author_labels import Labels, usual_label

NAMES = {
    "convolution": N_("Convolution"),
    "lightning_attention": N_("Lightning attention"),
    "linear_attention": N_("Linear attention"),
    "mamba": N_("Mamba"),
    "mamba2": N_("Mamba-2"),
    "recurrent": N_("Recurrence"),
}
"""Names of mixers, by the id of the kind of layers that have them."""


def with_mixer_name(model: Model, labels: Labels) -> Labels:
    """The labels, with the mixer's name for the group of mixers if the model also has attention.

    Attention also mixes sequences, so the group's usual label would be ambiguous beside it.
    """
    places = tuple(model.architecture.places())
    groups = {place.stage.group for place in places}
    id = Group.MIXER.value
    if not {Group.ATTENTION, Group.MIXER} <= groups or id in dict(labels):
        return labels
    stacks = (p.stack for p in places if p.stage.group is Group.MIXER and p.stack)
    names = {NAMES[kind.id] for stack in stacks for kind in stack.kinds if kind.id in NAMES}
    if len(names) != 1:  # unknown, or mixers of several kinds
        return labels
    return (*labels, *usual_label(id, names.pop()))
