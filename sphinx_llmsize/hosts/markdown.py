"""Markdown host: GitHub-flavoured pages rendered with the template ``page.md.jinja``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import Bar, Code, Document, Inline, Line, Variable
from sphinx_llmsize.escaping import escape_markdown
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_math import display_tex
from sphinx_llmsize.views.shared.wording import title

if TYPE_CHECKING:
    from sphinx_llmsize.model import Model

PAGE_TEMPLATE = f"{FOLDER}/page.md.jinja"
BAR_WIDTH = 10
"""Characters in a full bar."""
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
"""Parts of a character, by eighths."""


def show(model: Model, blocks: Callable[[], Document]) -> str:
    """A model's page: its title and blocks as Markdown."""
    return to_markdown(title(model), blocks())


def to_markdown(heading: str, document: Document) -> str:
    """Blocks as GitHub-flavoured Markdown, with ``$$`` math and Mermaid diagrams."""
    blocks = [(type(block).__name__, block) for block in document]
    return templating.render(
        PAGE_TEMPLATE,
        title=heading,
        blocks=blocks,
        line=line,
        display_tex=display_tex,
        also=_("Also:"),
    )


def line(content: Line) -> str:
    """A line of inline content as Markdown, with its text escaped."""
    return "".join(map(_inline, content))


def _inline(piece: Inline) -> str:
    if isinstance(piece, Variable):
        parts = [(escape_markdown(text), italic) for text, italic in piece.subscript_parts]
        below = "".join(f"*{text}*" if italic else text for text, italic in parts)
        return f"*{escape_markdown(piece.base)}*" + (f"<sub>{below}</sub>" if below else "")
    if isinstance(piece, Bar):
        return f" {_bar(piece.fraction)}"
    if isinstance(piece, Code):
        return f"`{piece.text}`"
    return escape_markdown(str(piece))


def _bar(fraction: float) -> str:
    """``██▍░░░``: a bar in steps of an eighth of a character, at least one if it isn't 0."""
    steps = max(round(fraction * BAR_WIDTH * len(EIGHTHS)), 1 if fraction else 0)
    whole, rest = divmod(steps, len(EIGHTHS))
    return ("█" * whole + EIGHTHS[rest]).ljust(BAR_WIDTH, "░")
