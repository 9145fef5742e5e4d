"""The Sphinx host: the directive, its nodes, and what a page needs to show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sphinx_llmsize
from sphinx_llmsize.hosts.sphinx import (
    assets,
    chart_visitors,
    deferred,
    diagram_fallback,
    diagram_visitors,
    domain,
    language,
    latex_figures,
    latex_tables,
    llm_compare,
    llm_size,
    mathjax,
    nodes,
    problems,
    role,
    settings,
    tables_in_cells,
    template,
    text_builders,
)
from sphinx_llmsize.hosts.sphinx.version import env_version

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything, each piece by its own module."""
    markup = (llm_size, llm_compare, template, role)
    written = (
        mathjax,
        nodes,
        deferred,
        chart_visitors,
        diagram_fallback,
        diagram_visitors,
    )
    output = (
        *written,
        latex_tables,
        latex_figures,
        tables_in_cells,
        text_builders,
        problems,
        assets,
    )
    for piece in (settings, language, domain, *markup, *output):
        piece.setup(app)
    return {
        "version": sphinx_llmsize.__version__,
        "env_version": env_version(language.version(app)),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
