"""Models for tests that hold for every model: each family's defaults, and presets.

``LLMSIZE_EVERY_PRESET=1`` takes every preset, not one of each family.
"""

from __future__ import annotations

import os
from typing import Any

from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import MODEL_TYPES
from sphinx_llmsize.sources.presets import presets

WITHOUT_DEFAULTS = {
    "dots1": "leaves the number of experts open",
    "qwen4_exp_text": "leaves the indexer's sizes open",
    "lfm2_moe": "leaves the kind of each layer open",
    "deepseek_ocr2_text": "leaves open which layers have experts",
}
"""Families whose default configuration is no model, and why."""

DEFAULTS = {
    f"defaults of {name}": {"model_type": name}
    for name in MODEL_TYPES
    if name not in WITHOUT_DEFAULTS
}

ONE_OF_EACH_FAMILY = tuple({load(name).model_type: name for name in presets()}.values())
"""The last preset of each family that has presets."""

EVERY_PRESET = bool(os.environ.get("LLMSIZE_EVERY_PRESET"))
PRESETS = tuple(presets()) if EVERY_PRESET else ONE_OF_EACH_FAMILY

MODELS: dict[str, Any] = {**{name: name for name in PRESETS}, **DEFAULTS}
"""Arguments of :func:`~sphinx_llmsize.load` by name: presets, and the defaults of each family."""
