"""The exact sum: in symbols, with the numbers in, each summand counted, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.pieces import Group, Role, Stack, Stage, by_group
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.symbolic import numbers_tex, summands, symbols_tex, sympy_symbol, to_sympy
from sphinx_llmsize.views.typeset import Term, added, braced, number, sum_lines, term
from sphinx_llmsize.views.wording import stage_name

Render = Callable[[sympy.Expr, str], tuple[Term, ...]]
"""Typesets a summand that has a name."""


def exact(model: Model) -> Formula:
    """The general formula, the same with numbers, each summand counted, and the result."""
    sizes = dict(model.architecture.sizes)
    names = {symbol: number(value) for symbol, value in sizes.items()}
    values = {sympy_symbol(symbol): value for symbol, value in sizes.items()}
    times = {symbol: names[symbol] + r" \times " for symbol in sizes}

    def general(expression: sympy.Expr, label: str) -> tuple[Term, ...]:
        return (braced(symbols_tex(expression, tuple(sizes)), label),)

    def in_numbers(expression: sympy.Expr, label: str) -> tuple[Term, ...]:
        return tuple(term(numbers_tex(part, names)) for part in summands(expression))

    def counted(expression: sympy.Expr, label: str) -> tuple[Term, ...]:
        return (term(number(int(expression.subs(values)))),)

    return Formula(
        (
            *sum_lines("N", _sum(model, general, {symbol: symbol.tex for symbol in sizes})),
            *sum_lines("", _sum(model, in_numbers, times)),
            *sum_lines("", _sum(model, counted, times)),
            *sum_lines("", (term(rf"\mathbf{{{number(model.total)}}}"),)),
        )
    )


def _sum(model: Model, render: Render, repeated: dict[Symbol, str]) -> Iterator[Term]:
    """The model's parameters as a sum: stages one by one, stacks as L·(groups)."""
    opening = ""
    for item in model.architecture.items:
        if isinstance(item, Stack):
            terms = [t for label, e in _groups(item) for t in render(e, label)]
            terms[0] = term(rf"{opening}{repeated[item.layers]}\bigl(") + terms[0]
            terms[-1] = terms[-1] + term(r"\bigr)")
            yield from added(terms)
        else:
            first, *others = render(to_sympy(item.parameters), _label(item))
            yield from added([term(opening) + first, *others])
        opening = "+ "


def _groups(stack: Stack) -> Iterator[tuple[str, sympy.Expr]]:
    """What one layer has, by group; the biases of a group on their own."""
    for group, places in by_group(stack.places):
        tensors = [tensor for place in places for tensor in place.stage.tensors]
        biases = [t for t in tensors if t.role is Role.BIAS and group is not Group.NORMS]
        others = [tensor for tensor in tensors if tensor not in biases]
        name = group.value.lower()
        for label, members in ((name, others), (f"{name} biases", biases)):
            if members:
                yield label, sympy.Add(*(to_sympy(tensor.parameters) for tensor in members))


def _label(stage: Stage) -> str:
    return f"{stage_name(stage)} (tied)" if stage.tied_to else stage_name(stage)
