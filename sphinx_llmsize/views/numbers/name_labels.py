"""Labels of names with several ids: ``qkv.per_layer`` is "QKV projection, per layer"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.parts import NUM_LAYERS, PER_LAYER
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence

LABELS = {
    PER_LAYER: N_("per layer"),
    NUM_LAYERS: N_("layers"),
    "per_token": N_("per token"),
    "rule": N_("Rule of thumb"),
    "flops_rule": N_("Rule of thumb for FLOPs"),
    "training": N_("Training"),
    "growth": N_("Growth"),
    "exponent": N_("Exponent"),
    "activations": N_("Activations"),
}
"""Labels of quantities and of last words."""


def label_of(name: str, models: Sequence[Model], labels: Mapping[str, str]) -> str:
    """The labels of a name's ids, separated by commas; an id without a label is shown itself.

    Args:
        name: such as ``qkv.per_layer``.
        models: the models whose stages and kinds of layers have labels.
        labels: labels of groups, components and quantities by id.
    """
    places = [place for model in models for place in model.architecture.places()]
    kinds = {kind.id: kind.label for p in places if p.stack for kind in p.stack.kinds}
    known = {**kinds, **{p.stage.id: p.stage.label for p in places}, **LABELS, **labels}
    first, *others = (known.get(id, id) for id in name.split("."))
    return comma_separated((_(first), *map(in_sentence, others)))
