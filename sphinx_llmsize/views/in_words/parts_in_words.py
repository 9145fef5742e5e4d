"""Parts of an architecture in a few words: ``gated FFN``, ``8 experts (2 active)``.

A part is an :class:`Aspect`: all stages of the aspect's groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.in_words.attention_in_words import attention_in_words
from sphinx_llmsize.views.in_words.experts_in_words import experts_in_words
from sphinx_llmsize.views.in_words.norms_in_words import norms_in_words
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    biased_components,
    biases_in_words,
    has_biases,
    labels_of,
    layers_with,
    names_of,
    tensors_of,
    times_in_each_layer,
)
from sphinx_llmsize.views.shared.mixer_names import mixer_names
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence, listed_text, tied_text

EMBEDDINGS = N_("Embeddings")
"""Label of the embeddings of a model, in place of that of their group, which is singular."""
LISTED_GROUPS = (Group.MIXER, Group.ATTENTION, Group.FEED_FORWARD, Group.EXPERTS)
"""Groups that a text on a part lists, in this order, if the part has several of them."""


def part_in_words(model: Model, aspect: Aspect) -> str:
    """The part of a model in a few words; ``none`` if it has no such part."""
    placed_stages = placed_stages_of_part(model, aspect)
    if not placed_stages:
        return _("none")
    if aspect in (Aspect.SEQUENCE, Aspect.FEED_FORWARD):
        return _groups_in_words(model, placed_stages)
    if aspect is Aspect.RESIDUAL:
        return _residual(placed_stages)
    if aspect is Aspect.NORMS:
        return norms_in_words(model, placed_stages)
    if aspect is Aspect.HEAD:
        return _head(placed_stages)
    return labels_of(placed_stages)


def part_with_biases(model: Model, aspect: Aspect) -> str:
    """The part in a few words with its biases: ``multi-head attention with Q and K biases``.

    Biases are omitted if its stages are of several groups, such as MLP and experts.
    """
    part = part_in_words(model, aspect)
    placed_stages = placed_stages_of_part(model, aspect)
    has_several_groups = len({placed.stage.group for placed in placed_stages}) > 1
    if has_several_groups or not has_biases(placed_stages):
        return part
    if aspect is Aspect.HEAD:
        biases = _biases_of_head(placed_stages)
        return comma_separated((part, biases)) if biases else part
    if aspect is Aspect.EMBEDDING:  # the comma shows that they aren't those of the last stage only
        biased = names_of(biased_components(placed_stages))
        return comma_separated((part, _("with {parts} biases", parts=biased)))
    return _("{part} {biases}", part=part, biases=biases_in_words(model, placed_stages))


def _biases_of_head(placed_stages: PlacedStages) -> str:
    """``with LM head bias``: components with a bias, which may be all that a tied head has.

    Components with the name of their stage are left out: a pooler has a bias in every model.
    """
    names = {_(placed.stage.label) for placed in placed_stages}
    components = [
        component
        for component in biased_components(placed_stages)
        if _(COMPONENT_LABELS[component]) not in names
    ]
    return _("with {components}", components=names_of(components)) if components else ""


def part_label(models: Iterable[Model], aspect: Aspect) -> str:
    """Label of a part, untranslated.

    The label of the part's first group. Two exceptions: that of mixers, if a model has one; and
    the plural for embeddings.
    """
    if aspect is Aspect.EMBEDDING:
        return EMBEDDINGS
    groups = {p.stage.group for model in models for p in placed_stages_of_part(model, aspect)}
    if aspect is Aspect.SEQUENCE and Group.MIXER in groups:
        return Group.MIXER.label
    first: Group = aspect.value[0]
    return first.label


def placed_stages_of_part(model: Model, aspect: Aspect) -> PlacedStages:
    """The stages of a part of the model."""
    return [p for p in model.architecture.placed_stages() if p.stage.group in aspect.value]


def group_in_words(model: Model, placed_stages: PlacedStages) -> str:
    """Stages of one group in a few words: ``grouped-query attention``, ``gated FFN``."""
    group = placed_stages[0].stage.group
    if group is Group.ATTENTION:
        return attention_in_words(model, placed_stages)
    if group is Group.MIXER:
        return listed_text([in_sentence(name) for name in mixer_names(placed_stages)])
    if group is Group.FEED_FORWARD:
        return _mlp(placed_stages)
    if group is Group.EXPERTS:
        return experts_in_words(model, placed_stages)
    return labels_of(placed_stages)


def _groups_in_words(model: Model, placed_stages: PlacedStages) -> str:
    """``gated FFN``; with several groups, ``gated FFN in 3 layers and 8 experts in 58 layers``.

    If all of them are in the same layers: ``gated FFN and 8 experts in each of 64 layers``.
    """
    parts: list[tuple[str, int]] = []
    stacks: set[frozenset[Stack | None]] = set()
    for of_group in _by_group(placed_stages):
        parts.append((group_in_words(model, of_group), layers_with(model, of_group)))
        stacks.add(frozenset(placed.stack for placed in of_group))
    if len(parts) == 1:
        return parts[0][0]
    if len(stacks) == 1:
        names = listed_text([part for part, _layers in parts])
        layers = parts[0][1]
        return ngettext(
            "{blocks} in {n} layer",
            "{blocks} in each of {n} layers",
            layers,
            blocks=names,
            n=layers,
        )
    return listed_text(
        [
            ngettext("{part} in {n} layer", "{part} in {n} layers", layers, part=part, n=layers)
            for part, layers in parts
        ]
    )


def group_names(model: Model, aspect: Aspect) -> tuple[str, ...]:
    """The groups of a part, each in a few words: ``("gated FFN", "8 experts (2 active)")``."""
    placed_stages = placed_stages_of_part(model, aspect)
    return tuple(group_in_words(model, of_group) for of_group in _by_group(placed_stages))


def _by_group(placed_stages: PlacedStages) -> Iterator[PlacedStages]:
    """The stages of each group, in the order of :data:`LISTED_GROUPS`."""
    for group in LISTED_GROUPS:
        of_group = [placed for placed in placed_stages if placed.stage.group is group]
        if of_group:
            yield of_group


def _mlp(placed_stages: PlacedStages) -> str:
    """``gated FFN``, ``FFN (2 in each layer)``; the components of other networks, as in RWKV."""
    components = [tensor.component for tensor in tensors_of(placed_stages)]
    if not is_mlp(placed_stages):
        return names_of(components)
    is_gated = any(component.startswith("mlp_gate") for component in components)
    name = _("gated FFN") if is_gated else _("FFN")
    number = times_in_each_layer(placed_stages)
    if number == 1:
        return name
    times = _("{number} in each layer", number=number)
    return _("{part} ({details})", part=name, details=times)


def is_mlp(placed_stages: PlacedStages) -> bool:
    """True for an MLP, unlike the channel mixing of RWKV."""
    return any(tensor.component.startswith("mlp_") for tensor in tensors_of(placed_stages))


def _residual(placed_stages: PlacedStages) -> str:
    """The components of the stages, or the labels of stages without weights."""
    components = dict.fromkeys(tensor.component for tensor in tensors_of(placed_stages))
    labels = [in_sentence(COMPONENT_LABELS[component]) for component in components]
    return listed_text(labels) if labels else labels_of(placed_stages)


def _head(placed_stages: PlacedStages) -> str:
    """Labels of the stages, with the weights that they reuse: ``LM head, tied to …``."""
    texts = []
    for placed in placed_stages:
        label, tied = in_sentence(placed.stage.label), tied_text(placed.stage)
        texts.append(f"{label}, {tied}" if tied else label)
    return listed_text(texts)
