"""The Markdown host: the same views as GitHub shows them, by the template ``page.md.jinja``."""

from __future__ import annotations

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import Bar, Document, Inline, Line, Variable
from sphinx_llmsize.escaping import escape_markdown

PAGE_TEMPLATE = f"{templating.FOLDER}/page.md.jinja"
BAR_WIDTH = 10


def to_markdown(title: str, document: Document) -> str:
    """A document as GitHub-flavoured Markdown: tables, ``$$`` and Mermaid."""
    blocks = [(type(block).__name__, block) for block in document]
    return templating.render(PAGE_TEMPLATE, title=title, blocks=blocks, line=line)


def line(content: Line) -> str:
    """A line's pieces, escaped and marked up."""
    return "".join(map(_inline, content))


def _inline(piece: Inline) -> str:
    if isinstance(piece, Variable):
        below = f"<sub>{escape_markdown(piece.subscript)}</sub>" if piece.subscript else ""
        return f"*{escape_markdown(piece.base)}*{below}"
    if isinstance(piece, Bar):
        return " " + ("█" * round(piece.fraction * BAR_WIDTH)).ljust(BAR_WIDTH, "░")
    return escape_markdown(str(piece))
