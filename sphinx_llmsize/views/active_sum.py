"""How many parameters one token uses: the exact sum without the experts it is not sent to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.pieces import ONCE
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.symbolic import numbers_tex, symbols_tex, sympy_symbol, to_sympy
from sphinx_llmsize.views.typeset import Term, number, sum_lines, term


def active_sum(model: Model) -> Formula:
    """``N − L·(E − k)·(the parameters of an expert)``, in symbols, in numbers and counted."""
    sizes = model.architecture.sizes
    names = {symbol: number(value) for symbol, value in sizes.items()}
    values = {sympy_symbol(symbol): value for symbol, value in sizes.items()}
    unused = tuple(_unused(model))

    def symbols(expression: sympy.Expr) -> str:
        return symbols_tex(expression, tuple(sizes))

    def numbers(expression: sympy.Expr) -> str:
        return numbers_tex(expression, names)

    counted = [number(int(sympy.Mul(*factors).subs(values))) for factors in unused]
    total = number(model.total)
    return Formula(
        (
            *sum_lines(r"N_{\text{active}}", _less("N", [_product(f, symbols) for f in unused])),
            *sum_lines("", _less(total, [_product(f, numbers, r" \times ") for f in unused])),
            *sum_lines("", _less(total, counted)),
            *sum_lines("", (term(rf"\mathbf{{{number(model.active)}}}"),)),
        )
    )


def _unused(model: Model) -> Iterator[tuple[sympy.Expr, ...]]:
    """Factors: layers, experts that a token does not use, parameters of one of them."""
    together: dict[tuple[object, ...], list[Occurrence]] = {}
    for occurrence in occurrences(model.architecture.places(), model.architecture):
        if occurrence.stage.copies != ONCE:
            key = (occurrence.stacks, occurrence.stage.copies)
            together.setdefault(key, []).append(occurrence)
    for members in together.values():
        copies, layers = members[0].stage.copies, members[0].layers
        tensors = [t for member in members for t in member.stage.tensors if t.copies == copies]
        spared = to_sympy(copies.total) - to_sympy(copies.used)
        one = sympy.Add(*(to_sympy(tensor.of_one) for tensor in tensors))
        yield (*(() if layers == ONE else (to_sympy(layers),)), spared, one)


def _product(
    factors: tuple[sympy.Expr, ...], tex: Callable[[sympy.Expr], str], times: str = r" \, "
) -> str:
    return times.join(rf"({tex(f)})" if f.is_Add else tex(f) for f in factors)


def _less(whole: str, parts: list[str]) -> Iterator[Term]:
    yield term(whole)
    for part in parts:
        yield term(f"- {part}")
