"""Labels of totals, measures, components and groups by their names."""

from __future__ import annotations

from sphinx_llmsize.architecture.components import COMPONENT_LABELS
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.translation import N_
from sphinx_llmsize.views.numbers.byte_measures import KV_CACHE

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
