"""All parameters of a model, and the active ones, as exact sums of symbolic sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.stacks import PlacedStage, by_group
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import SINGLE, Role, Tensor
from sphinx_llmsize.blocks import Formula
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.shared.exact_sum import (
    Bracket,
    ExactSum,
    Factors,
    Summand,
    exact_sum_lines,
)
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed
from sphinx_llmsize.views.shared.wording import in_sentence

TOTAL = "N"


def total_sum(model: Model) -> Formula:
    """``N = D·V + L·(attention + norms) + …``, with a bracket for each set of stacks."""
    brackets = (
        Bracket(tuple(_summands(members)), _layers(members[0].layers))
        for members in _grouped(model, lambda each: each.stacks or each.stage)
    )
    notation = Notation(model.architecture.sizes)
    exact = ExactSum(TOTAL, tuple(brackets), notation, counts_summands=True)
    return Formula(exact_sum_lines(exact))


def active_sum(model: Model) -> Formula:
    """``N_active = N − L·(E − k)·(the parameters of an expert)``."""
    total = sympy.Symbol(TOTAL)
    brackets = [Bracket((Summand((total,)),))]
    for members in _grouped(model, lambda each: (each.stacks, each.stage.expert_count)):
        count = members[0].stage.expert_count
        if count != SINGLE:
            tensors = (t for m in members for t in m.stage.tensors if t.expert_count == count)
            expert = sympy.Add(*(to_sympy(tensor.parameters_of_one) for tensor in tensors))
            unused = to_sympy(count.total) - to_sympy(count.per_token)
            factors = (*_layers(members[0].layers), unused)
            brackets.append(Bracket((Summand((expert,)),), factors, is_subtracted=True))
    notation = Notation(model.architecture.sizes, {total: (TOTAL, model.total)})
    name = indexed(TOTAL, pgettext("below a symbol", "active"))
    return Formula(exact_sum_lines(ExactSum(name, tuple(brackets), notation)))


def _grouped(model: Model, key: Callable[[Occurrence], object]) -> Iterator[list[Occurrence]]:
    """The stages that have tensors, grouped by ``key``."""
    found: dict[object, list[Occurrence]] = {}
    for each in occurrences(model.architecture.places(), model.architecture):
        if each.stage.tensors:
            found.setdefault(key(each), []).append(each)
    return iter(found.values())


def _layers(layers: Size) -> Factors:
    """The number of layers as a factor; no factor for a single layer."""
    return () if layers == ONE else (to_sympy(layers),)


def _summands(members: list[Occurrence]) -> Iterator[Summand]:
    """The summands of one layer: weights and biases of each group.

    A stage that occurs only once, such as the LM head, is a single summand.
    """
    first, *others = members
    if first.layers == ONE and not others:
        yield Summand((to_sympy(first.stage.parameters),), _label(first.stage))
        return
    for group, places in by_group(PlacedStage(each.stage) for each in members):
        name = in_sentence(group.label)
        for label, is_bias in ((name, False), (_("{component} biases", component=name), True)):
            parts = tuple(_stage_summands(group, places, is_bias=is_bias))
            if parts:
                whole = sympy.Add(*(part.size for part in parts))
                yield Summand((whole,), label, parts if len(parts) > 1 else ())


def _stage_summands(
    group: Group, places: tuple[PlacedStage, ...], *, is_bias: bool
) -> Iterator[Summand]:
    for stage in dict.fromkeys(place.stage for place in places):
        tensors = [t for t in stage.tensors if _is_bias(t, group) == is_bias]
        if tensors:
            size = sympy.Add(*(to_sympy(tensor.parameters) for tensor in tensors))
            yield Summand((size,), _label(stage))


def _is_bias(tensor: Tensor, group: Group) -> bool:
    return tensor.role is Role.BIAS and group is not Group.NORMS


def _label(stage: Stage) -> str:
    name = in_sentence(stage.label)
    return _("{stage} (tied)", stage=name) if stage.tied_to else name
