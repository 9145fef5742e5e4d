"""Flavours of Markdown: their math, diagrams, line breaks and addresses of pictures."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Address(Enum):
    """Ways to write the address of a picture that belongs to the site."""

    RELATIVE = "relative"
    """Relative to the Markdown file."""
    HUGO = "hugo"
    """From the site's root if the file is in ``static``, else relative."""
    LIQUID = "liquid"
    """From the site's root, by Liquid's filter ``relative_url``."""


@dataclass(frozen=True)
class Flavour:
    r"""A flavour of Markdown.

    Attributes:
        name: name in ``--flavor``.
        math: lines before and after displayed math in TeX; None if it shows no math.
        struts: True if math can contain ``\rule``, which makes space between rows of a sum.
        mermaid: first line of a Mermaid diagram; empty if it shows none.
        html: True if raw HTML can be part of the text.
        subscript: text before and after a subscript.
        superscript: text before and after a superscript.
        address: way to write the address of a picture.
    """

    name: str
    math: tuple[str, str] | None = ("$$", "$$")
    struts: bool = True
    mermaid: str = "```mermaid"
    html: bool = True
    subscript: tuple[str, str] = ("<sub>", "</sub>")
    superscript: tuple[str, str] = ("<sup>", "</sup>")
    address: Address = Address.RELATIVE

    @property
    def line_break(self) -> str:
        """Text between the lines of a table cell."""
        return "<br>" if self.html else "; "


PLAIN_SUBSCRIPT, PLAIN_SUPERSCRIPT = (r"\_", ""), ("^", "")
"""Subscripts and superscripts after a sign, where there is neither HTML nor markup for them."""

# In $$, GitHub reads backslashes as Markdown first: \\ becomes \ and rows of tables run together.
GITHUB = Flavour("github", math=("```math", "```"))
# Goldmark omits raw HTML unless markup.goldmark.renderer.unsafe is true.
HUGO = Flavour(
    "hugo",
    html=False,
    subscript=PLAIN_SUBSCRIPT,
    superscript=PLAIN_SUPERSCRIPT,
    address=Address.HUGO,
)
JEKYLL = Flavour("jekyll", address=Address.LIQUID)
# Pandoc leaves raw HTML out of PDF and Word, and can't convert \rule to Word's math.
QUARTO = Flavour(
    "quarto",
    struts=False,
    mermaid="```{mermaid}",
    html=False,
    subscript=("~", "~"),
    superscript=("^", "^"),
)
MKDOCS = Flavour("mkdocs")
PLAIN = Flavour(
    "plain",
    math=None,
    mermaid="",
    html=False,
    subscript=PLAIN_SUBSCRIPT,
    superscript=PLAIN_SUPERSCRIPT,
)

FLAVOURS = {each.name: each for each in (GITHUB, HUGO, JEKYLL, QUARTO, MKDOCS, PLAIN)}
"""Every flavour by its name in ``--flavor``; the first is the default."""
