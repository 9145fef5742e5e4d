"""Our terms with sphinxcontrib-mermaid: loaded, and no older than is safe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sphinx_llmsize.hosts.sphinx.settings import SVG

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

SAFE_VERSION = "11.16.1"
"""The first release of Mermaid 11 without the known cross-site scripting flaws."""


def draws_diagrams(config: Config) -> bool:
    """Whether the project has its diagrams drawn by Mermaid."""
    return bool(config.llmsize_diagram != SVG)


def _raise_version(app: Sphinx, config: Config) -> None:
    """Unless the project chose a version, take a safe one."""
    chosen = {**getattr(config, "_raw_config", {}), **config.overrides}
    if "mermaid_version" not in chosen:
        config.mermaid_version = SAFE_VERSION


def setup(app: Sphinx) -> None:
    """Load sphinxcontrib-mermaid, which adds its script to the index too, if it is needed."""
    if draws_diagrams(app.config):
        app.setup_extension("sphinxcontrib.mermaid")
    app.connect("config-inited", _raise_version)
