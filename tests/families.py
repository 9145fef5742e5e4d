"""Each family at its defaults, for tests that hold for every one."""

from __future__ import annotations

from sphinx_llmsize.architecture.families import MODEL_TYPES

WITHOUT_DEFAULTS = {
    "dots1": "leaves the number of experts open",
    "qwen4_exp_text": "leaves the indexer's sizes open",
    "lfm2_moe": "leaves the kind of each layer open",
}
"""Families whose default configuration is no model, and why."""

DEFAULTS = {
    f"defaults of {name}": {"model_type": name}
    for name in MODEL_TYPES
    if name not in WITHOUT_DEFAULTS
}
