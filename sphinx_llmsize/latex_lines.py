"""LaTeX of lines of text."""

from __future__ import annotations

import re

from sphinx_llmsize.escaping import escape_latex
from sphinx_llmsize.inline import Bar, Drawn, FormulaText, Inline, Line, Superscript, Variable
from sphinx_llmsize.translation import NARROW_SPACE

SIGNS = {
    "−": "$-$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "≈": r"$\approx$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "→": r"$\to$",
    "<": "$<$",
    ">": "$>$",
    "²": r"\textsuperscript{2}",
    "³": r"\textsuperscript{3}",
    "\N{NO-BREAK SPACE}": "~",
}
"""LaTeX of signs that pdfLaTeX's text fonts lack or, as ``<``, show as others, and of spaces."""
_LONE_SIGN_IN_BRACES = re.compile(r"(?<!\})\{([-,])\}(?!\{)")
"""Hyphen or comma in braces, ``{-}``, without a second beside it.

Braces prevent ligatures such as that of ``--``. A lone sign doesn't need them.
"""
_ADJACENT_MATH = re.compile(r"(?<!\\)\$\$")
"""End of inline math right before the start of other inline math."""


def latex_text(content: str) -> str:
    """Text for LaTeX, with mathematical signs in math mode."""
    escaped = "".join(SIGNS.get(character) or escape_latex(character) for character in content)
    return _LONE_SIGN_IN_BRACES.sub(r"\1", escaped)


def latex_line(content: Line) -> str:
    """A line, with symbols in math mode."""
    return _ADJACENT_MATH.sub(" ", "".join(_inline(piece) for piece in content))


def _inline(piece: Inline) -> str:
    if isinstance(piece, Variable):
        return f"${latex_symbol(piece)}$"
    if isinstance(piece, FormulaText):
        return latex_text(piece.replace("·", NARROW_SPACE))
    if isinstance(piece, Superscript):
        return f"$^{{{latex_symbol(piece.symbol)}}}$"
    if isinstance(piece, Drawn):
        return latex_line(piece.content)
    return "" if isinstance(piece, Bar) else latex_text(str(piece))


def latex_symbol(symbol: Variable) -> str:
    """TeX of a symbol in math."""
    return f"{latex_text(symbol.base)}{_subscript(symbol.subscript)}"


def _subscript(name: str) -> str:
    """TeX of a subscript as in formulas: a letter is italic, a word upright; empty for none."""
    if not name:
        return ""
    is_word = len(name) > 1
    return rf"_{{\mathrm{{{latex_text(name)}}}}}" if is_word else f"_{{{latex_text(name)}}}"
