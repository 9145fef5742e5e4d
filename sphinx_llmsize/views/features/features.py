"""Features view: special parts of a model's architecture, each in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Block, Paragraph
from sphinx_llmsize.differences.structure import Aspect
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.author_labels import Labels, group_label
from sphinx_llmsize.views.features import attention_windows, kinds, savings
from sphinx_llmsize.views.features.layer_sizes import layer_sizes
from sphinx_llmsize.views.features.shared_key_heads import grouped_queries, one_key_head
from sphinx_llmsize.views.features.sparse_attention import sparse_attention
from sphinx_llmsize.views.in_words.layers_in_words import number_of_empty_layers
from sphinx_llmsize.views.in_words.part_components import stacks_of_layers
from sphinx_llmsize.views.in_words.parts_in_words import (
    describe_feed_forward,
    describe_part_with_biases,
)
from sphinx_llmsize.views.shared.wording import listed_text
from sphinx_llmsize.views.view_options import ViewOptions


@dataclass(frozen=True)
class Feature:
    """A special part of an architecture.

    Attributes:
        id: name in code.
        label: name in lists, translated where it is shown.
        describe: sentence on the part of a model that has it; empty for a model that doesn't.
    """

    id: str
    label: str
    describe: Callable[[Model], str]


FEATURES = (
    Feature("encoder_decoder", N_("encoder-decoder"), kinds.encoder_decoder),
    Feature("encoder", N_("encoder"), kinds.encoder),
    Feature("cross_attention", N_("cross-attention"), kinds.cross_attention),
    Feature("hybrid", N_("hybrid"), kinds.hybrid),
    Feature("recurrent", N_("recurrent"), kinds.recurrent),
    Feature("experts", N_("mixture of experts"), kinds.experts),
    Feature("latent_attention", N_("latent attention"), savings.latent_attention),
    Feature("sparse_attention", N_("sparse attention"), sparse_attention),
    Feature("grouped_queries", N_("grouped-query attention"), grouped_queries),
    Feature("one_key_head", N_("multi-query attention"), one_key_head),
    Feature("windows", N_("sliding windows"), attention_windows.windows),
    Feature("chunks", N_("chunked attention"), attention_windows.chunks),
    Feature("layer_sizes", N_("sizes by layer"), layer_sizes),
    Feature("parallel", N_("parallel blocks"), kinds.parallel),
    Feature("residual_streams", N_("residual weights"), kinds.residual_streams),
    Feature("shared_layers", N_("shared layers"), savings.shared_layers),
    Feature("tied", N_("tied embeddings"), savings.tied),
    Feature("vocabulary", N_("large vocabulary"), savings.large_vocabulary),
)
"""Special parts, from those that change an architecture the most."""


def features(model: Model, options: ViewOptions) -> tuple[Block, ...]:
    """A sentence on all layers, and one for each special part."""
    texts = [_layers(model, options.labels)]
    texts += [feature.describe(model) for feature in FEATURES]
    return tuple(Paragraph((text,)) for text in texts if text)


def features_of(model: Model) -> tuple[Feature, ...]:
    """The features that a model has."""
    return tuple(feature for feature in FEATURES if feature.describe(model))


def _layers(model: Model, labels: Labels) -> str:
    """The kinds of layers, their attention and their feed-forward network, in a few words."""
    by_kind: Counter[str] = Counter()
    for stack in stacks_of_layers(model):
        by_kind[stack.label] += model.architecture.count(stack.uses)
    layers = [_layers_of_kind(kind, number) for kind, number in by_kind.items()]
    if empty := number_of_empty_layers(model):
        layers.append(ngettext("{n} empty layer", "{n} empty layers", empty, n=empty))
    # labels of the group of mixers are on mixers only, but this text is on attention, too
    has_mixers = Group.MIXER in model.architecture.groups
    return _(
        "{layers}. {mixing}: {sequence}. {network}: {feed_forward}.",
        layers=listed_text(layers),
        mixing=_(Group.MIXER.label) if has_mixers else group_label(labels, Group.ATTENTION),
        sequence=describe_part_with_biases(model, Aspect.SEQUENCE).text,
        network=group_label(labels, Group.FEED_FORWARD),
        feed_forward=describe_feed_forward(model),
    )


def _layers_of_kind(kind: str, number: int) -> str:
    """``58 MoE layers``; ``32 layers`` without a kind."""
    if not kind:
        return ngettext("{n} layer", "{n} layers", number, n=number)
    return ngettext("{n} {kind} layer", "{n} {kind} layers", number, n=number, kind=_(kind))
