"""Text that each language of output shows as it is, whatever it says."""

from __future__ import annotations

import re
from html import escape

_NOT_TEXT = "\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
"""Control characters, and what is no character."""
_UNPRINTABLE = re.compile(f"[{_NOT_TEXT}]")
_UNSEEN = re.compile(f"[{_NOT_TEXT}\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Those, and what turns the direction of text."""
_SPECIAL = re.compile(r"[^A-Za-z0-9]")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|$&~#!])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    '"': r"\textquotedbl{}",
    **{character: f"\\{character}" for character in "{}$&#_%"},
    # two of these would become one character
    **{character: f"{{{character}}}" for character in "-<>,!?"},
}


def printable(text: str) -> str:
    """Text with a mark in place of each character that a page cannot hold."""
    return _UNPRINTABLE.sub("\ufffd", text)


def escape_mermaid(text: str) -> str:
    """Text that Mermaid shows as it is, whatever it says.

    Every character that is not an ASCII letter or digit becomes an entity, the space too:
    a label ``direction TB`` would otherwise be a command.
    """
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", _UNSEEN.sub("", text))


def escape_markdown(text: str) -> str:
    """Text that Markdown shows as it is, in a paragraph or a table's cell."""
    return _MARKDOWN.sub(r"\\\1", _UNSEEN.sub("", text))


def escape_xml(text: str) -> str:
    """Text that XML and HTML show as it is, in an element or a quoted attribute."""
    return escape(_UNSEEN.sub("", text), quote=True)


def escape_latex(text: str) -> str:
    """Text that LaTeX typesets as it is."""
    return "".join(_LATEX.get(character, character) for character in _UNSEEN.sub("", text))
