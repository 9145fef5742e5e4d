"""Visitors of charts: drawn in HTML and LaTeX, described in words elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx import pictures
from sphinx_llmsize.hosts.sphinx.nodes import chart

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def visit_html(self: Any, node: chart) -> None:
    """Write the picture instead of the description."""
    svg = pictures.svg(self, node)
    if svg is not None:
        pictures.write_svg(self, svg, node["chart"].description)
        raise nodes.SkipNode


def visit_latex(self: Any, node: chart) -> None:
    """Write the picture instead of the description."""
    from sphinx_llmsize.drawing import draw

    tex = pictures.latex(self, node, draw(node["chart"]))
    if tex is not None:
        pictures.write_latex(self, tex)
        raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the node."""
    pictures.register(app, chart, visit_html, visit_latex)
