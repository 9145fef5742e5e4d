"""Exact sums, such as ``N = D·V + L·(attention + norms) + …``, with a row for each addend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from sphinx_llmsize.blocks import Derivation, SumRow, SumRowKind, Tex
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.marks import has_marks
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.numbers.part_selection import PER_LAYER
from sphinx_llmsize.views.shared.product_tex import SPACE, TIMES, Factors, product_tex, repeats
from sphinx_llmsize.views.shared.symbolic import Notation
from sphinx_llmsize.views.shared.typeset import traced_width, width

MAX_WIDTH = 45
"""Width in digits above which a summand is divided into its members."""
MAX_PRODUCT_WIDTH = 36
"""Width in digits above which a product of a factor and a sum is divided into the sum's members."""
ONE = ("1",)
"""TeX of a factor of 1, which a product leaves out."""
INSIDE = sympy.Symbol("N_i")
"""Symbol for the sum in a bracket, whose summands are in the rows before it."""


@dataclass(frozen=True)
class Summand:
    """A summand of an exact sum.

    Attributes:
        factors: the sizes whose product it is.
        label: its name.
        members: smaller summands with the same sum, shown if it is too wide for a line.
        number_name: name of its number in all layers, for the role ``llm-size``; may be empty.
    """

    factors: Factors
    label: str
    members: tuple[Summand, ...] = ()
    number_name: str = ""

    @property
    def size(self) -> sympy.Expr:
        """The product."""
        return sympy.Mul(*self.factors)


@dataclass(frozen=True)
class Bracket:
    r"""Summands with common factors: ``L·(attention + norms)``.

    Attributes:
        summands: the summands in the bracket.
        factors: the factors before it; empty if there is no bracket to show.
        label: name of the product: ``× 32 layers``, ``Attention (4 layers)``.
        heading: heading above the summands if ``label`` is the name of a component: ``Attention``.
        factors_text: the factors in words, ``× 4 layers``, in place of such a name.
        sum_label: name of the sum; empty for "Subtotal".
        sum_symbol: TeX of the sum's symbol, ``N_{\mathrm{MoE}}``; empty for a running number.
        is_subtracted: True for a single summand that is subtracted from those before it.
        number_name: name of the product's number, for the role ``llm-size``; may be empty.
    """

    summands: tuple[Summand, ...]
    factors: Factors = ()
    label: str = ""
    heading: str = ""
    factors_text: str = ""
    sum_label: str = ""
    sum_symbol: str = ""
    is_subtracted: bool = False
    number_name: str = ""

    @property
    def sum(self) -> sympy.Expr:
        """The sum in the bracket."""
        return sympy.Add(*(summand.size for summand in self.summands))

    @property
    def size(self) -> sympy.Expr:
        """The product, positive even if it is subtracted."""
        return sympy.Mul(*self.factors, self.sum)


@dataclass(frozen=True)
class ExactSum:
    """A sum in the sizes of a model.

    Attributes:
        symbol: TeX of the result's symbol.
        label: name of the result.
        unit: unit of the numbers, as the heading of a column.
        brackets: the brackets to add or subtract.
        notation: the symbols' TeX and numbers.
        number_name: name of the result, for the role ``llm-size``; may be empty.
    """

    symbol: str
    label: str
    unit: str
    brackets: tuple[Bracket, ...]
    notation: Notation
    number_name: str = ""

    @property
    def letter(self) -> str:
        """The symbol without its index, for sums with a running number: ``N`` for N_active."""
        return self.symbol.partition("_")[0]

    @property
    def result(self) -> int:
        """The value of the sum."""
        result = 0
        for bracket in self.brackets:
            count = self.notation.count(bracket.size)
            result += -count if bracket.is_subtracted else count
        return result


def derivation(exact: ExactSum) -> Derivation:
    """The rows of a sum; summands that are 0 are omitted, and a single one is the total."""
    writer = _Writer(exact.notation)
    rows: list[SumRow] = []
    for bracket in exact.brackets:
        subtotals = [row.symbols[0] for row in rows if row.kind is SumRowKind.SUBTOTAL]
        sum_symbol = bracket.sum_symbol
        if not sum_symbol or sum_symbol in subtotals:
            sum_symbol = f"{exact.letter}_{{{len(subtotals) + 1}}}"
        rows += writer.rows(bracket, sum_symbol)
    if len(rows) == 1:
        rows = [replace(rows[0], kind=SumRowKind.TOTAL)]
    else:
        result, symbol = thousands(exact.result), (exact.symbol,)
        kind, name = SumRowKind.TOTAL, exact.number_name
        rows.append(SumRow(exact.label, symbol, (), result, kind, number_name=name))
    return Derivation(exact.unit, tuple(rows))


