"""HTML in a page: the output of directives, and notices in place of output that failed."""

from __future__ import annotations

from html import escape
from xml.etree.ElementTree import Element

from markdown.util import AtomicString

from sphinx_llmsize.blocks import Document, Tex
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.escaping import printable
from sphinx_llmsize.hosts.python_markdown.extension_settings import DiagramFormat, Math, Settings
from sphinx_llmsize.html.class_names import ERROR_CLASS, OUTPUT_CLASS
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.markup import Markup, element, join
from sphinx_llmsize.html.math_elements import signed_tex
from sphinx_llmsize.html.mathml import mathml
from sphinx_llmsize.interactive.source_syntax import markdown
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.templating import render
from sphinx_llmsize.translation import _

MERMAID_TEMPLATE = f"{FOLDER}/diagram.mmd.jinja"
"""Template of the source of a diagram."""


def directive_html(document: Document, settings: Settings, id: str) -> str:
    """HTML of a directive's output.

    Args:
        document: the blocks.
        settings: settings, of which ``math`` and ``diagram`` matter here.
        id: prefix of all ids in the HTML.
    """
    math = mathml if settings.math is Math.MATHML else _tex
    diagram = _mermaid if settings.diagram is DiagramFormat.MERMAID else None
    return fragment(document, id=id, math=math, diagram=diagram, host=markdown)


def notice(error: ConfigError) -> str:
    """Notice in place of a directive's output, as an admonition."""
    title = element("p", _("Error"), class_="admonition-title")
    text = element("p", str(error))
    return element("div", title, text, class_=f"{OUTPUT_CLASS} {ERROR_CLASS} admonition danger")


def wrong_number(error: ConfigError, text: str) -> Element:
    """Text of a role that doesn't name a number, marked as an error."""
    span = Element("span", {"class": f"{ERROR_CLASS} problematic", "title": printable(str(error))})
    span.text = AtomicString(printable(text) or "llm-size")
    return span


def _tex(pieces: Tex) -> Markup:
    """Pieces of TeX as inline math in the markup of arithmatex; lines may break between them."""
    spans = (element("span", rf"\({signed_tex(piece)}\)", class_="arithmatex") for piece in pieces)
    return join(spans, " ")


def _mermaid(diagram: Diagram) -> Markup:
    """Source of a diagram in the markup that Material for MkDocs draws."""
    source = render(MERMAID_TEMPLATE, diagram=diagram, coloured="translucent")
    # not escape_xml(), which would drop line ends as control characters
    code = Markup(escape(source))
    return element("pre", element("code", code), class_="mermaid")
