"""Diagrams where they are written: by a script, or as a picture; elsewhere in words."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinxcontrib.mermaid import render_mm_html

from sphinx_llmsize.hosts.sphinx import latex_figures, pictures
from sphinx_llmsize.hosts.sphinx.diagram_fallback import addresses, linked, tell
from sphinx_llmsize.hosts.sphinx.nodes import (
    is_book,
    mermaid_pipeline,
    pipeline,
    runs_scripts,
)

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from sphinx_llmsize.diagram import Diagram
    from sphinx_llmsize.drawing.pipeline_picture import Sketch

OfBoxes = tuple[tuple[str, str], ...]
"""The ids of boxes, each with what it has."""
KIND = "diagram"
"""What its templates are called."""


def visit_html(self: Any, node: pipeline) -> None:
    """What a script draws where one runs, else the picture."""
    if isinstance(node, mermaid_pipeline) and runs_scripts(self.builder, self.document):
        _show_by_script(self, node)
        raise nodes.SkipNode
    svg = _svg(self, node)
    if svg is None:
        tell(node)
        return
    pictures.show_svg(self, svg, _alternative(node))
    # an image has no links: then the words follow, if it has any
    if not is_book(self.builder):
        raise nodes.SkipNode


def visit_latex(self: Any, node: pipeline) -> None:
    """The picture, or a sheet of it, the titles in it as links."""
    titles = {box: _reference(self, found) for box, found in linked(node)}
    drawing = partial(_drawn, latex_figures.sheet(node))
    tex = pictures.written(self, node, drawing, KIND, pictures.LATEX, titles=titles)
    if tex is None:
        tell(node)
        return
    pictures.show_latex(self, tex)
    raise nodes.SkipNode


def _show_by_script(translator: Any, node: mermaid_pipeline) -> None:
    """The source for the script; the picture for those who have scripts turned off."""
    from sphinx_llmsize.escaping import escape_xml

    links = (f'\nclick {box} href "{url}"' for box, url in addresses(node).items())
    code = "".join((node["code"], *links))
    try:
        # an author may have had the command chosen instead of the script: that needs the words
        alternative = escape_xml(_alternative(node))
        render_mm_html(translator, node, code, node["options"], imgcls="mermaid", alt=alternative)
    except nodes.SkipNode:
        if translator.config.mermaid_output_format == "raw":
            translator.body.append(f"<noscript>{_svg(translator, node) or ''}</noscript>\n")


def _svg(translator: Any, node: pipeline) -> str | None:
    """The picture of a diagram; None if it cannot be drawn."""
    links = () if is_book(translator.builder) else tuple(addresses(node).items())
    context = {**pictures.of_page(translator), "links": links}
    drawing = partial(_whole, node["diagram"])
    return pictures.written(translator, node, drawing, KIND, pictures.SVG, **context)


@lru_cache(maxsize=512)
def _whole(
    diagram: Diagram,
    template: str,
    search_path: tuple[str, ...],
    version: str,
    *,
    links: OfBoxes,
    **context: str,
) -> str:
    from sphinx_llmsize.drawing.pipeline_layout import draw_pipeline

    sketch = draw_pipeline(diagram)
    return _drawn(sketch, template, search_path, version, links=dict(links), **context)


def _drawn(
    picture: Sketch, template: str, search_path: tuple[str, ...], version: str, **context: object
) -> str:
    from sphinx_llmsize.templating import render

    return render(template, search_path, version, picture=picture, **context)


def _alternative(node: pipeline) -> str:
    diagram = node["diagram"]
    return f"{diagram.title}: {diagram.description}"


def _reference(translator: Any, node: nodes.reference) -> str:
    """A link as the writer writes it."""
    translator.pushbody([])
    node.walkabout(translator)
    return "".join(translator.popbody())


def setup(app: Sphinx) -> None:
    """Register the nodes with every builder's writer."""
    for kind in (pipeline, mermaid_pipeline):
        pictures.register(app, kind, visit_html, visit_latex)
