"""Labels of numbers by their names.

The label of ``qkv.per_layer``, a name with several ids, is "QKV projection, per layer".
"""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.numbers.measures import KV_CACHE
from sphinx_llmsize.views.numbers.part_selection import NUM_LAYERS, PER_LAYER
from sphinx_llmsize.views.shared.wording import comma_separated, in_sentence

LABELS = {
    **COMPONENT_LABELS,
    **{group.value: group.label for group in Group},
    "total": N_("Parameters"),
    "active": N_("Active"),
    "non_embedding": N_("Without embeddings"),
    "mlp": Group.FEED_FORWARD.label,
    "attn": Group.ATTENTION.label,
    KV_CACHE: N_("KV cache"),
    "weights": N_("Weights"),
    "flops": N_("FLOPs"),
    "flops_per_token": N_("FLOPs per token"),
}
"""Labels of totals, measures, components and groups, by name."""
LABELS_IN_NAMES = {
    **LABELS,
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
""":data:`LABELS`, and labels of ids that are only parts of names or begin them."""


def number_label(name: str, models: Sequence[Model]) -> str:
    """The labels of a name's ids, separated by commas; an id without a label is shown itself.

    Args:
        name: such as ``qkv.per_layer``.
        models: the models whose stages and kinds of layers have labels.
    """
    placed_stages = [placed for model in models for placed in model.architecture.placed_stages()]
    kinds = {kind.id: kind.label for p in placed_stages if p.stack for kind in p.stack.kinds}
    known = {**kinds, **{p.stage.id: p.stage.label for p in placed_stages}, **LABELS_IN_NAMES}
    first, *others = (known.get(id, id) for id in name.split("."))
    return comma_separated((_(first), *map(in_sentence, others)))
