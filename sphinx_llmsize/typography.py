"""Typography of running text: apostrophes, and places where lines don't break.

These are in formulas, names with sizes, and before units.
"""

from __future__ import annotations

import re
from itertools import accumulate

from sphinx_llmsize.inline import Line, Variable
from sphinx_llmsize.marks import has_marks

NO_BREAK = "\u00a0"
"""A space where a line does not break."""
UNBREAKABLE = {"× ": f"×{NO_BREAK}", ", ": f",{NO_BREAK}", " + ": f"{NO_BREAK}+{NO_BREAK}"}
"""Texts in formulas, and the same texts with no-break spaces."""

_SYMBOL = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Character in place of each one of a symbol."""
_SUM = re.compile(rf"\((?=[^()]*{_SYMBOL})(?![^()]*[^\W\d_]{{2}})[^()]{{,28}}\)")
"""A sum with symbols in parentheses, without words, that is short enough to stay on one line."""


def unbroken(text: str) -> str:
    """The text with no-break spaces."""
    return text.replace(" ", NO_BREAK)


def with_breaks(line: Line) -> Line:
    """The line with no-break spaces, so that its formulas break only before a ×.

    ``D × (H + 2H_kv)·d_h`` may become ``D`` and ``× (H + 2H_kv)·d_h``. A line without symbols
    stays the same.
    """
    if not any(isinstance(piece, Variable) for piece in line):
        return line
    return tuple(
        type(piece)(_without_breaks(piece)) if isinstance(piece, str) else piece for piece in line
    )


def _without_breaks(text: str) -> str:
    """The text with no-break spaces in place of the spaces in :data:`UNBREAKABLE`."""
    for old, new in UNBREAKABLE.items():
        text = text.replace(old, new)
    return text


def with_unbroken_parentheses(line: Line) -> Line:
    """The line with no-break spaces within short sums in parentheses: ``L·(2D + 3F)``.

    Lines with marks stay the same, since a script compares and replaces their texts.
    """
    text = "".join(piece if isinstance(piece, str) else _SYMBOL * len(str(piece)) for piece in line)
    if _SYMBOL not in text or has_marks(text):
        return line
    text = _SUM.sub(lambda found: found[0].replace(" ", NO_BREAK), text)
    ends = accumulate(len(str(piece)) for piece in line)
    return tuple(
        type(piece)(text[end - len(piece) : end]) if isinstance(piece, str) else piece
        for piece, end in zip(line, ends, strict=True)
    )


_APOSTROPHE = re.compile(r"(?<!\w)'[^']*'|(?<=\w)'(?=\w)|(?<=\ws)'(?= )")
"""A word in quotes, or an apostrophe: the model's layers, the experts' load."""
_NO_BREAKS = (
    # 13.5 GB, 2,048 tokens
    (
        re.compile(r"(?<=\d) (?=(?:[kMGTPE]?FLOPs|[kKMGT]i?B|bytes|[Tt]okens?)\b)"),
        NO_BREAK,
    ),
    # FLOPs per token
    (re.compile(r"(?<=\b(?:per|pro)) (?=\w)"), NO_BREAK),
    # a version in a name: Llama 3 8B, Llama 3.1 405B, which break before the size
    (re.compile(r"(?<=\b[A-Z])([a-zA-Z]+) (?=\d[\d.]*(?: |$))"), rf"\1{NO_BREAK}"),
    # F: FFN dimension; FLOPs per token: 2,048 may break before the number
    (re.compile(r"^: (?![+−]?\d)"), f":{NO_BREAK}"),
    # T = 2,048
    (re.compile(r" ([=≈]) "), rf"{NO_BREAK}\1{NO_BREAK}"),
    # a × between symbols; 2 × 3; 32 × [T, D]
    (re.compile(r"^ × $|(?<=\d) × (?=\d)|(?<!\]) × (?=\[)"), f"{NO_BREAK}×{NO_BREAK}"),
    # (2L + 1) × D, which breaks before the ×
    (re.compile(r"(?<=\)) × $"), f" ×{NO_BREAK}"),
    # D × F + bias F, which breaks before the +
    (re.compile(r"^ \+ (\w+) $"), rf" +{NO_BREAK}\1{NO_BREAK}"),
    # 2D + 3D and (D + F) + 3D, which break before the +
    (re.compile(r"^(\)? [+−]) (?=[\d(]|$)"), rf"\1{NO_BREAK}"),
    # a short word and the symbol after it: of D
    (re.compile(r"(?<=\w \w\w) $"), NO_BREAK),
    # 1× to 2×
    (re.compile(r"(?<=\d×) (\w+) (?=\d)"), rf"{NO_BREAK}\1{NO_BREAK}"),
    # 2 + 3
    (re.compile(r"(?<=\d) \+ (?=\d)"), f"{NO_BREAK}+{NO_BREAK}"),
    # [T, D] × [D, F], which breaks before the ×
    (re.compile(r"(?<=\]) × "), f" ×{NO_BREAK}"),
)
"""Patterns of spaces before units and around signs, and their replacements."""


def typographic(text: str) -> str:
    """The text with curved apostrophes and no-break spaces, as in a book: ``T = 2,048``.

    The spaces are those before units and sizes, and around signs. Products of matrices break before
    a ×. Texts with marks have no such spaces, since a script compares and replaces them.
    """
    text = _APOSTROPHE.sub(_curved, text)
    if has_marks(text):
        return text
    for pattern, replacement in _NO_BREAKS:
        text = pattern.sub(replacement, text)
    return text


def _curved(found: re.Match[str]) -> str:
    """A curved apostrophe; a word in straight quotes stays as it is."""
    return "\N{RIGHT SINGLE QUOTATION MARK}" if found[0] == "'" else found[0]
