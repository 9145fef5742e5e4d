"""The settings of ``conf.py``, each declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sphinx.config import ENUM

if TYPE_CHECKING:
    from pathlib import Path

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

MERMAID, SVG = "mermaid", "svg"
"""What may draw the diagram: a script in the browser, or the build."""

_CONFDIR = "llmsize_confdir"
"""The environment's attribute with the folder."""


def confdir(env: BuildEnvironment) -> Path:
    """The folder that ``conf.py`` lies in."""
    return cast("Path", getattr(env, _CONFDIR))


def _keep_confdir(app: Sphinx) -> None:
    setattr(app.env, _CONFDIR, app.confdir)


def setup(app: Sphinx) -> None:
    """Register those of models and files, and of what draws the diagram."""
    app.connect("builder-inited", _keep_confdir)
    # not "env": which pages a change concerns is known
    app.add_config_value("llmsize_models", {}, "", (dict, str))
    app.add_config_value("llmsize_config_roots", [], "env", (list, tuple, str))
    app.add_config_value("llmsize_diagram", MERMAID, "env", ENUM(MERMAID, SVG))
