"""What is kept for the next token as a sum: in symbols, in numbers, counted, in bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy

from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.config.symbols import T_SEEN, T
from sphinx_llmsize.formats import decimal
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.memory.kv_cache import Kept
from sphinx_llmsize.views.shared.data_size import UNITS, size_in, size_texts
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import Term, indexed, number, room, sum_lines, term, words

BYTES = "M"
APPROXIMATELY = r"\approx"
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
    bytes_of_one = _in_tex(_("{number} bytes", number=decimal(bits / 8)))
    each = rf"{bytes_of_one} \times {number(total)}"
    name = _name()
    return Formula(
        (
            *sum_lines(name, _added(map(written.symbols, kept))),
            *sum_lines("", _added(map(written.numbers, kept)), column=name),
            *(sum_lines("", all_counts, column=name) if len(kept) > 1 else ()),
            *sum_lines("", (term(rf"\mathbf{{{number(total)}}}"),), column=name),
            *sum_lines(BYTES, (term(each),), column=name),
            *_in_units(size),
        )
    )


def _added(parts: Iterable[tuple[Term, ...]]) -> Iterator[Term]:
    for position, (first, *others) in enumerate(parts):
        yield term("+ ") + first if position else first
        yield from others


def _in_units(size: Fraction) -> Iterator[str]:
    r"""``= 2{,}147{,}483{,}648 bytes``, ``\approx 2.15 GB``, ``= 2 GiB``: rounded or not."""
    exact = size_in(size, "bytes")
    for text in dict.fromkeys((exact, *size_texts(size))):
        digits, unit = _parted(text)
        is_exact = text == exact or Fraction(digits.replace(",", "")) * UNITS[unit.strip()] == size
        yield rf"&{'=' if is_exact else APPROXIMATELY} {_in_tex(text)}"


def _in_tex(size: str) -> str:
    """``2.15 GB``, its unit as text."""
    digits, unit = _parted(size)
    return f"{digits.replace(',', '{,}')} {words(unit)}"


def _parted(size: str) -> tuple[str, str]:
    digits = size[: len(size) - len(size.lstrip("0123456789.,"))]
    return digits, size[len(digits) :]


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
    if whole.width <= room(_name()) or not factors:
        return (whole,)
    # as wide as a line, so that nothing else stands beside it
    return (term(times.join(factors)), Term(rf"\times {last}", room(_name())))


def _factors(sizes: Iterable[sympy.Expr], tex: Callable[[sympy.Expr], str]) -> tuple[str, ...]:
    return tuple(rf"({tex(size)})" if size.is_Add else tex(size) for size in sizes if size != 1)


def _name() -> str:
    return indexed("N", pgettext("below a symbol", "kept"))
