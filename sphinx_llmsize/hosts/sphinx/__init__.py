"""The Sphinx host: the directive, its nodes, and what a page needs to show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sphinx_llmsize
from sphinx_llmsize.hosts.sphinx import (
    ahead,
    assets,
    charts,
    compare,
    deferred,
    dependencies,
    diagrams,
    directive,
    language,
    latex,
    llm_template,
    mathjax,
    mermaid,
    nested,
    nodes,
    paper,
    pipelines,
    plain,
    report,
    role,
    settings,
    shared,
)
from sphinx_llmsize.hosts.sphinx.version import env_version

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything, each piece by its own module."""
    markup = (directive, compare, llm_template, role)
    written = (mermaid, mathjax, nodes, deferred, charts, diagrams, pipelines)
    output = (*written, latex, paper, nested, plain, report, assets)
    for piece in (settings, language, dependencies, shared, ahead, *markup, *output):
        piece.setup(app)
    return {
        "version": sphinx_llmsize.__version__,
        "env_version": env_version(language.version(app)),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
