"""HTML of a document for notebooks: a fragment with its stylesheet, and text in place of both."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256
from html import escape

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.class_names import PLAIN_CLASS, STYLED_CLASS
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.markup import Markup, element, joined
from sphinx_llmsize.html.stylesheet import stylesheet

ID_LENGTH = 12
"""Hexadecimal digits in the ids of a document, which differ from those of others on the page."""
_COMMENT_OR_SPACE = re.compile(r"/\*.*?\*/|(?<=[;{},:])\s+|\s+(?=[{}])", re.DOTALL)


def embedded(document: Document, text: str) -> str:
    """A document with its stylesheet, which styles nothing else; nothing is loaded, no script run.

    JupyterLab removes stylesheets, MathML and SVG from the outputs of a notebook that is not
    trusted, and so does GitHub. The text is shown then.

    Args:
        document: the blocks. The ids in the HTML contain a hash of them, so that a notebook that is
            run again doesn't change.
        text: the same as plain text.
    """
    content = fragment(document)  # with other ids; only its hash is needed
    digest = sha256(content.encode()).hexdigest()[:ID_LENGTH]
    shown = fragment(document, id=f"llmsize-{digest}")
    # not escape_xml(), which would drop line ends as control characters
    plain = element("pre", Markup(escape(text)), class_=PLAIN_CLASS)
    styled = element("div", shown, class_=STYLED_CLASS, hidden="hidden")
    return joined((Markup(f"<style>{_compact()}</style>"), plain, styled), "\n")


@cache
def _compact() -> str:
    """The stylesheet without comments and line breaks, since every output of a notebook has it."""
    return " ".join(_COMMENT_OR_SPACE.sub("", stylesheet()).split())
