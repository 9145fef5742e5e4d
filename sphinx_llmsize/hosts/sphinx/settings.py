"""The settings of ``conf.py``, each declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx.config import ENUM

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MERMAID, SVG = "mermaid", "svg"
"""What may draw the diagram: a script in the browser, or the build."""


def setup(app: Sphinx) -> None:
    """Register those of models and files, and of what draws the diagram."""
    # not "env": which pages a change concerns is known
    app.add_config_value("llmsize_models", {}, "", (dict, str))
    app.add_config_value("llmsize_config_roots", [], "env", (list, tuple, str))
    app.add_config_value("llmsize_diagram", MERMAID, "env", ENUM(MERMAID, SVG))
