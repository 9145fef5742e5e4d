"""JSON host: a model's numbers for other programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model


def show(model: Model, blocks: object) -> str:
    """A model's numbers as JSON; the blocks are not used."""
    return to_json(model)


def to_json(model: Model) -> str:
    """JSON object with the name, the class in transformers, and numbers of parameters."""
    figures = {
        "name": model.name,
        "class": model.class_name,
        "total": model.total,
        "active": model.active,
        "non_embedding": model.non_embedding,
        "components": model.components,
    }
    return json.dumps(figures, indent=2, ensure_ascii=False)
