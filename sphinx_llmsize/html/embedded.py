"""HTML of a document for pages of others, such as notebooks: a fragment and its stylesheet."""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256

from sphinx_llmsize.blocks import Document
from sphinx_llmsize.html.fragment import fragment
from sphinx_llmsize.html.stylesheet import stylesheet

ID_LENGTH = 12
"""Characters that tell documents on a page apart."""
_COMMENT_OR_SPACE = re.compile(r"/\*.*?\*/|(?<=[;{},:])\s+|\s+(?=[{}])", re.DOTALL)


def embedded(document: Document) -> str:
    """A document with its style, which applies to nothing else; it loads nothing, runs no script.

    Ids in it are made of its content: equal documents have equal text, so that a notebook that is
    run again doesn't change.
    """
    content = fragment(document)
    digest = sha256(content.encode()).hexdigest()[:ID_LENGTH]
    return f"<style>{_compact()}</style>\n{fragment(document, id=f'llmsize-{digest}')}"


@cache
def _compact() -> str:
    """The stylesheet without comments and line breaks, since every output of a notebook has it."""
    return " ".join(_COMMENT_OR_SPACE.sub("", stylesheet()).split())
