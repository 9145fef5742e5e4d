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
    Link,
    Superscript,
    Variable,
)
from sphinx_llmsize.escaping import escape_markdown
from sphinx_llmsize.markdown_flavours import GITHUB, Flavour
from sphinx_llmsize.monospace import bar_text
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.views.shared.display_tex import STRUT, display_tex
from sphinx_llmsize.views.shared.tex_as_text import plain_lines

if TYPE_CHECKING:
    from sphinx_llmsize.charts import Chart
    from sphinx_llmsize.diagram import Diagram
    from sphinx_llmsize.report import Report

PAGE_TEMPLATE = f"{FOLDER}/page.md.jinja"
"""Template of the Markdown of blocks."""
DEFAULT_LEVEL = 2
"""Level of the heading unless the user chose one."""
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
"""Characters for the end of a bar: 0 to 7 eighths of a full block."""
_LINE_START = re.compile(r"[-+:](?=\s|$)|[-=]+$|(?<=\d)[.)](?=\s|$)")
"""Signs that Markdown reads as a list item or an underline.

They are at the start of a line, or after the digits there.
"""
_BACKTICKS = re.compile("`+")
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
"""Sign ``<`` where an HTML tag could begin."""
_LIQUID_START = re.compile(r"\{(?=[{%#<])")
"""Brace where a tag of Liquid or a shortcode of Hugo could begin."""


def show(report: Report) -> str:
    """A report as GitHub's Markdown."""
    heading, level = report.heading(default_level=DEFAULT_LEVEL)
    return to_markdown(report.blocks, heading=heading, level=level).strip()


def to_markdown(
    document: Document,
    flavour: Flavour = GITHUB,
    *,
    heading: str = "",
    level: int = DEFAULT_LEVEL,
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
    """A line as a paragraph.

    If Markdown would read its first sign as a list item or a heading, the sign becomes a character
    reference: ``1&#46; …``.
    """
    text = line(content, flavour)
    position = len(text) - len(text.lstrip("0123456789"))  # after leading digits
    if not _LINE_START.match(text, position):
        return text
    return f"{text[:position]}&#{ord(text[position])};{text[position + 1 :]}"


def line(content: Line, flavour: Flavour = GITHUB) -> str:
    """A line of inline content as Markdown, with its text escaped."""
    return "".join(_inline(piece, flavour) for piece in content)


def _inline(piece: Inline, flavour: Flavour) -> str:
    if isinstance(piece, (Variable, Superscript)):
        return _symbol(piece, flavour)
    if isinstance(piece, Bar):
        return f"\N{NO-BREAK SPACE}{bar_text(piece.fraction, '█', EIGHTHS, '░')}"
    if isinstance(piece, Code):
        return f"`{piece.text}`"
    if isinstance(piece, Link):
        return f"[{escape_markdown(piece.text)}]({piece.url})"
    if isinstance(piece, Drawn):
        return line(piece.content, flavour)
    return escape_markdown(str(piece))


def _symbol(symbol: Variable | Superscript, flavour: Flavour) -> str:
    """A variable, or one as an exponent: ``<sup>*p*</sup>``."""
    if isinstance(symbol, Variable):
        return _variable(symbol, flavour)
    return _variable(symbol.symbol, flavour).join(flavour.superscript)


def _variable(variable: Variable, flavour: Flavour) -> str:
    """A variable with its subscript: ``*d*<sub>*h*</sub>``."""
    base = f"*{escape_markdown(variable.base)}*"
    subscript = ""
    for text, is_italic in variable.subscript_parts:
        escaped = escape_markdown(text)
        subscript += f"*{escaped}*" if is_italic else escaped
    before, after = flavour.subscript
    return f"{base}{before}{subscript}{after}" if subscript else base


def _math(block: Formula | Derivation, flavour: Flavour) -> str:
    """Displayed math as TeX, or in a code block of plain text if the flavour shows no TeX."""
    if flavour.math is None:
        return _math_as_text(block)
    before, after = flavour.math
    # {} or a space separates signs that Hugo would read as an HTML tag, or Jekyll as a Liquid tag
    tex = _TAG_START.sub("<{}", display_tex(block))
    tex = _LIQUID_START.sub("{ ", tex)
    if not flavour.struts:
        tex = tex.replace(STRUT, "")
    return f"{before}\n{tex}\n{after}"


def _math_as_text(block: Formula | Derivation) -> str:
    """Math in a code block, whose fence is longer than any backticks in it."""
    lines = plain_lines(block)
    longest = max(map(len, _BACKTICKS.findall("\n".join(lines))), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((f"{fence}text", *lines, fence))
