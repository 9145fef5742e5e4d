"""Rendering of pictures: inline SVG in HTML, SVG files in EPUB, vector graphics in LaTeX.

Doctrees contain only the data; templates draw pictures when a page is written. If a template of the
project fails, a warning is logged at the directive.
"""

from __future__ import annotations

import hashlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import escape_xml
from sphinx_llmsize.hosts.sphinx import project_templates
from sphinx_llmsize.hosts.sphinx.guards import guarded_visitor
from sphinx_llmsize.hosts.sphinx.nodes import Visitor, chart, is_book, pass_through, pipeline
from sphinx_llmsize.hosts.sphinx.problems import warn
from sphinx_llmsize.html.svg import FILE_ID, PAPER, Links, draw_svg
from sphinx_llmsize.internal_errors import only_config_errors
from sphinx_llmsize.picture_widths import WIDE
from sphinx_llmsize.template_files import template_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx

    from sphinx_llmsize.charts import Chart
    from sphinx_llmsize.diagram import Diagram
    from sphinx_llmsize.drawing.picture import Picture
    from sphinx_llmsize.drawing.pipeline_picture import PipelinePicture


SVG, TEX, MMD = "svg", "tex", "mmd"
"""Suffixes of the templates for SVG, for LaTeX and for Mermaid."""
LANGUAGES = (SVG, TEX)
"""Suffixes of the two templates that every picture has."""
LATEX_PACKAGE = "pict2e"
"""LaTeX package with which pictures are drawn."""
PAGE_ID = "llmsize-of-this-page"
"""Placeholder for the page-specific prefix of ids, so that pages share a cached picture."""


def register(app: Sphinx, kind: type[chart | pipeline], html: Visitor, latex: Visitor) -> None:
    """Register a picture's node.

    Args:
        app: the application.
        kind: class of the node; builders of text write its children, the description.
        html: visitor that draws it in HTML.
        latex: visitor that draws it in LaTeX.
    """
    children = (pass_through, pass_through)
    app.add_node(
        kind,
        html=(guarded_visitor(html), pass_through),
        latex=(guarded_visitor(latex), pass_through),
        text=children,
        man=children,
        texinfo=children,
    )


def svg(
    translator: Any, node: chart | pipeline, links: Links = (), width: int = WIDE
) -> str | None:
    """A chart or diagram as SVG.

    Args:
        translator: the HTML writer.
        node: node of the picture.
        links: pairs of a box's id and its URL.
        width: width that the picture is drawn for, in pixels.

    Returns:
        the element ``svg``; None, after a warning, if the template fails.
    """
    if is_book(translator.builder):
        id, background = FILE_ID, PAPER
    else:
        id, background = PAGE_ID, ""
    if width != WIDE:  # a page may have the picture in both widths
        id = f"{id}-narrow"
    draw = partial(
        draw_svg, node[node.kind], width=width, links=links, id=id, background=background
    )
    element = _draw_from_template(translator, node, SVG, draw)
    if element is None:
        return None
    return element.replace(PAGE_ID, id_of(node["docname"], node["number"]))


def mermaid(translator: Any, node: pipeline) -> str | None:
    """Mermaid source with colours, for output without our stylesheet.

    None, after a warning, if the template fails.
    """
    from sphinx_llmsize.templating import render

    draw = partial(render, diagram=node["diagram"], coloured=True)
    return _draw_from_template(translator, node, MMD, draw)


def latex(
    translator: Any,
    node: chart | pipeline,
    make_picture: Callable[[], Picture | PipelinePicture],
    **context: Any,
) -> str | None:
    """A picture as LaTeX; None, after a warning, if the picture or the template fails."""
    from sphinx_llmsize.templating import render

    def draw(template: str, folders: tuple[str, ...], version: str) -> str:
        return render(template, folders, version, picture=make_picture(), **context)

    return _draw_from_template(translator, node, TEX, draw)


def _draw_from_template(
    translator: Any, node: chart | pipeline, language: str, draw: Callable[..., str]
) -> str | None:
    """Draw a picture with its template; return None, after a warning, if the template fails.

    Args:
        translator: the writer.
        node: node of the picture.
        language: suffix of the template.
        draw: function that takes the template's name, the folders to search and its fingerprint.
    """
    template = template_name(node.kind, language)
    env = translator.builder.env
    folders, version = project_templates.recorded_version(env, node["docname"], template)
    try:
        with only_config_errors():
            return draw(template, folders, version)
    except ConfigError as error:
        warn(error, node)
        return None


def write_svg(translator: Any, svg: str, block: Chart | Diagram) -> None:
    """Write a picture inline, or in EPUB as an image file with alternative text."""
    builder = translator.builder
    if not is_book(builder):
        translator.body.append(svg)
        return
    name = f"{FILE_ID}-{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
    folder = Path(builder.outdir, builder.imagedir)
    folder.mkdir(parents=True, exist_ok=True)
    # safe in parallel builds: the name is a hash of the content
    (folder / name).write_text(svg, "utf-8", newline="\n")
    image = f'<img src="{builder.imgpath}/{name}" alt="{escape_xml(block.alternative)}" />'
    translator.body.append(image)


def write_latex(translator: Any, tex: str) -> None:
    """Write a picture, and add its LaTeX package to the preamble."""
    packages = translator.builder.context["packages"]
    if all(name != LATEX_PACKAGE for name, _options in packages):
        packages.append((LATEX_PACKAGE, None))
    translator.body.append(tex)


def id_of(docname: str, number: int) -> str:
    """Prefix of ids; unique in the project, not just the page, since singlehtml joins all pages."""
    safe = "".join(c if c.isascii() and c.isalnum() else f"_{ord(c):x}_" for c in docname)
    return f"llmsize-{safe}-{number}"
