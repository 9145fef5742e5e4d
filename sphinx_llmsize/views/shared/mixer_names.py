"""Names of sequence mixers other than attention, such as Mamba."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sphinx_llmsize.architecture.stacks import PlacedStage, Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.author_labels import Labels, generated_label

STATE_SPACE = "state_space"
"""Id of the stage with the state of a state-space model."""
MAMBA, MAMBA_2 = N_("Mamba"), N_("Mamba-2")
"""Names of mixers with a state space."""
CONVOLUTION = N_("Convolution")
"""Name of mixers that only have short convolutions, and are of none of the kinds below."""
NAMES_BY_KIND = {
    "lightning_attention": N_("Lightning attention"),
    "linear_attention": N_("Linear attention"),
    "recurrent": N_("Recurrence"),
}
"""Names of mixers, by the id of the kind of layers that have them."""
NAMES_BY_STAGE = {
    "delta_rule": N_("Linear attention"),
    "memory": N_("mLSTM"),
    "time_mix": N_("RWKV time mixing"),
}
"""Names of mixers in layers of other kinds, by the id of one of their stages."""


def mixer_names(placed_stages: Iterable[PlacedStage]) -> tuple[str, ...]:
    """Names of the mixers among some stages, untranslated: ``("Mamba-2",)``."""
    stages_by_stack: dict[Stack | None, set[str]] = {}
    for placed in placed_stages:
        if placed.stage.group is Group.MIXER:
            stages_by_stack.setdefault(placed.stack, set()).add(placed.stage.id)
    names = (mixer_name(stack, ids) for stack, ids in stages_by_stack.items())
    return tuple(dict.fromkeys(names))


def mixer_name(stack: Stack | None, ids: Collection[str]) -> str:
    """Name of the mixer that has the stages with these ids, untranslated."""
    if STATE_SPACE in ids:
        # the stage ``selection`` is Mamba's separate projection to Δ, B and C; Mamba-2 gets them
        # from its input projection
        return MAMBA if "selection" in ids else MAMBA_2
    kinds = stack.kinds if stack else ()
    names = [NAMES_BY_KIND[kind.id] for kind in kinds if kind.id in NAMES_BY_KIND]
    names += [name for id, name in NAMES_BY_STAGE.items() if id in ids]
    return names[0] if names else CONVOLUTION


def with_mixer_name(model: Model, labels: Labels) -> Labels:
    """The labels, with the mixer's name for the group of mixers if the model also has attention.

    Attention also mixes sequences, so the group's usual label would be ambiguous beside it. Mixers
    of several kinds keep the usual label, and an author's label isn't replaced.
    """
    id = Group.MIXER.value
    has_both = {Group.ATTENTION, Group.MIXER} <= model.architecture.groups
    if not has_both or id in dict(labels):
        return labels
    names = mixer_names(model.architecture.placed_stages())
    if len(names) > 1:
        return labels
    return (*labels, *generated_label(id, names[0]))
