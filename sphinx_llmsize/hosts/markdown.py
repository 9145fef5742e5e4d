"""Markdown host: blocks in a flavour of Markdown, rendered with the template ``page.md.jinja``."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from sphinx_llmsize import templating
from sphinx_llmsize.blocks import Bar, Code, Derivation, Document, Formula, Inline, Line, Variable
from sphinx_llmsize.escaping import escape_markdown
from sphinx_llmsize.markdown_flavours import GITHUB, Flavour
from sphinx_llmsize.template_files import FOLDER
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.display_math import STRUT, display_tex
from sphinx_llmsize.views.shared.tex_as_text import plain_lines

if TYPE_CHECKING:
    from sphinx_llmsize.charts import Chart
    from sphinx_llmsize.diagram import Diagram
    from sphinx_llmsize.report import Report

PAGE_TEMPLATE = f"{FOLDER}/page.md.jinja"
LEVEL = 2
"""Usual level of the heading."""
BAR_WIDTH = 10
"""Characters in a full bar."""
EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")
"""Parts of a character, by eighths."""
_LINE_START = re.compile(r"[-+:](?=\s|$)|[-=]+$|(?<=\d)[.)](?=\s|$)")
"""Characters that begin a list, or underline a heading, at the start of a line."""
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
        also=_("Also:"),
    )


def paragraph(content: Line, flavour: Flavour = GITHUB) -> str:
    """A line that is a paragraph: never a list item or a heading, whatever it begins with."""
    text = line(content, flavour)
    number = len(text) - len(text.lstrip("0123456789"))
    found = _LINE_START.match(text, number)
    return f"{text[:number]}&#{ord(text[number])};{text[number + 1 :]}" if found else text


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
        return f"\N{NO-BREAK SPACE}{_bar(piece.fraction)}"
    if isinstance(piece, Code):
        return f"`{piece.text}`"
    return escape_markdown(str(piece))


def _math(block: Formula | Derivation, flavour: Flavour) -> str:
    r"""Displayed math, in a code block of plain text if the flavour shows no TeX.

    The TeX has no start of an HTML tag, which Hugo would copy into the page, nor one of Liquid.
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


def _bar(fraction: float) -> str:
    """``██▍░░░``: a bar in steps of an eighth of a character, at least one if it isn't 0."""
    steps = max(round(fraction * BAR_WIDTH * len(EIGHTHS)), 1 if fraction else 0)
    whole, rest = divmod(steps, len(EIGHTHS))
    return ("█" * whole + EIGHTHS[rest]).ljust(BAR_WIDTH, "░")
