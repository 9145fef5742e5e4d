"""Exact sums: the data of ``N = D·V + L·(attention + norms) + …``, without its layout.

:mod:`sphinx_llmsize.views.shared.sum_layout` writes one as TeX: in symbols, with numbers, counted,
and the result.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from sphinx_llmsize.views.shared.symbolic import Notation

Factors = tuple[sympy.Expr, ...]
"""Factors of a product in the order in which they are shown."""


@dataclass(frozen=True)
class Summand:
    """A summand of an exact sum.

    Attributes:
        factors: the sizes that it is the product of.
        label: its name; empty if it is shown without one.
        members: the same, split further, in case the whole is too wide for a line.
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
        brackets: what is added up.
        notation: the symbols' TeX and numbers.
        counts_summands: show the number of every summand, not only of every bracket.
        is_final: show the result in bold, since no other formula continues with it.
    """

    name: str
    brackets: tuple[Bracket, ...]
    notation: Notation
    counts_summands: bool = False
    is_final: bool = True

    @property
    def result(self) -> int:
        """The number that the sum comes to."""
        count = self.notation.counted
        return sum(-count(b.size) if b.is_subtracted else count(b.size) for b in self.brackets)
