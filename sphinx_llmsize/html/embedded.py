"""HTML of a document for notebooks: a fragment with its stylesheet, which styles nothing else.

It loads nothing, and only an interactive document has a script. Ids contain a hash of the content,
so that a notebook that is run again doesn't change.
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
"""Hexadecimal digits in the ids of a document, which differ from those of others on the page."""
_NOT_PROCESSED = "<!--| quarto-html-table-processing: none -->"
"""Comment for Quarto, which else writes tables anew, without the classes of what is in cells."""


def embedded(document: Document, text: str) -> str:
    """A document with its stylesheet, and as plain text, which is shown where styles are removed.

    JupyterLab removes styles, MathML and SVG from the outputs of a notebook that is not trusted.
    The plain text is in a ``menu``, which mystmd leaves out of exports to PDF and Word.

    Args:
        document: the blocks.
        text: the same as plain text.
    """
    # not escape_xml(), which would drop line ends as control characters
    plain = element("menu", element("pre", Markup(escape(text))), class_=PLAIN_CLASS)
    shown = element("div", _with_ids(document), class_=STYLED_CLASS, hidden=HIDDEN)
    parts = (_NOT_PROCESSED, style_element(), plain, shown, embedded_script((document,)))
    return "\n".join(filter(None, parts))


def always_styled(document: Document) -> str:
    """A document with its stylesheet, for marimo, without a script.

    Stylesheets can't show what has the attribute ``hidden`` there, so that it is removed.
    """
    shown = _with_ids(document).replace(f' hidden="{HIDDEN}"', "")
    return f"{style_element()}\n{shown}"


def _with_ids(document: Document) -> Markup:
    content = fragment(document)  # with other ids; only its hash is needed
    digest = sha256(content.encode()).hexdigest()[:ID_LENGTH]
    return fragment(document, id=f"llmsize-{digest}")
