"""Conversion of TeX to plain text; covers only the commands used in our formulas."""

from __future__ import annotations

import re
from collections.abc import Callable

from docutils.utils import column_width

_SYMBOLS = {
    "{,}": ",",
    r"\,": " ",
    r"\times": "×",
    r"\approx": "≈",
    r"\cdot": "·",
    r"\min": "min",
    r"\quad": " ",
    r"\bigl": "",
    r"\bigr": "",
    "{}": "",
}
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_GROUP = r"\{([^{}]*)\}"


def _underbrace(found: re.Match[str]) -> str:
    return f"{_as_term(found[1])} [{found[2]}]"


def _fraction(found: re.Match[str]) -> str:
    return f"{_as_term(found[1])}/{_as_term(found[2])}"


def _power(found: re.Match[str]) -> str:
    exponent = found[1]
    return exponent.translate(_SUPERSCRIPT) if exponent.isdecimal() else f"^{_as_term(exponent)}"


def _as_term(text: str) -> str:
    """A text, in parentheses if it is a sum or difference."""
    return f"({text})" if re.search(r" [+-] ", text) else text


_COMMANDS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"\\(?:text|mathrm|mathbf){_GROUP}"), r"\1"),
    (re.compile(rf"\\underbrace{_GROUP}_{_GROUP}"), _underbrace),
    (re.compile(rf"\\t?frac{_GROUP}{_GROUP}"), _fraction),
    (re.compile(rf"\^{_GROUP}"), _power),
    # not after a brace, where it is the label of \underbrace
    (re.compile(rf"(?<!\}})_{_GROUP}"), r"_\1"),
)
"""Patterns of commands with arguments and their replacements, applied innermost first."""


def plain_lines(tex: str) -> tuple[str, ...]:
    r"""Lines of displayed math as text, aligned at ``&``.

    ``N &= \underbrace{2 \, D}_{\text{norms}}`` becomes ``N = 2 D [norms]``.
    """
    pairs = [_plain(line).rpartition("&") for line in tex.split("\\\\\n")]
    width = max(column_width(left.strip()) for left, _mark, _right in pairs)
    return tuple(
        f"{' ' * (width - column_width(left.strip()))}{left.strip()} {right}".rstrip()
        if width
        else right.strip()
        for left, _mark, right in pairs
    )


def _plain(line: str) -> str:
    for symbol, text in _SYMBOLS.items():
        line = re.sub(re.escape(symbol) + r"(?![A-Za-z])", text, line)
    before = ""
    while before != line:
        before = line
        for pattern, replacement in _COMMANDS:
            line = pattern.sub(replacement, line)
    return re.sub(r"(?<=[^\s&]) +", " ", line)
