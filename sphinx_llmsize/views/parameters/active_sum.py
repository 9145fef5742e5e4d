"""How many parameters one token uses: the exact sum without the experts it is not sent to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.tensors import SINGLE
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import pgettext
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.symbolic import Notation, summands, to_sympy
from sphinx_llmsize.views.shared.typeset import Term, indexed, number, room, sum_lines, term


def active_sum(model: Model) -> Formula:
    """``N − L·(E − k)·(the parameters of an expert)``, in symbols, in numbers and counted."""
    notation = Notation(model.architecture.sizes)
    symbols, numbers = notation.symbols, notation.numbers
    unused = tuple(_unused(model))
    counted = [number(notation.counted(sympy.Mul(*factors))) for factors in unused]
    name, total = _name(), number(model.total)
    return Formula(
        (
            *sum_lines(name, _less("N", [_product(f, symbols) for f in unused])),
            *sum_lines(
                "", _less(total, [_product(f, numbers, r" \times ") for f in unused]), column=name
            ),
            *sum_lines("", _less(total, [(term(count),) for count in counted]), column=name),
            *sum_lines("", (term(rf"\mathbf{{{number(model.active)}}}"),)),
        )
    )


def _name() -> str:
    return indexed("N", pgettext("below a symbol", "active"))


def _unused(model: Model) -> Iterator[tuple[sympy.Expr, ...]]:
    """Factors: layers, experts that a token does not use, parameters of one of them."""
    together: dict[tuple[object, ...], list[Occurrence]] = {}
    for occurrence in occurrences(model.architecture.places(), model.architecture):
        if occurrence.stage.expert_count != SINGLE:
            key = (occurrence.stacks, occurrence.stage.expert_count)
            together.setdefault(key, []).append(occurrence)
    for members in together.values():
        expert_count, layers = members[0].stage.expert_count, members[0].layers
        tensors = [
            t for member in members for t in member.stage.tensors if t.expert_count == expert_count
        ]
        spared = to_sympy(expert_count.total) - to_sympy(expert_count.per_token)
        one = sympy.Add(*(to_sympy(tensor.parameters_of_one) for tensor in tensors))
        yield (*(() if layers == ONE else (to_sympy(layers),)), spared, one)


def _product(
    factors: tuple[sympy.Expr, ...], tex: Callable[[sympy.Expr], str], times: str = r" \, "
) -> tuple[Term, ...]:
    """The factors: as one term if a line has room for it, else what is one expert's apart."""
    written = [rf"({tex(f)})" if f.is_Add else tex(f) for f in factors]
    whole = term(times.join(written))
    *counts, last = written
    if not counts or whole.width <= room(_name()):
        return (whole,)
    before, sign = term(times.join(counts)), times.strip()
    if term(last).width <= room(_name()) or not factors[-1].is_Add:
        return (before, term(f"{sign} {last}"))
    first, *others = (term(tex(part)) for part in summands(factors[-1]))
    opened = [term(rf"{sign} \bigl(") + first, *(term("+ ") + other for other in others)]
    return (before, *opened[:-1], opened[-1] + term(r"\bigr)"))


def _less(whole: str, parts: list[tuple[Term, ...]]) -> Iterator[Term]:
    yield term(whole)
    for first, *others in parts:
        yield term("- ") + first
        yield from others
