"""HTML of a document for notebooks: a fragment with its stylesheet.

The stylesheet changes nothing else on the page. The HTML loads no files, and only an interactive
document has a script. Ids contain a hash of the content: a notebook that is run again stays the
same.
"""

from __future__ import annotations

from hashlib import sha256
from html import escape

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.class_names import HIDDEN, PLAIN_CLASS, STYLED_CLASS
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.interactive_page import embedded_script
from sphinx_llmsize.html.markup import Markup, element
from sphinx_llmsize.html.stylesheet import style_element

ID_LENGTH = 12
"""Number of hexadecimal digits in ids, enough to be unique on a page."""
_KEEP_TABLES = "<!--| quarto-html-table-processing: none -->"
"""Comment that stops Quarto from rewriting tables, since it would drop the classes in cells."""


def embed(document: Document, text: str) -> str:
    """A document with its stylesheet, and plain text for readers without the stylesheet.

    JupyterLab removes styles, MathML and SVG from the outputs of a notebook that is not trusted.
    The plain text is in a ``menu`` element, which mystmd leaves out of exports to PDF and Word.

    Args:
        document: the blocks.
        text: the document as plain text.
    """
    # not escape_xml(), which would drop line ends as control characters
    plain = element("menu", element("pre", Markup(escape(text))), class_=PLAIN_CLASS)
    styled = element("div", fragment_with_hash(document), class_=STYLED_CLASS, hidden=HIDDEN)
    parts = (_KEEP_TABLES, style_element(), plain, styled, embedded_script((document,)))
    return "\n".join(part for part in parts if part)


def embed_for_marimo(document: Document) -> str:
    """A document with its stylesheet, for marimo, without a script.

    In marimo, a stylesheet can't show elements with the attribute ``hidden``, so the attribute is
    removed.
    """
    content = fragment_with_hash(document).replace(f' hidden="{HIDDEN}"', "")
    return f"{style_element()}\n{content}"


def fragment_with_hash(document: Document) -> Markup:
    """A fragment whose ids contain a hash of its content."""
    content = fragment(document)
    digest = sha256(content.encode()).hexdigest()[:ID_LENGTH]
    return fragment(document, id=f"llmsize-{digest}")
