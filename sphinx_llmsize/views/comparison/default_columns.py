"""Columns of a comparison without ``:columns:``: sizes by which models differ, and totals."""

from __future__ import annotations

from collections.abc import Sequence

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.comparison.compared_rows import ComparedRow
from sphinx_llmsize.views.numbers.model_numbers import number_of
from sphinx_llmsize.views.shared.folding import DASH

HEADS, KEY_VALUE_HEADS, WIDTH = "num_heads", "num_kv_heads", "ffn_dim"
DEFAULT_COLUMNS = (
    *("hidden_dim", "num_layers", HEADS, KEY_VALUE_HEADS, WIDTH, "vocab_size", "total"),
)
"""All possible columns but that of the active parameters."""


def default_columns(rows: Sequence[ComparedRow]) -> tuple[str, ...]:
    """The columns that say something about these models.

    Key/value heads are left out if they equal the attention heads, the feed-forward dimension if
    a model has none with this width, and active parameters if they equal the total.
    """
    models = [row.model for row in rows if row.model]
    missing: set[str] = set()
    if all(row.text(KEY_VALUE_HEADS) in {row.text(HEADS), DASH} for row in rows):
        missing.add(KEY_VALUE_HEADS)
    if any(row.has(WIDTH) and row.model and not _uses_width(row.model) for row in rows):
        missing.add(WIDTH)
    columns = tuple(column for column in DEFAULT_COLUMNS if column not in missing)
    has_experts = any(model.active != model.total for model in models)
    return (*columns, "active") if has_experts else columns


def _uses_width(model: Model) -> bool:
    """True if a weight has the feed-forward dimension; not if all layers have smaller experts."""
    width = number_of(model, WIDTH)
    architecture = model.architecture
    networks = {Group.FEED_FORWARD, Group.EXPERTS}
    stages = (
        placed.stage for placed in architecture.placed_stages() if placed.stage.group in networks
    )
    shapes = (tensor.shape for stage in stages for tensor in stage.tensors)
    return any(architecture.count(side) == width for shape in shapes for side in shape)
