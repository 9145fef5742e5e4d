"""What is kept for the next token as a sum: in symbols, in numbers, counted, in bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.config.vocabulary import T_SEEN, T
from sphinx_llmsize.formats import decimal
from sphinx_llmsize.views.memory.kept import Kept
from sphinx_llmsize.views.shared.data_size import UNITS, size_in, size_texts
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import Term, number, room, sum_lines, term

NUMBERS = r"N_{\text{kept}}"
BYTES = "M"
TIMES = r" \times "


def kept_sum(
    architecture: Architecture, kept: tuple[Kept, ...], context: int, bits: Fraction
) -> Formula:
    """``N_kept = 2·L·T·H_kv·d_h``, what it comes to for ``context`` tokens, and the bytes."""
    written = _Written(Notation(architecture.sizes), context)
    counts = [row.at(architecture, context) for row in kept]
    all_counts = _added((term(number(count)),) for count in counts)
    total = sum(counts)
    size = total * bits / 8
    each = rf"{decimal(bits / 8)} \text{{ bytes}} \times {number(total)}"
    return Formula(
        (
            *sum_lines(NUMBERS, _added(map(written.symbols, kept))),
            *sum_lines("", _added(map(written.numbers, kept)), column=NUMBERS),
            *(sum_lines("", all_counts, column=NUMBERS) if len(kept) > 1 else ()),
            *sum_lines("", (term(rf"\mathbf{{{number(total)}}}"),), column=NUMBERS),
            *sum_lines(BYTES, (term(each),), column=NUMBERS),
            *_in_units(size),
        )
    )


def _added(parts: Iterable[tuple[Term, ...]]) -> Iterator[Term]:
    for position, (first, *others) in enumerate(parts):
        yield term("+ ") + first if position else first
        yield from others


def _in_units(size: Fraction) -> Iterator[str]:
    r"""``= 2{,}147{,}483{,}648 bytes``, ``\approx 2.15 GB``, ``= 2 GiB``: rounded or not."""
    for text in dict.fromkeys((size_in(size, "bytes"), *size_texts(size))):
        digits, unit = text.split()
        is_exact = Fraction(digits.replace(",", "")) * UNITS[unit] == size
        equals = "=" if is_exact else r"\approx"
        yield rf"&{equals} {digits.replace(',', '{,}')} \text{{ {unit}}}"


@dataclass(frozen=True)
class _Written:
    """How rows are written: layers × length × what a layer keeps of each of its entries."""

    notation: Notation
    context: int

    def symbols(self, kept: Kept) -> tuple[Term, ...]:
        """``2·L·T·H_kv·d_h``."""
        return _product(kept, self.notation.symbols, _length(kept), r" \, ")

    def numbers(self, kept: Kept) -> tuple[Term, ...]:
        """``2 × 32 × 4,096 × 32 × 128``."""
        seen = min(self.context, kept.window or self.context)
        length = number(kept.length.of(seen)) if kept.length else ""
        return _product(kept, self.notation.numbers, length, TIMES)


def _length(kept: Kept) -> str:
    length = T if kept.length == T_SEEN else kept.length
    if not length:
        return ""
    return rf"\min({length.tex}, {number(kept.window)})" if kept.window else length.tex


def _product(
    kept: Kept, tex: Callable[[sympy.Expr], str], length: str, times: str
) -> tuple[Term, ...]:
    """The product as one term, if a line has room for it; else its last factor apart."""
    each = [to_sympy(size).as_coeff_Mul() for size in kept.shape if size != kept.length]
    coefficient = sympy.Mul(*(count for count, _ in each))
    counts = _factors((coefficient, to_sympy(kept.layers)), tex)
    # two numbers side by side would read as one
    how_often = (TIMES.join(counts),) if kept.layers.symbols() == frozenset() else counts
    sizes = _factors((size for _, size in each), tex)
    *factors, last = filter(None, (*how_often, length, *sizes))
    whole = term(times.join((*factors, last)))
    if whole.width <= room(NUMBERS) or not factors:
        return (whole,)
    # as wide as a line, so that nothing else stands beside it
    return (term(times.join(factors)), Term(rf"\times {last}", room(NUMBERS)))


def _factors(sizes: Iterable[sympy.Expr], tex: Callable[[sympy.Expr], str]) -> tuple[str, ...]:
    return tuple(rf"({tex(size)})" if size.is_Add else tex(size) for size in sizes if size != 1)
