"""Columns of a comparison without ``:columns:``: sizes by which models differ, and totals."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow
from sphinx_llmsize.views.numbers.model_numbers import number_of
from sphinx_llmsize.views.shared.folding import DASH

HEADS, KV_HEADS, FFN_DIM = "num_heads", "num_kv_heads", "ffn_dim"
DEFAULT_COLUMNS = ("hidden_dim", "num_layers", HEADS, KV_HEADS, FFN_DIM, "vocab_size", "total")
"""All possible columns but that of the active parameters."""


def default_columns(rows: Sequence[ComparedRow]) -> tuple[str, ...]:
    """The columns that say something about these models.

    Key/value heads are left out if they equal the attention heads, the feed-forward dimension if
    no weight of a model has it, and active parameters if they equal the total.
    """
    models = [row.model for row in rows if row.model]
    left_out: set[str] = set()
    if all(row.text(KV_HEADS) in {row.text(HEADS), DASH} for row in rows):
        left_out.add(KV_HEADS)
    if any(row.model and row.has(FFN_DIM) and not _uses_ffn_dim(row.model) for row in rows):
        left_out.add(FFN_DIM)
    columns = tuple(column for column in DEFAULT_COLUMNS if column not in left_out)
    has_experts = any(model.active != model.total for model in models)
    return (*columns, "active") if has_experts else columns


def _uses_ffn_dim(model: Model) -> bool:
    """True if a weight has the feed-forward dimension; not if all layers have smaller experts."""
    ffn_dim = number_of(model, FFN_DIM)
    architecture = model.architecture
    networks = {Group.FEED_FORWARD, Group.EXPERTS}
    stages = (placed.stage for placed in architecture.placed_stages())
    tensors = (tensor for stage in stages if stage.group in networks for tensor in stage.tensors)
    return any(architecture.count(side) == ffn_dim for tensor in tensors for side in tensor.shape)
