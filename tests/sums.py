"""Arithmetic of sums: every row's numbers give its result, and the rows add up to the total."""

from __future__ import annotations

import re
from fractions import Fraction

from sphinx_llmsize.blocks import Derivation, SumRowKind, Tex
from sphinx_llmsize.views.shared.typeset import number

TEX = {
    r"\cdot": "*",
    r"\quad": "",
    r"\,": "",
    "{,}": "",
    r"\times": "*",
    "^": "**",
    "{": "(",
    "}": ")",
}
"""TeX arithmetic and its Python equivalent."""


def value(tex: str) -> Fraction:
    """Value of an arithmetic expression in TeX."""
    tex = re.sub(r"\\t?frac\{(\d+)\}\{(\d+)\}", r"Fraction(\1, \2)", tex)
    tex = re.sub(r"\d+\.\d+", r"Fraction('\g<0>')", tex)
    for command, python in TEX.items():
        tex = tex.replace(command, python)
    return Fraction(eval(tex.strip(), {"__builtins__": {}, "Fraction": Fraction}))


def total_of(found: Derivation) -> int:
    """The total of a sum, after a check of all its rows."""
    total = inside = 0
    for row in found.rows:
        if row.kind is SumRowKind.HEADING:
            continue
        result = int(row.result.replace(",", "").replace("−", "-"))
        if row.numbers:
            assert value("".join(row.numbers)) == result
        if row.kind is SumRowKind.INNER:
            assert result > 0
            inside += result
            continue
        if row.kind is SumRowKind.SUBTOTAL:
            assert result == inside
            continue
        if row.kind is SumRowKind.PRODUCT:
            assert row.numbers[-1].endswith(number(inside))
            inside = 0
        if row.kind is SumRowKind.TOTAL and len(found.rows) > 1:
            assert result == total
        else:
            assert result
            total += result
    assert found.rows[-1].kind is SumRowKind.TOTAL
    assert not inside
    return total


def symbols(found: Derivation) -> dict[str, str]:
    """TeX of each row in symbols, by the row's name."""
    return {row.name: joined(row.symbols) for row in found.rows}


def joined(pieces: Tex) -> str:
    """TeX without the places where a line may break."""
    return "".join(pieces)
