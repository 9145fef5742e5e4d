"""All parameters of a model, and the active ones, as exact sums of symbolic sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import sympy

from sphinx_llmsize.algebra import Number, Quantity, Size, Symbol
from sphinx_llmsize.architecture.stacks import LayerKind, Stack, label_of
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import SINGLE, Role, Tensor
from sphinx_llmsize.blocks import Derivation
from sphinx_llmsize.config.symbols import L
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, pgettext
from sphinx_llmsize.views.numbers.parts import TOTAL as TOTAL_ROW
from sphinx_llmsize.views.own_words import Labels, own_label
from sphinx_llmsize.views.shared.counted_table import group_label, stage_label
from sphinx_llmsize.views.shared.exact_sum import (
    Bracket,
    ExactSum,
    Factors,
    Summand,
    derivation,
)
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.symbolic import Notation, to_sympy
from sphinx_llmsize.views.shared.typeset import indexed
from sphinx_llmsize.views.shared.wording import layers_text, listed_text

TOTAL = "N"
MANY = 2
"""Number of symbols above which layers are counted in numbers."""


def total_sum(model: Model, labels: Labels = ()) -> Derivation:
    """``N = D·V + L·(attention + norms) + …``, with a bracket for each set of stacks.

    Args:
        model: the model.
        labels: the author's own labels of stages and groups.
    """
    brackets = (
        Bracket(tuple(_summands(members, labels)), *_layers(model, members[0]))
        for members in _grouped(model, lambda each: each.stacks or each.stage)
    )
    notation = _notation(model)
    total = own_label(labels, (TOTAL_ROW,), _("Total"))
    return derivation(ExactSum(TOTAL, total, _("Parameters"), tuple(brackets), notation))


def active_sum(model: Model) -> Derivation:
    """``N_active = N − L·(E − k)·(the parameters of an expert)``."""
    total = sympy.Symbol(TOTAL)
    brackets = [Bracket((Summand((total,), _("Total")),))]
    for members in _grouped(model, lambda each: (each.stacks, each.stage.expert_count)):
        count = members[0].stage.expert_count
        if count != SINGLE:
            tensors = (t for m in members for t in m.stage.tensors if t.expert_count == count)
            expert = sympy.Add(*(to_sympy(tensor.parameters_of_one) for tensor in tensors))
            unused = to_sympy(count.total) - to_sympy(count.per_token)
            others = Summand((unused, expert), _("Other experts"))
            brackets.append(Bracket((others,), *_layers(model, members[0]), is_subtracted=True))
    notation = replace(_notation(model), others={total: (TOTAL, model.total)})
    name = indexed(TOTAL, pgettext("below a symbol", "active"))
    label = _("Active parameters")
    return derivation(ExactSum(name, label, _("Parameters"), tuple(brackets), notation))


def _notation(model: Model) -> Notation:
    """The model's sizes, and the numbers of layers of a kind in several stacks."""
    groups = _grouped(model, lambda each: each.stacks)
    layers = [_layer_count(model, members[0]) for members in groups]
    quantities: dict[Symbol, int] = {q: q.value for q in layers if isinstance(q, Quantity)}
    return Notation({**model.architecture.sizes, **quantities})


def _grouped(model: Model, key: Callable[[Occurrence], object]) -> Iterator[list[Occurrence]]:
    """The stages that have tensors, grouped by ``key``."""
    found: dict[object, list[Occurrence]] = {}
    for each in occurrences(model.architecture.places(), model.architecture):
        if each.stage.tensors:
            found.setdefault(key(each), []).append(each)
    return iter(found.values())


def _layers(model: Model, occurrence: Occurrence) -> tuple[Factors, str]:
    """The number of layers as a factor, and in words; no factor for a single layer."""
    if not occurrence.stacks:
        return (), ""
    layers = _layer_count(model, occurrence)
    count = model.architecture.count(layers)
    labels = [_(stack.label) for stack in occurrence.stacks if layers != L and stack.label]
    kinds = label_of(_common_kinds(model, occurrence.stacks)) or listed_text(labels)
    return () if count == 1 else (to_sympy(layers),), layers_text(count, kinds)


def _layer_count(model: Model, occurrence: Occurrence) -> Size:
    """The number of layers: ``L_Mamba`` instead of ``L_Mamba,dense + L_Mamba,MoE``."""
    layers = occurrence.layers
    count = model.architecture.count(layers)
    if kinds := _common_kinds(model, occurrence.stacks):
        symbol = Quantity(f"{L.name}_{','.join(kind.subscript for kind in kinds)}", "", count)
        if symbol.name not in map(str, model.architecture.sizes):
            return symbol
    return Number(count) if len(layers.symbols()) > MANY else layers


def _common_kinds(model: Model, stacks: tuple[Stack, ...]) -> tuple[LayerKind, ...]:
    """The kinds of layers that only these stacks have in common; none for a single stack."""
    if len(stacks) < 2:  # noqa: PLR2004
        return ()
    first, *others = stacks
    kinds = tuple(kind for kind in first.kinds if all(kind in stack.kinds for stack in others))
    alike = {each for each in model.architecture.stacks() if set(kinds) <= set(each.kinds)}
    return kinds if alike == set(stacks) else ()


def _summands(members: list[Occurrence], labels: Labels) -> Iterator[Summand]:
    """The summands of one layer: weights and biases of each group.

    A stage that occurs only once, such as the LM head, is a single summand.
    """
    first, *others = members
    if not (first.stacks or others):
        yield Summand((to_sympy(first.stage.parameters),), stage_label(first, labels))
        return
    for group in Group:
        found = [each for each in members if each.stage.group is group]
        name = group_label(group, (each.stage.id for each in found), labels)
        for label, is_bias in ((name, False), (_("{component} biases", component=name), True)):
            parts = tuple(_stage_summands(found, labels, is_bias=is_bias))
            if parts:
                whole = sympy.Add(*(part.size for part in parts))
                yield Summand((whole,), label, parts if len(parts) > 1 else ())


def _stage_summands(
    members: list[Occurrence], labels: Labels, *, is_bias: bool
) -> Iterator[Summand]:
    for each in members:
        tensors = [t for t in each.stage.tensors if _is_bias(t, each.stage.group) == is_bias]
        if tensors:
            size = sympy.Add(*(to_sympy(tensor.parameters) for tensor in tensors))
            yield Summand((size,), stage_label(each, labels))


def _is_bias(tensor: Tensor, group: Group) -> bool:
    return tensor.role is Role.BIAS and group is not Group.NORMS
