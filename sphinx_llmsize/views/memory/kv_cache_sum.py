"""Cached elements as an exact sum, and their size in bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

import sympy

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.config.symbols import T_SEEN, Length, T
from sphinx_llmsize.formats import decimal, in_tex
from sphinx_llmsize.translation import _, pgettext, plain_digits
from sphinx_llmsize.views.memory.kv_cache import CachedPart
from sphinx_llmsize.views.shared.data_size import UNITS, size_in, size_texts
from sphinx_llmsize.views.shared.exact_sum import Bracket, ExactSum, Summand, exact_sum_lines
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed, number, sum_lines, term, words

_LAST_DIGIT = re.compile(r"\d(?=\D*$)")
BYTES = "M"
"""Symbol of the size in bytes."""


def kv_cache_sum(
    architecture: Architecture, parts: tuple[CachedPart, ...], context: int, bits: Fraction
) -> Formula:
    """Formula ``N_cached = 2·L·T·H_kv·d_h`` for ``context`` tokens, and its size in bytes."""
    name = indexed("N", pgettext("below a symbol", "cached"))
    lengths = [_length(part, context) for part in parts]
    used = {s for part in parts for size in (*part.shape, part.layers) for s in size.symbols()}
    sizes = {s: architecture.count(s) for s in sorted(used, key=str) if not isinstance(s, Length)}
    notation = Notation(sizes, {sympy.Symbol(tex): (tex, n) for tex, n in lengths})
    brackets = (
        Bracket((_summand(part, sympy.Symbol(tex) if tex else sympy.Integer(1)),))
        for part, (tex, _number) in zip(parts, lengths, strict=True)
    )
    exact = ExactSum(name, tuple(brackets), notation)
    bytes_per_element = _in_tex(_("{number} bytes", number=decimal(bits / 8)))
    size = term(rf"{bytes_per_element} \times {number(exact.result)}")
    return Formula(
        (
            *exact_sum_lines(exact),
            *sum_lines(BYTES, (size,), column=name),
            *_in_units(exact.result * bits / 8),
        )
    )


def _length(part: CachedPart, context: int) -> tuple[str, int]:
    """TeX and number of cached positions; an empty string and 1 for a state."""
    if not part.length:
        return "", 1
    length = (T if part.length == T_SEEN else part.length).tex
    if not part.window:
        return length, part.length.of(context)
    shorter = min(context, part.window)
    return rf"\min({length}, {number(part.window)})", part.length.of(shorter)


def _summand(part: CachedPart, length: sympy.Expr) -> Summand:
    """Product of the numeric factor, the layers, the length and the shape's other sizes."""
    sizes = [to_sympy(size).as_coeff_Mul() for size in part.shape if size != part.length]
    factor = sympy.Mul(*(number for number, _size in sizes))
    return Summand((factor, to_sympy(part.layers), length, *(size for _number, size in sizes)))


def _in_units(size: Fraction) -> Iterator[str]:
    r"""Lines such as ``= 2{,}147{,}483{,}648 bytes``, ``\approx 2.15 GB``, ``= 2 GiB``."""
    exact = size_in(size, "bytes")
    for text in dict.fromkeys((exact, *size_texts(size))):
        digits, unit = _digits_and_unit(text)
        is_exact = text == exact or Fraction(plain_digits(digits)) * UNITS[unit.strip()] == size
        sign = "=" if is_exact else r"\approx"
        yield f"&{sign} {_in_tex(text)}"


def _in_tex(size: str) -> str:
    """TeX of a size such as ``2.15 GB``, with the unit in upright text."""
    digits, unit = _digits_and_unit(size)
    return f"{in_tex(digits)} {words(unit)}"


def _digits_and_unit(size: str) -> tuple[str, str]:
    end = _LAST_DIGIT.search(size)
    position = end.end() if end else 0
    return size[:position], size[position:]
