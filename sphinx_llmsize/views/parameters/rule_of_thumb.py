"""The rule of thumb N ≈ L·c·D²: where its c comes from, and what it leaves out.

Per layer, the sizes of the matrices are polynomials in D once the other widths are
written as ratios to it (H·d_h = q·D, H_kv = H/g, F = r·D); c is the coefficient of D².
Kaplan et al. 2020 (https://arxiv.org/abs/2001.08361, equation 2.1) have 12 for the plain shape.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.architecture.stacks import PlacedStage, Stack, by_group
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.architecture.tensors import Role, Tensor
from sphinx_llmsize.config.symbols import D_H, E_S, F_E, F_S, H_KV, D, E, F, H, K, L
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.shared.symbolic import Notation, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.wording import stage_name

Q = Symbol("q", "H·d_h relative to D")
G = Symbol("g", "query heads to a key/value head")
R = Symbol("r", "F relative to D")
R_E = Symbol("r_e", "F_e relative to D")
R_S = Symbol("r_s", "F_s relative to D")
QUADRATIC = 2
QUOTED = Fraction(12)
"""The c of the plain transformer, by which the rule is known."""


@dataclass(frozen=True)
class GroupTerm:
    """A group's matrices in one layer: as they are, and as a multiple of D²."""

    group: Group
    parameters: sympy.Expr
    coefficient: sympy.Expr


@dataclass(frozen=True)
class RuleOfThumb:
    """The rule for one stack of layers.

    Attributes:
        stack: the layers.
        terms: each group's matrices.
        ratios: q, g and r with their values, those that the terms use.
        c: the exact coefficient of D² in one layer.
        layers: how many layers.
        hidden: D.
        rest: parameters that are no multiple of D², by what they are.
    """

    stack: Stack
    terms: tuple[GroupTerm, ...]
    ratios: tuple[tuple[Symbol, Fraction], ...]
    c: Fraction
    layers: int
    hidden: int
    rest: tuple[tuple[str, int], ...]

    @property
    def is_near_quoted(self) -> bool:
        """Whether c is near the 12 that the rule is quoted with, but not 12."""
        return self.c != QUOTED and abs(self.c - QUOTED) < Fraction(1, 2)

    def estimate(self, c: Fraction) -> Fraction:
        """L·c·D²."""
        return Fraction(self.layers * c * self.hidden**2)


FOLLOW_D = {F: R, F_E: R_E, F_S: R_S}
"""Widths that are told relative to D, by what stands for the ratio."""
FIXED = (E, E_S, H)
"""Sizes that stay when D grows, but multiply what grows with it."""


def applies(model: Model) -> bool:
    """Whether all layers are equal, and no wider than by D, the heads and the feed-forward."""
    stacks = tuple(model.architecture.stacks())
    known = {D, H, H_KV, D_H, K, *FOLLOW_D, *FIXED}
    return (
        len(stacks) == 1
        and stacks[0].layers == L
        and {H, D_H} <= set(model.architecture.sizes)
        and all(
            size.symbols() <= known
            for place in stacks[0].places
            for tensor in place.stage.tensors
            if tensor.is_matrix
            for size in tensor.stored
        )
    )


def rule_of_thumb(model: Model) -> RuleOfThumb:
    """The rule for a model to which it applies."""
    count = model.architecture.count
    (stack,) = model.architecture.stacks()
    relations, ratios = _ratios(model)
    terms = tuple(_group_terms(stack, relations))
    total = sympy.Add(*(term.coefficient for term in terms))
    values = {sympy_symbol(symbol): _rational(ratio) for symbol, ratio in ratios}
    c = sympy.Rational(total.xreplace(values))
    used = total.free_symbols
    return RuleOfThumb(
        stack,
        terms,
        tuple((symbol, ratio) for symbol, ratio in ratios if sympy_symbol(symbol) in used),
        Fraction(int(c.p), int(c.q)),
        count(stack.layers),
        count(D),
        _rest(model, relations),
    )


Relations = dict[sympy.Expr, sympy.Expr]


def _ratios(model: Model) -> tuple[Relations, tuple[tuple[Symbol, Fraction], ...]]:
    """What to put for each width, and the ratios this brings in; ratios of 1 are left out."""
    size = model.architecture.sizes
    q = Fraction(size[H] * size[D_H], size[D])
    g = Fraction(size[H], size.get(H_KV, size[H]))
    width = sympy_symbol(D) if q == 1 else sympy_symbol(Q) * sympy_symbol(D)
    kv_heads = sympy_symbol(H) if g == 1 else sympy_symbol(H) / sympy_symbol(G)
    follow = {symbol: ratio for symbol, ratio in FOLLOW_D.items() if symbol in size}
    relations: Relations = {
        sympy_symbol(H_KV): kv_heads,
        sympy_symbol(D_H): width / sympy_symbol(H),
        **{sympy_symbol(f): sympy_symbol(r) * sympy_symbol(D) for f, r in follow.items()},
    }
    ratios = {Q: q, G: g, **{r: Fraction(size[f], size[D]) for f, r in follow.items()}}
    fixed = {symbol: Fraction(size[symbol]) for symbol in FIXED if symbol in size}
    return relations, tuple({**ratios, **fixed}.items())


def _group_terms(stack: Stack, relations: Relations) -> Iterator[GroupTerm]:
    for group, places in by_group(stack.places):
        tensors = [tensor for place in places for tensor in place.stage.tensors]
        parameters = sympy.Add(*(_quadratic(tensor, relations) for tensor in tensors))
        if parameters != 0:
            coefficient = sympy.expand(parameters.xreplace(relations) / sympy_symbol(D) ** 2)
            yield GroupTerm(group, parameters, coefficient)


def _quadratic(tensor: Tensor, relations: Relations) -> sympy.Expr:
    """The terms of a tensor's parameters that are multiples of D² under the relations."""
    parameters = to_sympy(tensor.parameters)
    hidden = sympy_symbol(D)
    quadratic = [
        term
        for term in sympy.Add.make_args(parameters)
        if term.xreplace(relations).as_powers_dict()[hidden] == QUADRATIC
    ]
    return sympy.Add(*quadratic)


def _rest(model: Model, relations: Relations) -> tuple[tuple[str, int], ...]:
    """Every parameter that L·c·D² does not count, under a name for what it is."""
    count, notation = model.architecture.count, Notation(model.architecture.sizes)
    rest: dict[str, int] = {}
    for place in model.architecture.places():
        for tensor in place.stage.tensors:
            covered = _quadratic(tensor, relations) if place.stack else sympy.Integer(0)
            left = count(tensor.parameters) - notation.counted(covered)
            if left:
                name = _name(place, tensor)
                rest[name] = rest.get(name, 0) + left * count(place.layers)
    return tuple(rest.items())


def _name(place: PlacedStage, tensor: Tensor) -> str:
    if place.stage.group is Group.NORMS or tensor.role is Role.SCALE:
        return _("norms")
    return _("biases") if tensor.role is Role.BIAS else stage_name(place.stage)


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)
