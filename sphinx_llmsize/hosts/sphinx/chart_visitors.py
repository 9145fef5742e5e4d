"""Charts where they are written: a picture, elsewhere words."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx import pictures
from sphinx_llmsize.hosts.sphinx.nodes import chart

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

    from sphinx_llmsize.charts import Chart

KIND = "chart"
"""What its templates are called."""


def visit_html(self: Any, node: chart) -> None:
    """The picture, and not the words."""
    context = pictures.of_page(self)
    svg = pictures.written(self, node, _drawing(node), KIND, pictures.SVG, **context)
    if svg is not None:
        pictures.show_svg(self, svg, node["chart"].description)
        raise nodes.SkipNode


def visit_latex(self: Any, node: chart) -> None:
    """The picture, and not the words."""
    tex = pictures.written(self, node, _drawing(node), KIND, pictures.LATEX)
    if tex is not None:
        pictures.show_latex(self, tex)
        raise nodes.SkipNode


def _drawing(node: chart) -> Callable[..., str]:
    return partial(picture, node["chart"])


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
    """What a template makes of a chart.

    Args:
        chart: the figures.
        template: its name.
        id: what ids in it begin with.
        search_path: folders in which a template of that name takes precedence.
        version: tells versions of a project's template apart.
        ground: the colour behind it.

    Raises:
        ConfigError: a project's own template does not work.
    """
    from sphinx_llmsize.drawing import draw
    from sphinx_llmsize.templating import render

    return render(template, search_path, version, picture=draw(chart), id=id, ground=ground)


def setup(app: Sphinx) -> None:
    """Register the node with every builder's writer."""
    pictures.register(app, chart, visit_html, visit_latex)
