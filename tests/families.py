"""Models for tests that hold for every model: each family's defaults, and presets.

With ``LLMSIZE_EVERY_PRESET=1``, which ``nox -s presets`` sets, there are more of them. That session
runs only tests with the mark ``presets``, which all have that use :data:`PRESETS`, :data:`MODELS`,
:data:`EVERY_PRESET` or a name that begins with ``SOME``.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import Any

from sphinx_llmsize import load
from sphinx_llmsize.architecture.families import MODEL_TYPES
from sphinx_llmsize.sources.preset_files import presets

WITHOUT_DEFAULTS = {
    "dots1": "has no default number of experts",
    "qwen4_exp_text": "has no default sizes of the indexer",
    "lfm2_moe": "has no default kinds of layers",
    "orion": "has a hidden dimension that its heads do not divide",
    "bailing_moe": "has no default sizes of the experts",
    "minicpmv": "has no default sizes",
    "minicpmo": "has no default sizes",
    "minimax_text_01": "has no default sizes",
    "minimax_m1": "has no default sizes",
    "deci": "has no default key/value heads of each layer",
    "nemotron-nas": "has no default sizes of each layer",
    "deepseek_ocr2_text": "has no default kinds of layers",
}
"""Families whose default configuration is incomplete, and why."""

DEFAULTS = {
    f"defaults of {name}": {"model_type": name}
    for name in MODEL_TYPES
    if name not in WITHOUT_DEFAULTS
}

_PRESET_OF_TYPE = {
    preset.section.get("model_type").value: name for name, preset in presets().items()
}
ONE_OF_EACH_FAMILY = tuple(_PRESET_OF_TYPE.values())
"""The last preset of each family that has presets."""

EVERY_PRESET = bool(os.environ.get("LLMSIZE_EVERY_PRESET"))
PRESETS = tuple(presets()) if EVERY_PRESET else ONE_OF_EACH_FAMILY

MODELS: dict[str, Any] = {
    **{name: name for name in PRESETS},
    **{
        name: config
        for name, config in DEFAULTS.items()
        if EVERY_PRESET or config["model_type"] not in _PRESET_OF_TYPE
    },
}
"""Arguments of :func:`~sphinx_llmsize.load` by name, one or more for each family."""
NOT_SCALED = {"defaults of reformer": "the widths of its position axes do not grow"}
"""Models whose hidden dimension cannot be scaled, and why."""


def _steps(source: Any) -> Hashable:
    """Steps of a model: models that differ only in their sizes have the same."""
    return tuple(placed.stage for placed in load(source).architecture.placed_stages())


def _structure(name: str) -> Hashable:
    """Family and steps of a preset."""
    return load(name).model_type, _steps(name)


STEP = 1 if EVERY_PRESET else 48
"""Slow tests take one family in 48 only, unless more presets are tested."""
SOME_DEFAULTS = {name: DEFAULTS[name] for name in [*DEFAULTS][::STEP]}
SOME_PRESETS = (
    tuple({_structure(name): name for name in PRESETS}.values())
    if EVERY_PRESET
    else PRESETS[::STEP]
)
"""Presets for slow tests: one of a family in 48, or one of each structure."""
_SOME_NAMES = (
    {_steps(MODELS[name]): name for name in MODELS}.values() if EVERY_PRESET else [*MODELS][::STEP]
)
SOME_MODELS = {name: MODELS[name] for name in _SOME_NAMES}
"""Models for slow tests of pictures: one in 48, or one for each sequence of steps."""
MODELS_IN_FORMULAS = MODELS if EVERY_PRESET else SOME_MODELS
"""Models for tests of all formulas: one in 48, or all."""
