"""Markdown host: blocks in a flavour of Markdown, rendered with the template ``page.md.jinja``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import (
    Bar,
    Code,
    Derivation,
    Document,
    Drawn,
    Formula,
    Inline,
    Line,
    Variable,
)
from sphinx_llmsize.escaping import escape_markdown
from sphinx_llmsize.formats import bar_text
from sphinx_llmsize.markdown_flavours import GITHUB, Flavour
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.views.shared.display_math import STRUT, display_tex
from sphinx_llmsize.views.shared.tex_as_text import plain_lines

if TYPE_CHECKING:
    from sphinx_llmsize.charts import Chart
    from sphinx_llmsize.diagram import Diagram
    from sphinx_llmsize.report import Report

PAGE_TEMPLATE = f"{FOLDER}/page.md.jinja"
LEVEL = 2
"""Usual level of the heading."""
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
"""Parts of a character in a bar."""
_LINE_START = re.compile(r"[-+:](?=\s|$)|[-=]+$|(?<=\d)[.)](?=\s|$)")
"""Characters that make a line a list item, or the underline of a heading, at its start."""
_BACKTICKS = re.compile("`+")
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_LIQUID_START = re.compile(r"\{(?=[{%#<])")


def show(report: Report) -> str:
    """A report as GitHub's Markdown."""
    heading, level = report.heading(LEVEL)
    return to_markdown(report.blocks, heading=heading, level=level).strip()


def to_markdown(
    document: Document,
    flavour: Flavour = GITHUB,
    *,
    heading: str = "",
    level: int = LEVEL,
    picture: Callable[[Chart | Diagram], str] | None = None,
) -> str:
    """Blocks as Markdown.

    Args:
        document: the blocks.
        flavour: how math, diagrams and line breaks are written.
        heading: heading of the page; no heading if empty.
        level: level of the heading, 1 to 6.
        picture: function that returns the Markdown of a drawn picture. Without it, diagrams are
            Mermaid, and charts are described in words.
    """
    return templating.render(
        PAGE_TEMPLATE,
        title=heading,
        level=level,
        blocks=[(type(block).__name__, block) for block in document],
        flavour=flavour,
        line=partial(line, flavour=flavour),
        paragraph=partial(paragraph, flavour=flavour),
        math=partial(_math, flavour=flavour),
        picture=picture,
    )


def paragraph(content: Line, flavour: Flavour = GITHUB) -> str:
    """A line that is a paragraph: never a list item or a heading, whatever it begins with."""
    text = line(content, flavour)
    digits = len(text) - len(text.lstrip("0123456789"))
    found = _LINE_START.match(text, digits)
    return f"{text[:digits]}&#{ord(text[digits])};{text[digits + 1 :]}" if found else text


def line(content: Line, flavour: Flavour = GITHUB) -> str:
    """A line of inline content as Markdown, with its text escaped."""
    return "".join(_inline(piece, flavour) for piece in content)


def _inline(piece: Inline, flavour: Flavour) -> str:
    if isinstance(piece, Variable):
        before, after = flavour.subscript
        parts = [(escape_markdown(text), italic) for text, italic in piece.subscript_parts]
        below = "".join(f"*{text}*" if italic else text for text, italic in parts)
        return f"*{escape_markdown(piece.base)}*" + (f"{before}{below}{after}" if below else "")
    if isinstance(piece, Bar):
        return f"\N{NO-BREAK SPACE}{bar_text(piece.fraction, '█', EIGHTHS, '░')}"
    if isinstance(piece, Code):
        return f"`{piece.text}`"
    if isinstance(piece, Drawn):
        return line(piece.content, flavour)
    return escape_markdown(str(piece))


def _math(block: Formula | Derivation, flavour: Flavour) -> str:
    r"""Displayed math, in a code block of plain text if the flavour shows no TeX.

    In the TeX, ``{}`` or a space splits signs that Hugo would read as an HTML tag, and Jekyll as a
    tag of Liquid.
    """
    if flavour.math is None:
        lines = plain_lines(block)
        longest = max(map(len, _BACKTICKS.findall("\n".join(lines))), default=0)
        fence = "`" * max(3, longest + 1)
        return "\n".join((f"{fence}text", *lines, fence))
    before, after = flavour.math
    tex = _LIQUID_START.sub("{ ", _TAG_START.sub("<{}", display_tex(block)))
    if not flavour.struts:
        tex = tex.replace(STRUT, "")
    return f"{before}\n{tex}\n{after}"
