"""Escaping of text for each output format, and removal of invisible characters."""

from __future__ import annotations

import re
from html import escape

_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # control characters
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"  # line separators, direction of text
    "\ud800-\udfff\ufffe\uffff]"  # not characters
)
_SPECIAL = re.compile(r"[^A-Za-z0-9]")
_MARKDOWN = re.compile(
    r"[\\`*_\[\]<>|$&~#!{}@^]"  # markup
    r"|:(?=[\w+-]+:)|=(?==)|(?<==)=|\+(?=\+)|(?<=\+)\+"  # emoji, marked text and keys
    r"|(?<=\w):(?=//)|(?<=www)\.",  # addresses, which GitHub links
    re.IGNORECASE,
)
"""Characters of markup, of GitHub's emoji and addresses, and of extensions of Python-Markdown."""
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
"""ASCII characters other than letters, digits, spaces and control characters."""
_BACKSLASH_ESCAPES = "`*_[]#!"
"""Characters that every kind of Markdown reads as text after a backslash."""
_REPLACEMENTS = {"<": "&lt;", ">": "&gt;", "&": "&amp;", "$": "＄", "\\": "＼"}
"""Named entities; full-width ``$`` and ``\\``, since MathJax reads even escaped ones as math."""
_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\textquotedblright{}",  # LaTeX's default encoding has no straight one
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "Δ": r"\ensuremath{\Delta}",
    "⊕": r"\ensuremath{\oplus}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
    # braces prevent ligatures, such as an en dash for two hyphens
    **{character: f"{{{character}}}" for character in "-<>,!?"},
}
"""LaTeX for each character with a special meaning in text, or that pdfLaTeX lacks."""
_NOT_IN_SLUG = re.compile(r"[^a-z0-9.]+")
MAX_SLUG = 60
"""Maximum length of a slug."""


def slug(text: str) -> str:
    """Text for the name of a file or label: lower-case ASCII letters, digits, dots and hyphens."""
    allowed = _NOT_IN_SLUG.sub("-", text.casefold()).strip("-.")
    return allowed[:MAX_SLUG].rstrip("-.") or "model"


def printable(text: str) -> str:
    """Text on one line, without control characters or direction overrides; for model names."""
    line = _INVISIBLE.sub(lambda found: " " if found[0].isspace() else "", text)
    return " ".join(line.split())


def visible(text: str) -> str:
    r"""Text with control characters and direction overrides as escapes: ``\x1b``."""
    return _INVISIBLE.sub(lambda found: ascii(found[0])[1:-1], text)


def escape_mermaid(text: str) -> str:
    """Text as a Mermaid label: everything except ASCII letters and digits becomes an entity.

    This includes spaces, since a label ``direction TB`` would otherwise be a command.
    """
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", _INVISIBLE.sub("", text))


def escape_markdown(text: str) -> str:
    """Text for a paragraph or table cell in any kind of Markdown.

    GitHub, Hugo, Jekyll (kramdown and Liquid), Pandoc and Python-Markdown differ in the characters
    that a backslash escapes, so most of them become numeric entities.
    """
    return _MARKDOWN.sub(_markdown_character, _INVISIBLE.sub("", text))


def _markdown_character(found: re.Match[str]) -> str:
    """A character after a backslash, if all flavours read that as text; else its replacement."""
    character = found[0]
    if character in _BACKSLASH_ESCAPES:
        return f"\\{character}"
    return _REPLACEMENTS.get(character) or f"&#{ord(character)};"


def escape_rst(text: str) -> str:
    """Text for a paragraph or a title in reStructuredText."""
    return _PUNCTUATION.sub(r"\\\g<0>", _INVISIBLE.sub("", text))


def escape_xml(text: str) -> str:
    """Text for an XML or HTML element or quoted attribute."""
    return escape(_INVISIBLE.sub("", text), quote=True)


def escape_latex(text: str) -> str:
    """Text for LaTeX."""
    return "".join(_LATEX.get(character, character) for character in _INVISIBLE.sub("", text))
