"""The exact sum: in symbols, with the numbers in, each summand counted, and the result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import sympy

from sphinx_llmsize.algebra import ONE, Size, Sum
from sphinx_llmsize.architecture.stacks import PlacedStage, by_group
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.symbolic import Notation, parts, summands, to_sympy
from sphinx_llmsize.views.shared.typeset import (
    Term,
    added,
    braced,
    number,
    room,
    sum_lines,
    term,
)
from sphinx_llmsize.views.shared.wording import in_sentence, stage_name

Render = Callable[["Summand"], tuple[Term, ...]]
"""Typesets a summand."""


TOTAL = "N"


@dataclass(frozen=True)
class Summand:
    """Parameters under one name: of a group of stages, or of one of them.

    Attributes:
        label: the name.
        parameters: the sum.
        members: the same, stage by stage, for where the whole would be too wide.
    """

    label: str
    parameters: sympy.Expr
    members: tuple[Summand, ...] = ()


def exact(model: Model) -> Formula:
    """The general formula, the same with numbers, each summand counted, and the result."""
    runs = [(layers, tuple(_summands(layers, stages))) for layers, stages in _runs(model)]
    notation = Notation(model.architecture.sizes)
    symbols, numbers = notation.symbols, notation.numbers

    def general(summand: Summand) -> tuple[Term, ...]:
        whole = braced(symbols(summand.parameters), summand.label)
        if whole.width <= room(TOTAL):
            return (whole,)
        if summand.members:
            return tuple(t for member in summand.members for t in general(member))
        of = parts(summand.parameters, symbols, room(TOTAL))
        return tuple(braced(part, summand.label) for part in of)

    def in_numbers(summand: Summand) -> tuple[Term, ...]:
        return tuple(term(numbers(part)) for part in summands(summand.parameters))

    def counted(summand: Summand) -> tuple[Term, ...]:
        return (term(number(notation.counted(summand.parameters))),)

    return Formula(
        (
            *sum_lines(TOTAL, _sum(runs, general, symbols, r" \, ")),
            *sum_lines("", _sum(runs, in_numbers, numbers, r" \times "), column=TOTAL),
            *sum_lines("", _sum(runs, counted, numbers, r" \times "), column=TOTAL),
            *sum_lines("", (term(rf"\mathbf{{{number(model.total)}}}"),)),
        )
    )


def _sum(
    runs: Iterable[tuple[Size, tuple[Summand, ...]]],
    render: Render,
    tex: Callable[[sympy.Expr], str],
    times: str,
) -> Iterator[Term]:
    """The model's parameters as a sum: stages one by one, those of layers as L·(groups)."""
    opening = ""
    for layers, found in runs:
        terms = [t for summand in found for t in render(summand)]
        if layers != ONE:
            alone = len(terms) == 1 and "+" not in terms[0].tex
            left, right = ("", "") if alone else (r"\bigl(", r"\bigr)")
            number_of = tex(to_sympy(layers))
            number_of = f"({number_of})" if isinstance(layers, Sum) else number_of
            terms[-1] = terms[-1] + term(right)
            before = term(opening + number_of + times + left)
            if before.width + terms[0].width > room(TOTAL) + term("+").width:
                # what the number of layers multiplies starts on a line of its own
                yield before
                opening, before = "", term("")
            terms[0] = before + terms[0]
        else:
            terms[0] = term(opening) + terms[0]
        yield from added(terms)
        opening = "+ "


def _runs(model: Model) -> Iterator[tuple[Size, tuple[Stage, ...]]]:
    """Stages with tensors: those that the same layers have together, others one by one."""
    together: dict[object, list[Occurrence]] = {}
    for occurrence in occurrences(model.architecture.places(), model.architecture):
        if occurrence.stage.tensors:
            together.setdefault(occurrence.stacks or occurrence.stage, []).append(occurrence)
    for members in together.values():
        yield members[0].layers, tuple(occurrence.stage for occurrence in members)


def _summands(layers: Size, stages: tuple[Stage, ...]) -> Iterator[Summand]:
    """What one layer has, by group, the biases of a group on their own; or what stands alone."""
    if layers == ONE and len(stages) == 1:
        yield Summand(_label(stages[0]), to_sympy(stages[0].parameters))
        return
    for group, places in by_group(map(PlacedStage, stages)):
        tensors = [(place.stage, t) for place in places for t in place.stage.tensors]
        biases = [pair for pair in tensors if _is_bias(pair[1], group)]
        name = in_sentence(group.label)
        yield from _summand(name, [pair for pair in tensors if pair not in biases])
        yield from _summand(_("{component} biases", component=name), biases)


def _is_bias(tensor: Tensor, group: Group) -> bool:
    return tensor.role is Role.BIAS and group is not Group.NORMS


def _summand(label: str, tensors: Sequence[tuple[Stage, Tensor]]) -> Iterator[Summand]:
    """One summand of these tensors, if there are any, with one for each of their stages."""
    stages = dict.fromkeys(stage for stage, _ in tensors)
    parts = tuple(
        Summand(_label(stage), _added(tensor for owner, tensor in tensors if owner == stage))
        for stage in stages
    )
    if parts:
        whole = sympy.Add(*(part.parameters for part in parts))
        yield Summand(label, whole, parts if len(parts) > 1 else ())


def _added(tensors: Iterable[Tensor]) -> sympy.Expr:
    return sympy.Add(*(to_sympy(tensor.parameters) for tensor in tensors))


def _label(stage: Stage) -> str:
    name = stage_name(stage)
    return _("{stage} (tied)", stage=name) if stage.tied_to else name
