"""Names of models in the role ``llm-size``."""

from __future__ import annotations

from sphinx_llmsize.model import Model
from sphinx_llmsize.views.shared.model_titles import title_first


def role_name(model: Model, name: str = "") -> str:
    """The name of a released model, ``llama-7b``; for other models, the given name or the title."""
    if model.preset and not model.changes:
        return model.preset.name
    return name or title_first(model)
