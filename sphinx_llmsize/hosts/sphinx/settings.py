"""The settings of ``conf.py``, each declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Register those of models and files."""
    # not "env": which pages a change concerns is known
    app.add_config_value("llmsize_models", {}, "", (dict, str))
    app.add_config_value("llmsize_config_roots", [], "env", (list, tuple, str))
