"""Parts of an architecture in a few words: ``gated FFN``, ``8 experts (2 active)``.

A part is an :class:`Aspect`: all stages of the aspect's groups.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

from sphinx_llmsize.architecture.biases import biased_components
from sphinx_llmsize.architecture.components import COMPONENT_LABELS, have_gate
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.in_words.attention_in_words import describe_attention
from sphinx_llmsize.views.in_words.description import (
    Description,
    listed_phrases,
    named,
    texts_of,
    with_biases,
    with_details,
)
from sphinx_llmsize.views.in_words.experts_in_words import describe_experts
from sphinx_llmsize.views.in_words.layers_in_words import (
    describe_shared_weights,
    describe_times_in_each_layer,
    part_in_layers,
)
from sphinx_llmsize.views.in_words.mlp_in_words import describe_mlp, is_mlp
from sphinx_llmsize.views.in_words.norms_in_words import describe_norms
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    components_of,
    describe_biases,
    describe_stages,
    has_biases,
    layers_with,
    names_of,
    tensors_of,
)
from sphinx_llmsize.views.shared.mixer_names import mixer_names
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence, listed_text, tied_text

DescribeGroup = Callable[[Model, PlacedStages], Description]
"""Function that describes the stages of one group."""
EMBEDDINGS = N_("Embeddings")
"""Label of the embeddings of a model, in place of that of their group, which is singular."""
LISTED_GROUPS = (Group.MIXER, Group.ATTENTION, Group.FEED_FORWARD, Group.EXPERTS)
"""Groups that a text on a part lists, in this order, if the part has several of them."""


def describe_group(model: Model, placed_stages: PlacedStages) -> Description:
    """Stages of one group in a few words: ``grouped-query attention``, ``gated FFN``."""
    group = placed_stages[0].stage.group
    if group is Group.ATTENTION:
        return describe_attention(model, placed_stages)
    if group is Group.MIXER:
        names = mixer_names(placed_stages)
        text = listed_text([in_sentence(name) for name in names])
        return Description(("mixers", names), frozenset(), text)
    if group is Group.FEED_FORWARD:
        return describe_mlp(placed_stages)
    if group is Group.EXPERTS:
        return describe_experts(model, placed_stages)
    return describe_stages(placed_stages)


def describe_part(
    model: Model, aspect: Aspect, describe: DescribeGroup = describe_group
) -> Description:
    """The part of a model in a few words; ``none`` if it has no such part.

    Args:
        model: the model.
        aspect: the part.
        describe: function for each group of attention, mixers, feed-forward networks and experts.
    """
    placed_stages = placed_stages_of_part(model, aspect)
    if not placed_stages:
        return named(N_("none"))
    if aspect in (Aspect.SEQUENCE, Aspect.FEED_FORWARD):
        return _groups(model, placed_stages, describe)
    if aspect is Aspect.RESIDUAL:
        return _residual(placed_stages)
    if aspect is Aspect.NORMS:
        return describe_norms(model, placed_stages)
    if aspect is Aspect.HEAD:
        return _head(placed_stages)
    return describe_stages([p for p in placed_stages if not tied_text(p.stage)] or placed_stages)


def describe_part_with_biases(model: Model, aspect: Aspect) -> Description:
    """The part in a few words with its biases: ``multi-head attention with Q and K biases``."""
    found = describe_part(model, aspect)
    biases = biases_of_part(model, aspect)
    if not biases:
        return found
    placed_stages = placed_stages_of_part(model, aspect)
    if aspect is Aspect.HEAD and (len(placed_stages) > 1 or tied_text(placed_stages[0].stage)):
        # the comma shows that they aren't those of the last stage, or of the token embedding
        text = texts_of((found, biases))
    elif aspect is Aspect.EMBEDDING:
        # the comma shows that they aren't those of the last stage only
        biased = names_of(biased_components(placed_stages))
        text = comma_separated((found.text, _("with {parts} biases", parts=biased)))
    else:
        return with_biases(found, biases)
    return with_details(found, [biases], text)


def biases_of_part(model: Model, aspect: Aspect) -> Description | None:
    """The biases to name with a part: ``with Q and K biases``; None without any.

    Biases aren't named if the stages are of several groups, such as MLP and experts.
    """
    placed_stages = placed_stages_of_part(model, aspect)
    has_several_groups = len({placed.stage.group for placed in placed_stages}) > 1
    if has_several_groups or not has_biases(placed_stages):
        return None
    if aspect is Aspect.HEAD:
        return _biases_of_head(placed_stages)
    return describe_biases(model, placed_stages)


def _biases_of_head(placed_stages: PlacedStages) -> Description | None:
    """``with LM head bias``: components with a bias, which may be all that a tied head has.

    Components with the name of their stage are left out: a pooler has a bias in every model.
    """
    names = {placed.stage.label for placed in placed_stages}
    components = tuple(
        component
        for component in dict.fromkeys(biased_components(placed_stages))
        if COMPONENT_LABELS[component] not in names
    )
    if not components:
        return None
    text = _("with {components}", components=names_of(components))
    return Description(("with", components), frozenset(components), text)


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
    return list(model.architecture.placed_stages(*aspect.value))


def _groups(model: Model, placed_stages: PlacedStages, describe: DescribeGroup) -> Description:
    """``gated FFN``; with several groups, ``gated FFN in 3 layers and 8 experts in 58 layers``.

    If all of them are in the same layers: ``gated FFN and 8 experts in each of 64 layers``.
    """
    groups = list(_by_group(placed_stages))
    parts = [describe(model, of_group) for of_group in groups]
    if len(parts) == 1:
        return parts[0]
    layers = [layers_with(model, of_group) for of_group in groups]
    stacks = {frozenset(placed.stack for placed in of_group) for of_group in groups}
    if len(stacks) == 1:
        text = ngettext(
            "{blocks} in {n} layer",
            "{blocks} in each of {n} layers",
            layers[0],
            blocks=listed_text([each.text for each in parts]),
            n=layers[0],
        )
    else:
        text = listed_text(
            [
                part_in_layers(model, of_group, each.text)
                for each, of_group in zip(parts, groups, strict=True)
            ]
        )
    about = (len(stacks) == 1, *(each.about for each in parts))
    facts = frozenset[Hashable](zip(parts, layers, strict=True))
    shared = (describe_shared_weights(model, of_group) for of_group in groups)
    return Description(about, facts.union(*(each.facts for each in shared if each)), text)


def kinds_of_groups(model: Model, aspect: Aspect) -> tuple[Hashable, ...]:
    """Kinds of the groups of a part, without numbers, to be compared: gated FFN and experts."""
    placed_stages = placed_stages_of_part(model, aspect)
    return tuple(describe_group(model, of_group).about for of_group in _by_group(placed_stages))


def _by_group(placed_stages: PlacedStages) -> Iterator[PlacedStages]:
    """The stages of each group, in the order of :data:`LISTED_GROUPS`."""
    for group in LISTED_GROUPS:
        of_group = [placed for placed in placed_stages if placed.stage.group is group]
        if of_group:
            yield of_group


def describe_feed_forward(model: Model) -> str:
    """The feed-forward networks after their label: ``gated FFN``, ``without a gate, with biases``.

    The label is the name of an MLP without a gate, so that only its properties follow.
    """
    placed_stages = placed_stages_of_part(model, Aspect.FEED_FORWARD)
    groups = {placed.stage.group for placed in placed_stages}
    is_gated = have_gate(components_of(placed_stages))
    if groups != {Group.FEED_FORWARD} or not is_mlp(placed_stages) or is_gated:
        return describe_part_with_biases(model, Aspect.FEED_FORWARD).text
    properties = [_("without a gate")]
    if times := describe_times_in_each_layer(placed_stages):
        properties.append(times.text)
    if has_biases(placed_stages):
        properties.append(describe_biases(model, placed_stages).text)
    return comma_separated(properties)


def _residual(placed_stages: PlacedStages) -> Description:
    """The components of the stages, or the labels of stages without weights."""
    components = tuple(dict.fromkeys(each.component for each in tensors_of(placed_stages)))
    if not components:
        return describe_stages(placed_stages)
    text = listed_phrases([in_sentence(COMPONENT_LABELS[component]) for component in components])
    return Description(("components", components), frozenset(), text)


def _head(placed_stages: PlacedStages) -> Description:
    """Labels of the stages, with the weights that they reuse: ``LM head tied to …``."""
    texts = []
    for placed in placed_stages:
        label, tied = in_sentence(placed.stage.label), tied_text(placed.stage)
        texts.append(_("{part} {tied}", part=label, tied=tied) if tied else label)
    found = tuple((placed.stage.label, placed.stage.tied_to) for placed in placed_stages)
    return Description(("stages", found), frozenset(), listed_text(texts))
