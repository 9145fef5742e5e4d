"""The rule of thumb N_layers ≈ L·c·D²: the origin of c, and the parameters outside the rule.

Per layer, the sizes of the matrices are polynomials in D once the other widths are written as
ratios to it (H·d_h = q·D, H_kv = g·H, F = r·D); c is the coefficient of D². It is 12 for the plain
transformer (Kaplan et al. 2020, https://arxiv.org/abs/2001.08361, equation 2.1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stacks import Stack, by_group
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, E_S, F_E, F_S, H_KV, D, E, F, H, K, L
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.symbolic import Notation, sympy_symbol, to_sympy, value_of
from sphinx_llmsize.views.shared.wording import in_sentence, listed_text

Q = Symbol("q", "H·d_h relative to D")
G = Symbol("g", "H_kv relative to H")
R = Symbol("r", "F relative to D")
R_E = Symbol("r_e", "F_e relative to D")
R_S = Symbol("r_s", "F_s relative to D")
SQUARE = 2
"""Power of D in the rule."""
QUOTED = Fraction(12)
"""The value of c that is usually quoted, from Kaplan et al. 2020."""
RATIO_TO_D = {F: R, F_E: R_E, F_S: R_S}
"""Symbols for the ratios of widths to D."""
FACTORS = (E, E_S, H)
"""Numbers of experts or heads, which are factors in the terms and independent of D."""

Relations = dict[sympy.Expr, sympy.Expr]
"""Substitutions for widths other than D, such as r·D for F."""


@dataclass(frozen=True)
class GroupTerm:
    """Parameters of a group's matrices in one layer.

    Attributes:
        group: the group of stages.
        parameters: the parameters that are multiples of D², in the symbols of the sizes.
        coefficient: the factor of D² after the widths are written as ratios to D.
    """

    group: Group
    parameters: sympy.Expr
    coefficient: sympy.Expr


class Uncounted(NamedTuple):
    """A part of a model whose parameters L·c·D² does not count.

    Attributes:
        id: id of the stage; ``norms`` or ``bias`` for all norms or biases.
        name: display name.
        parameters: number of parameters.
    """

    id: str
    name: str
    parameters: int


@dataclass(frozen=True)
class RuleOfThumb:
    """The rule for one stack of layers.

    Attributes:
        terms: each group's matrices.
        ratios: the value of each ratio (q, g, r …) and factor in the terms.
        c: the exact coefficient of D² in one layer.
        layers: the number of layers.
        hidden: D.
        is_exact: True if the rule counts all parameters of the layers.
        uncounted: the parts that the rule does not count.
    """

    terms: tuple[GroupTerm, ...]
    ratios: Mapping[Symbol, Fraction]
    c: Fraction
    layers: int
    hidden: int
    is_exact: bool
    uncounted: tuple[Uncounted, ...]

    @property
    def coefficients(self) -> dict[str, Fraction]:
        """Contribution of each group to c, by id of the group."""
        values = {sympy_symbol(symbol): ratio for symbol, ratio in self.ratios.items()}
        return {
            term.group.value: _as_fraction(value_of(term.coefficient, values))
            for term in self.terms
        }

    @property
    def is_near_quoted(self) -> bool:
        """True if c is near 12."""
        return abs(self.c - QUOTED) < Fraction(1, 2)

    def estimate(self, c: Fraction) -> Fraction:
        """L·c·D²."""
        return c * self.layers * self.hidden**2


def has_rule_of_thumb(model: Model) -> bool:
    """True if all layers are equal and their matrices depend only on D, heads, F and experts."""
    stacks = tuple(model.architecture.stacks())
    has_heads = {H, D_H} <= set(model.architecture.sizes)
    if not has_heads or len(stacks) != 1 or stacks[0].layers != L:
        return False
    known = {D, H, H_KV, D_H, K, *RATIO_TO_D, *FACTORS}
    tensors = (tensor for placed in stacks[0].placed_stages for tensor in placed.stage.tensors)
    shapes = (tensor.stored_shape for tensor in tensors if tensor.is_matrix)
    return all(size.symbols() <= known for shape in shapes for size in shape)


def rule_of_thumb(model: Model) -> RuleOfThumb:
    """The rule, for a model with :func:`has_rule_of_thumb`."""
    (stack,) = model.architecture.stacks()
    ratios = _ratios(model.architecture.sizes)
    relations = _relations(ratios)
    terms = tuple(_group_terms(stack, relations))
    total = sympy.Add(*(term.coefficient for term in terms))
    used = {s: ratio for s, ratio in ratios.items() if sympy_symbol(s) in total.free_symbols}
    c = value_of(total, {sympy_symbol(s): ratio for s, ratio in used.items()})
    return RuleOfThumb(
        terms=terms,
        ratios=used,
        c=_as_fraction(c),
        layers=model.architecture.count(stack.layers),
        hidden=model.architecture.count(D),
        is_exact=_counts_everything(stack, relations),
        uncounted=_uncounted(model, relations),
    )


def ratios_of(model: Model) -> dict[Symbol, Fraction]:
    """The ratio of each width to D or H, even if the rule does not contain it: r = 4 if F = 4D."""
    ratios = _ratios(model.architecture.sizes)
    return {symbol: ratio for symbol, ratio in ratios.items() if symbol not in FACTORS}


def _ratios(sizes: dict[Symbol, int]) -> dict[Symbol, Fraction]:
    """The value of each ratio, and of each of the :data:`FACTORS`."""
    ratios = {
        Q: quotient(sizes[H] * sizes[D_H], sizes[D]),
        G: quotient(sizes.get(H_KV, sizes[H]), sizes[H]),
    }
    for width, ratio in RATIO_TO_D.items():
        if width in sizes:
            ratios[ratio] = quotient(sizes[width], sizes[D])
    for factor in FACTORS:
        if factor in sizes:
            ratios[factor] = _as_fraction(sizes[factor])
    return ratios


def _as_fraction(number: Any) -> Any:
    """The number as a Fraction even if it is whole; a traced number remains traced."""
    return quotient(number, 1)


def _relations(ratios: dict[Symbol, Fraction]) -> Relations:
    """Substitutions that write widths as multiples of D; q and g are left out if they are 1."""
    hidden, heads = sympy_symbol(D), sympy_symbol(H)
    width_of_heads = hidden if ratios[Q] == 1 else sympy_symbol(Q) * hidden
    relations = {
        sympy_symbol(H_KV): heads if ratios[G] == 1 else sympy_symbol(G) * heads,
        sympy_symbol(D_H): width_of_heads / heads,
    }
    for width, ratio in RATIO_TO_D.items():
        relations[sympy_symbol(width)] = sympy_symbol(ratio) * hidden
    return relations


def _group_terms(stack: Stack, relations: Relations) -> Iterator[GroupTerm]:
    """A term for each group with parameters that are multiples of D²."""
    for group, placed_stages in by_group(stack.placed_stages):
        tensors = [tensor for placed in placed_stages for tensor in placed.stage.tensors]
        parameters = sympy.Add(*(_quadratic(tensor, relations) for tensor in tensors))
        if parameters != 0:
            coefficient = sympy.expand(parameters.xreplace(relations) / sympy_symbol(D) ** 2)
            yield GroupTerm(group, parameters, coefficient)


def _quadratic(tensor: Tensor, relations: Relations) -> sympy.Expr:
    """The terms of a tensor's parameters that are multiples of D² under the relations."""

    def power_of_hidden(term: sympy.Expr) -> sympy.Expr:
        return term.xreplace(relations).as_powers_dict()[sympy_symbol(D)]

    terms = sympy.Add.make_args(to_sympy(tensor.parameters))
    return sympy.Add(*(term for term in terms if power_of_hidden(term) == SQUARE))


