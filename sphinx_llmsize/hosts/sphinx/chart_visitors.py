"""Visitors of charts: a picture, described elsewhere."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx import pictures
from sphinx_llmsize.hosts.sphinx.nodes import chart

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.charts import Chart

KIND = "chart"
"""Prefix of the names of its templates."""


def visit_html(self: Any, node: chart) -> None:
    """Write the picture instead of the description."""
    drawing, context = partial(picture, node["chart"]), pictures.context_of_svg(self)
    svg = pictures.drawn(self, node, drawing, KIND, pictures.SVG, **context)
    if svg is not None:
        pictures.write_svg(self, svg, node["chart"].description)
        raise nodes.SkipNode


def visit_latex(self: Any, node: chart) -> None:
    """Write the picture instead of the description."""
    tex = pictures.drawn(self, node, partial(picture, node["chart"]), KIND, pictures.LATEX)
    if tex is not None:
        pictures.write_latex(self, tex)
        raise nodes.SkipNode


@lru_cache(maxsize=512)
def picture(
    chart: Chart,
    template: str,
    id: str = "",
    search_path: tuple[str, ...] = (),
    version: str = "",
    *,
    ground: str = "",
) -> str:
    """A chart as text, made by a template.

    Args:
        chart: the data.
        template: the template's name.
        id: prefix of ids in the text.
        search_path: folders in which a template of that name takes precedence.
        version: the template's fingerprint.
        ground: the background colour.

    Raises:
        ConfigError: the project's own template fails.
    """
    from sphinx_llmsize.drawing import draw
    from sphinx_llmsize.templating import render

    return render(template, search_path, version, picture=draw(chart), id=id, ground=ground)


def setup(app: Sphinx) -> None:
    """Register the node."""
    pictures.register(app, chart, visit_html, visit_latex)
