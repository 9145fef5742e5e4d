"""The JSON host: a model's figures for other programs."""

from __future__ import annotations

import json

from sphinx_llmsize.model import Model


def to_json(model: Model) -> str:
    """``name``, ``total``, ``active``, ``non_embedding`` and ``components``, as JSON."""
    figures = {
        "name": model.name,
        "total": model.total,
        "active": model.active,
        "non_embedding": model.non_embedding,
        "components": model.components,
    }
    return json.dumps(figures, indent=2, ensure_ascii=False)
