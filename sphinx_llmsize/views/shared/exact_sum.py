"""Exact sums, such as ``N = D·V + L·(attention + norms) + …``, and their layout in TeX.

A formula has lines for the symbols, the numbers, the counts and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import sympy

from sphinx_llmsize.views.shared.symbolic import Notation, parts, summands
from sphinx_llmsize.views.shared.typeset import (
    Term,
    added,
    braced,
    number,
    sum_lines,
    term,
    term_room,
)

TIMES, SPACE = r" \times ", r" \, "
Factors = tuple[sympy.Expr, ...]
"""Factors of a product in the order in which they are shown."""


@dataclass(frozen=True)
class Summand:
    """A summand of an exact sum.

    Attributes:
        factors: the sizes whose product it is.
        label: its name; empty if it is shown without one.
        members: smaller summands with the same sum, shown if it is too wide for a line.
    """

    factors: Factors
    label: str = ""
    members: tuple[Summand, ...] = ()

    @property
    def size(self) -> sympy.Expr:
        """The product."""
        return sympy.Mul(*self.factors)


@dataclass(frozen=True)
class Bracket:
    """Summands with common factors: ``L·(attention + norms)``.

    Attributes:
        summands: the summands in the bracket.
        factors: the factors before it; empty if there is no bracket to show.
        is_subtracted: subtract it from the summands before it.
    """

    summands: tuple[Summand, ...]
    factors: Factors = ()
    is_subtracted: bool = False

    @property
    def size(self) -> sympy.Expr:
        """The product, positive even if it is subtracted."""
        return sympy.Mul(*self.factors, sympy.Add(*(summand.size for summand in self.summands)))


@dataclass(frozen=True)
class ExactSum:
    """A sum in the sizes of a model.

    Attributes:
        name: TeX of the result's symbol.
        brackets: the brackets to add or subtract.
        notation: the symbols' TeX and numbers.
        counts_summands: show the value of every summand, not only of every bracket.
        is_final: show the result in bold, since no other formula continues with it.
    """

    name: str
    brackets: tuple[Bracket, ...]
    notation: Notation
    counts_summands: bool = False
    is_final: bool = True

    @property
    def result(self) -> int:
        """The value of the sum."""
        count = self.notation.count
        return sum(-count(b.size) if b.is_subtracted else count(b.size) for b in self.brackets)


def exact_sum_lines(exact_sum: ExactSum) -> tuple[str, ...]:
    """The TeX lines of a formula: the sum in symbols, in numbers and in counts, and the result."""
    notation, width = exact_sum.notation, term_room(exact_sum.name)
    symbols = _Row(notation.symbols, SPACE, notation, width)
    numbers = _Row(notation.numbers, TIMES, notation, width)
    rows = [
        symbols.terms(exact_sum.brackets, symbols.labelled),
        numbers.terms(exact_sum.brackets, numbers.unlabelled),
    ]
    if exact_sum.counts_summands:
        rows.append(numbers.terms(exact_sum.brackets, numbers.counted))
    elif len(exact_sum.brackets) > 1:
        whole = (replace(b, summands=(Summand((b.size,)),), factors=()) for b in exact_sum.brackets)
        rows.append(numbers.terms(whole, numbers.counted))
    result = number(exact_sum.result)
    rows.append(iter((term(rf"\mathbf{{{result}}}" if exact_sum.is_final else result),)))
    return tuple(
        line
        for position, row in enumerate(rows)
        for line in sum_lines("" if position else exact_sum.name, row, column=exact_sum.name)
    )


@dataclass(frozen=True)
class _Row:
    """Writes one row of a formula: all summands in symbols, or all in numbers.

    Attributes:
        tex: function that writes an expression as TeX, in symbols or in numbers.
        times: the sign between factors.
        notation: the symbols' TeX and numbers.
        width: width of the widest term that fits into a line, in digits.
    """

    tex: Callable[[sympy.Expr], str]
    times: str
    notation: Notation
    width: float

    def terms(
        self, brackets: Iterable[Bracket], write: Callable[[Summand], Iterator[Term]]
    ) -> Iterator[Term]:
        """The terms of a sum, each with its sign."""
        for position, bracket in enumerate(brackets):
            sign = "- " if bracket.is_subtracted else "+ " if position else ""
            first, *others = added(write(summand) for summand in bracket.summands)
            if bracket.factors:
                yield from self._multiplied(sign, bracket.factors, [first, *others])
            else:
                yield from (term(sign) + first, *others)

    def labelled(self, summand: Summand) -> Iterator[Term]:
        """A summand with its label below, split into parts if it is too wide for a line."""
        if not summand.label:
            yield from self.unlabelled(summand)
            return
        whole = braced(self.tex(summand.size), summand.label)
        if whole.width <= self.width:
            yield whole
        elif summand.members:
            yield from added(map(self.labelled, summand.members))
        else:
            pieces = parts(summand.size, self.tex, self.width)
            yield from added([braced(piece, summand.label)] for piece in pieces)

    def unlabelled(self, summand: Summand) -> Iterator[Term]:
        """A summand as a product, or the terms of its only factor."""
        if len(summand.factors) > 1:
            yield from self._product(summand.factors)
            return
        yield from added([term(self.tex(part))] for part in summands(summand.size))

    def counted(self, summand: Summand) -> Iterator[Term]:
        """The value of a summand."""
        yield term(number(self.notation.count(summand.size)))

    def _multiplied(self, sign: str, factors: Factors, inside: list[Term]) -> Iterator[Term]:
        """``L·(a + b)``; ``a`` is a term of its own if it does not fit beside the factors."""
        *before, last = self._product(factors)
        has_brackets = len(inside) > 1 or "+" in inside[0].tex
        if has_brackets:
            last += term(rf"{self.times}\bigl(")
            inside[-1] += term(r"\bigr)")
        on_one_line = last + term("" if has_brackets else self.times) + inside[0]
        if on_one_line.width <= self.width:
            inside[0] = on_one_line
        else:
            inside[:1] = [last, term("" if has_brackets else r"\times ") + inside[0]]
        first, *others = (*before, *inside)
        yield from (term(sign) + first, *others)

    def _product(self, factors: Factors) -> Iterator[Term]:
        """The product of the factors, split into parts if it is too wide for a line."""
        sizes = [size for size in factors if size != 1]
        written = [rf"({self.tex(size)})" if size.is_Add else self.tex(size) for size in sizes]
        line = written[0]
        for before, size, tex in zip(sizes, sizes[1:], written[1:], strict=False):
            # two numbers side by side would read as one
            times = TIMES if before.is_number and size.is_number else self.times
            if term(line + times + tex).width > self.width:
                yield term(line)
                line = rf"\times {tex}"
            else:
                line += times + tex
        yield term(line)