@dataclass(frozen=True)
class _Writer:
    """Writes brackets as rows, with the symbols and numbers of a notation."""

    notation: Notation

    def rows(self, bracket: Bracket, symbol: str) -> Iterator[SumRow]:
        """Rows for the summands that are not 0; several with common factors are in a bracket.

        Args:
            bracket: the summands and their common factors.
            symbol: TeX for the sum of the summands, if they are in a bracket.
        """
        summands = [each for summand in bracket.summands for each in self._divided(summand)]
        if len(summands) == 1 and self._is_wide((*bracket.factors, *summands[0].factors)):
            # too wide for one row, so its members get rows in a bracket
            summands = [each for each in summands[0].members if each.size != 0] or summands
        if bracket.factors and len(summands) > 1:
            yield from self._rows_in_bracket(bracket, summands, symbol)
        else:
            for summand in summands:
                yield self._row_without_bracket(bracket, summand)

    def _row_without_bracket(self, bracket: Bracket, summand: Summand) -> SumRow:
        """The row of a summand, multiplied by the factors of the bracket if there are any."""
        label = bracket.label if bracket.factors else summand.label
        factors = (*bracket.factors, *summand.factors)
        row = self._row(replace(summand, factors=factors, label=label))
        return _negated(row) if bracket.is_subtracted else row

    def _rows_in_bracket(
        self, bracket: Bracket, summands: list[Summand], symbol: str
    ) -> Iterator[SumRow]:
        """Rows of the summands in a bracket, of their sum, and of its product with the factors.

        A heading comes first if the bracket is a component that is divided into summands.
        """
        if bracket.heading:
            yield SumRow(bracket.heading, (), (), "", SumRowKind.HEADING)
        for summand in summands:
            name = _in_one_layer(summand.number_name)
            yield replace(self._row(summand), kind=SumRowKind.INNER, number_name=name)
        result = thousands(self.notation.count(bracket.sum))
        label = bracket.sum_label or _("Subtotal")
        name = _in_one_layer(bracket.number_name)
        yield SumRow(label, (symbol,), (), result, SumRowKind.SUBTOTAL, number_name=name)
        yield self._product_row(bracket, symbol)

    def _divided(self, summand: Summand) -> Iterator[Summand]:
        """The summand, or its members if it is wide; nothing if it is 0."""
        width = self._width(self.notation.numbers(summand.size))
        if summand.members and width > MAX_WIDTH:
            for member in summand.members:
                yield from self._divided(member)
        elif summand.size != 0:
            yield summand

    def _row(self, summand: Summand) -> SumRow:
        """The row of a summand, without numbers if they would only repeat the result."""
        count = self.notation.count(summand.size)
        symbols = product_tex(summand.factors, self.notation.symbols, SPACE)
        factors = [size for size in summand.factors if self.notation.numbers(size) != ONE]
        numbers = product_tex(tuple(factors), self.notation.numbers, TIMES)
        if repeats(numbers, count):
            numbers = ()
        name = summand.number_name
        return SumRow(summand.label, symbols, numbers, thousands(count), number_name=name)

    def _is_wide(self, factors: Factors) -> bool:
        """True for a product whose numbers don't fit a line."""
        numbers = product_tex(factors, self.notation.numbers, TIMES)
        return len(factors) > 1 and bool(self._width(numbers) > MAX_PRODUCT_WIDTH)

    def _width(self, numbers: Tex) -> Any:
        """Width of a product in numbers, in digits."""
        tex = "".join(numbers)
        if has_marks(tex):
            return traced_width(tex, self.notation.traced_in(tex))
        return width(tex)

    def _product_row(self, bracket: Bracket, symbol: str) -> SumRow:
        """The row for the product of the factors and the sum: ``L N_layer = 32 × 202,375,168``."""
        inside = (symbol, self.notation.count(bracket.sum))
        notation = replace(self.notation, others={**self.notation.others, INSIDE: inside})
        label, name = bracket.factors_text or bracket.label, bracket.number_name
        product = Summand((*bracket.factors, INSIDE), label, number_name=name)
        writer = replace(self, notation=notation)
        return replace(writer._row(product), kind=SumRowKind.PRODUCT)


def _in_one_layer(name: str) -> str:
    """Name of a number in one of its layers, before words such as those in ``flops.qkv:2048``.

    Empty for an empty name.
    """
    ids, colon, words = name.partition(":")
    return f"{ids}.{PER_LAYER}{colon}{words}" if name else ""


def _negated(row: SumRow) -> SumRow:
    """The row of a summand that is subtracted."""
    symbols, numbers = _with_minus(row.symbols), _with_minus(row.numbers)
    return replace(row, symbols=symbols, numbers=numbers, result=f"−{row.result}", number_name="")


def _with_minus(tex: Tex) -> Tex:
    """The TeX with a minus sign before it; empty TeX stays empty."""
    return (f"- {tex[0]}", *tex[1:]) if tex else ()
