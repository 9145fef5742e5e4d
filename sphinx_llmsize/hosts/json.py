"""JSON host: models' numbers for other programs; ``schema.json`` describes the format."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx_llmsize.sources.preset_files import presets

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model
    from sphinx_llmsize.report import Report

VERSION = 1
"""Version of the format; it changes only if programs that read the format must change too."""
SCHEMA = Path(__file__).parent.parent / "schema.json"
"""The format as a JSON Schema."""


def show(report: Report) -> str:
    """The numbers of the models, and the blocks of the views if the user chose some."""
    models = [numbers(model) for model in report.models]
    content: dict[str, object] = {"version": VERSION}
    if len(models) == 1:
        content |= models[0]
    else:
        content["models"] = models
    content |= report.more_numbers()
    if report.has_chosen_views:
        # imported here, so that a model's numbers alone, the default, are written faster
        from sphinx_llmsize.data import data

        content["blocks"] = data(report.blocks)
    return _json_text(content)


def presets_to_json(models: Iterable[tuple[str, Model]]) -> str:
    """A list of presets as JSON: names, Hub ids, context lengths and numbers of parameters.

    Args:
        models: presets, each by its name and its model.
    """
    all_presets = presets()
    entries = [
        {
            "preset": name,
            "hub": list(all_presets[name].hub),
            "model_type": model.model_type,
            "context": all_presets[name].context,
            "name": model.name,
            "total": model.total,
            "active": model.active,
        }
        for name, model in models
    ]
    return _json_text({"version": VERSION, "presets": entries})


def numbers(model: Model) -> dict[str, object]:
    """The model's name, its class in transformers, and its numbers of parameters."""
    return {
        "name": model.name,
        "class": model.class_name,
        "total": model.total,
        "active": model.active,
        "non_embedding": model.non_embedding,
        "components": model.components,
    }


def _json_text(content: dict[str, object]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False)