def _counts_everything(stack: Stack, relations: Relations) -> bool:
    """True if the parameters of each tensor in the layers are multiples of D²."""
    tensors = (tensor for placed in stack.placed_stages for tensor in placed.stage.tensors)
    return all(_quadratic(each, relations) == to_sympy(each.parameters) for each in tensors)


def _uncounted(model: Model, relations: Relations) -> tuple[Uncounted, ...]:
    """The parts that L·c·D² does not count, or counts only in part."""
    count, notation = model.architecture.count, Notation(model.architecture.sizes)
    rest: Counter[tuple[str, str]] = Counter()
    biases = _name_of_biases(model)
    for placed in model.architecture.placed_stages():
        for tensor in placed.stage.tensors:
            # an expression of SymPy, while the tensor's parameters are a size of ours
            covered = _quadratic(tensor, relations) if placed.stack else sympy.Integer(0)
            uncounted_in_layer = count(tensor.parameters) - notation.count(covered)
            part = _id_and_name(placed.stage, tensor, biases)
            rest[part] += uncounted_in_layer * count(placed.layers)
    return tuple(Uncounted(id, name, number) for (id, name), number in rest.items() if number)


def _name_of_biases(model: Model) -> str:
    """``biases``; ``biases of attention and FFN`` or ``outside norms`` if norms have them, too."""
    with_biases: dict[Group, None] = {}
    for placed in model.architecture.placed_stages():
        if any(tensor.role is Role.BIAS for tensor in placed.stage.tensors):
            with_biases[placed.stage.group] = None
    if Group.NORMS not in with_biases:
        return _("biases")
    groups = [in_sentence(group.label) for group in with_biases if group is not Group.NORMS]
    if len(groups) > 2:  # noqa: PLR2004 - a pair
        return _("biases outside norms")
    return _("biases of {parts}", parts=listed_text(groups))


def _id_and_name(stage: Stage, tensor: Tensor, biases: str) -> tuple[str, str]:
    """Id and display name of the part that contains the tensor: norms, biases or its stage."""
    if stage.group is Group.NORMS or tensor.role is Role.SCALE:
        return Group.NORMS.value, _("norms")
    if tensor.role is Role.BIAS:
        return Role.BIAS.value, biases
    return stage.id, in_sentence(stage.label)
