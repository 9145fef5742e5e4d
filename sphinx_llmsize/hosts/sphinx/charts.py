"""Charts where they are written: SVG in a page, vector graphics in LaTeX, elsewhere in words.

A chart is drawn when it is written, so that a page holds its figures only and each builder
draws its own. A project's template that does not work is warned about at the directive.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docutils import nodes

from sphinx_llmsize.hosts.sphinx import own_templates
from sphinx_llmsize.hosts.sphinx.nodes import chart, pass_through, runs_scripts

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.charts import Chart

SVG_TEMPLATE = "llmsize/chart.svg.jinja"
LATEX_TEMPLATE = "llmsize/chart.tex.jinja"
LATEX_PACKAGE = "pict2e"


def visit_html(self: Any, node: chart) -> None:
    """The picture, where there is a stylesheet; else the words."""
    if runs_scripts(self.builder):
        _draw(self, node, SVG_TEMPLATE, _id(node["docname"], node["number"]))


def visit_latex(self: Any, node: chart) -> None:
    """The picture, for which alone its package is loaded."""
    registry = self.builder.app.registry
    if not registry.has_latex_package(LATEX_PACKAGE):
        registry.add_latex_package(LATEX_PACKAGE, None)
    _draw(self, node, LATEX_TEMPLATE)


def _draw(translator: Any, node: chart, template: str, id: str = "") -> None:
    """Write the picture, and skip the words; or warn that it cannot be drawn."""
    from sphinx_llmsize.errors import ConfigError
    from sphinx_llmsize.hosts.sphinx.report import warn

    search_path, version = own_templates.found(translator.builder.env, template)
    try:
        text = picture(node["chart"], template, id, search_path, version)
    except ConfigError as error:
        warn(error, node)
        return
    translator.body.append(text)
    raise nodes.SkipNode


@lru_cache(maxsize=512)
def picture(
    chart: Chart, template: str, id: str = "", search_path: tuple[str, ...] = (), version: str = ""
) -> str:
    """What a template makes of a chart.

    Args:
        chart: the figures.
        template: its name.
        id: what ids in it begin with.
        search_path: folders in which a template of that name takes precedence.
        version: tells versions of a project's template apart.

    Raises:
        ConfigError: a project's own template does not work.
    """
    from sphinx_llmsize.drawing import draw
    from sphinx_llmsize.templating import render

    return render(template, search_path, version, picture=draw(chart), id=id)


def _id(docname: str, number: int) -> str:
    """Unique also where all pages are one: two names never give the same."""
    safe = "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in docname)
    return f"llmsize-{safe}-{number}"


def setup(app: Sphinx) -> None:
    """Register the node with every builder's writer."""
    in_words = (pass_through, pass_through)
    app.add_node(
        chart,
        html=(visit_html, pass_through),
        latex=(visit_latex, pass_through),
        text=in_words,
        man=in_words,
        texinfo=in_words,
    )
