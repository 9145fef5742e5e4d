"""Visitors that draw charts and diagrams in HTML and LaTeX; other builders describe them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinxcontrib.mermaid import render_mm_html

from sphinx_llmsize.escaping import escape_xml
from sphinx_llmsize.hosts.sphinx import latex_layout, pictures, project_templates
from sphinx_llmsize.hosts.sphinx.diagram_fallback import describe, missing_command
from sphinx_llmsize.hosts.sphinx.links import box_urls, resolved_links
from sphinx_llmsize.hosts.sphinx.nodes import (
    chart,
    is_book,
    mermaid_pipeline,
    pipeline,
    runs_scripts,
)
from sphinx_llmsize.html.svg import has_two_widths, in_two_widths
from sphinx_llmsize.picture_widths import NARROW, WIDE
from sphinx_llmsize.template_files import template_name


def visit_chart_html(self: Any, node: chart) -> None:
    """Write the picture instead of the description.

    A page has the picture in both widths, and the stylesheet shows the one that fits the column. A
    feed, which has no stylesheet, has the wide picture, and a book the narrow one.
    """
    svg = pictures.svg(self, node, width=NARROW if is_book(self.builder) else WIDE)
    if svg is None:  # the project's template failed: the description is shown
        return
    if runs_scripts(self.builder, self.document):
        narrow = pictures.svg(self, node, width=NARROW)
        svg = in_two_widths(svg, narrow or "")
    pictures.write_svg(self, svg, node["chart"])
    raise nodes.SkipNode


def visit_chart_latex(self: Any, node: chart) -> None:
    """Write the picture instead of the description."""
    from sphinx_llmsize.drawing import draw

    tex = pictures.latex(self, node, lambda: draw(node["chart"]))
    if tex is not None:
        pictures.write_latex(self, tex)
        raise nodes.SkipNode


def visit_diagram_html(self: Any, node: pipeline) -> None:
    """Write Mermaid output for a Mermaid node where scripts run, else the picture."""
    if isinstance(node, mermaid_pipeline) and runs_scripts(self.builder, self.document):
        _write_mermaid(self, node)
        raise nodes.SkipNode
    svg = _svg(self, node)
    if svg is None:
        describe(node)
        return
    pictures.write_svg(self, svg, node["diagram"])
    # an image in EPUB has no links: if there are any, the description is written too
    if not is_book(self.builder):
        raise nodes.SkipNode


def visit_diagram_latex(self: Any, node: pipeline) -> None:
    """Write the picture, or the node's sheet of a picture that is divided among several pages.

    The titles of linked boxes are links.
    """
    titles = {box: _written_link(self, reference) for box, reference in resolved_links(node)}
    tex = pictures.latex(self, node, lambda: latex_layout.sheet(node), titles=titles)
    if tex is None:
        describe(node)
        return
    pictures.write_latex(self, tex)
    raise nodes.SkipNode


def _write_mermaid(translator: Any, node: mermaid_pipeline) -> None:
    """Write the source for Mermaid's script, or the image made by Mermaid's command.

    Our own picture is the fallback: for browsers without scripts, and if the command is missing or
    fails. Since Mermaid draws for one width, narrow columns also have our picture, unless the
    project has a template of its own for Mermaid.
    """
    if translator.config.mermaid_output_format != "raw":
        translator.body.append(_run_command(translator, node) or _svg(translator, node) or "")
        return
    links = tuple(box_urls(node).items())
    without_scripts = pictures.svg(translator, node, links) or ""
    wide = (
        f"{_render_mermaid(translator, node, node['code'])}<noscript>{without_scripts}</noscript>\n"
    )
    template = template_name(node.kind, pictures.MMD)
    is_overridden = project_templates.is_overridden(translator.builder.env, template)
    narrow = None if is_overridden else pictures.svg(translator, node, links, width=NARROW)
    translator.body.append(in_two_widths(wide, narrow) if narrow else wide)


def _run_command(translator: Any, node: mermaid_pipeline) -> str:
    """HTML of the image made by Mermaid's command; empty if the command is missing or fails."""
    if missing_command(translator.config):
        return ""
    code = pictures.mermaid(translator, node)  # with colours, as an image has no stylesheet
    return _render_mermaid(translator, node, code) if code else ""


def _render_mermaid(translator: Any, node: mermaid_pipeline, code: str) -> str:
    """HTML that sphinxcontrib-mermaid writes for a source, with the links of boxes."""
    clicks = (f'\nclick {box} href "{url}"' for box, url in box_urls(node).items())
    alternative = escape_xml(node["diagram"].alternative)
    # render_mm_html appends to the body and raises SkipNode
    start = len(translator.body)
    with suppress(nodes.SkipNode):
        source = "".join((code, *clicks))
        render_mm_html(translator, node, source, node["options"], imgcls="mermaid", alt=alternative)
    html = "".join(translator.body[start:])
    del translator.body[start:]
    return html


def _svg(translator: Any, node: pipeline) -> str | None:
    """SVG of a diagram, in two widths where it needs them; None if its template fails."""
    links = () if is_book(translator.builder) else tuple(box_urls(node).items())
    if "width" in node:
        return pictures.svg(translator, node, links, width=node["width"])
    wide = pictures.svg(translator, node, links)
    has_stylesheet = runs_scripts(translator.builder, translator.document)
    if wide is None or not has_stylesheet or not has_two_widths(node["diagram"]):
        return wide
    return in_two_widths(wide, pictures.svg(translator, node, links, width=NARROW) or "")


def _written_link(translator: Any, node: nodes.reference) -> str:
    """Markup that the writer produces for a link."""
    translator.pushbody([])
    try:
        node.walkabout(translator)
    finally:
        body = translator.popbody()
    return "".join(body)


def setup(app: Sphinx) -> None:
    """Register the nodes of charts and diagrams."""
    for kind in (pipeline, mermaid_pipeline):
        pictures.register(app, kind, visit_diagram_html, visit_diagram_latex)
    pictures.register(app, chart, visit_chart_html, visit_chart_latex)
