"""HTML of a document for other pages, such as notebooks: a fragment with its stylesheet."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.interactive_page import embedded_script
from sphinx_llmsize.html.stylesheet import stylesheet

ID_LENGTH = 12
"""Hexadecimal digits in the ids of a document, which differ from those of others on the page."""
_COMMENT_OR_SPACE = re.compile(r"/\*.*?\*/|(?<=[;{},:])\s+|\s+(?=[{}])", re.DOTALL)


def embedded(document: Document) -> str:
    """A document with its stylesheet, which styles nothing else; nothing is loaded.

    Only an interactive document has a script. The ids contain a hash of its content, so that a
    notebook that is run again doesn't change.
    """
    content = fragment(document)  # with other ids; only its hash is needed
    digest = sha256(content.encode()).hexdigest()[:ID_LENGTH]
    shown = fragment(document, id=f"llmsize-{digest}")
    parts = (f"<style>{_compact()}</style>", shown, embedded_script((document,)))
    return "\n".join(filter(None, parts))


@cache
def _compact() -> str:
    """The stylesheet without comments and line breaks, since every output of a notebook has it."""
    return " ".join(_COMMENT_OR_SPACE.sub("", stylesheet()).split())
