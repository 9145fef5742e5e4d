"""Sphinx extension: settings, directives, the role, their nodes and builder-specific output."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

import sphinx_llmsize
from sphinx_llmsize.hosts.sphinx import (
    catalogue,
    deferred,
    diagram_fallback,
    display_math,
    domain,
    interactive,
    language,
    latex_layout,
    latex_rows,
    links,
    llm_compare,
    llm_diff,
    llm_size,
    llm_template,
    model_objects,
    nodes,
    notice_references,
    page_assets,
    picture_visitors,
    role,
    section_title,
    settings,
    tables_in_cells,
    text_builders,
    unread_markup,
)
from sphinx_llmsize.hosts.sphinx.version import env_version

PROJECT = (language, settings, domain, model_objects, notice_references)
MARKUP = (llm_size, llm_compare, llm_diff, llm_template, role, catalogue, unread_markup)
SHOWN = (diagram_fallback, picture_visitors, links, interactive, section_title)
NODES = (nodes, deferred, display_math, *SHOWN)
# the order matters: a module overrides the visitors of those before it, and its transforms run
# after theirs of the same priority
BUILDERS = (latex_layout, tables_in_cells, latex_rows, text_builders, page_assets)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Set up the extension by calling ``setup`` of each module."""
    for module in (*PROJECT, *MARKUP, *NODES, *BUILDERS):
        module.setup(app)
    return {
        "version": sphinx_llmsize.__version__,
        "env_version": env_version(language.version(app)),
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }
