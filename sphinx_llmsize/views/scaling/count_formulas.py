"""Formulas of counts in the model's symbols, as in derivations: ``2 L D d_h (H + H_kv)``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import sympy

from sphinx_llmsize.algebra import ONE, Size
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.equal_weights import with_equal_weights
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, Tex
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.product_tex import SPACE, product_tex
from sphinx_llmsize.views.shared.stage_products import stage_factors, sum_of_norms
from sphinx_llmsize.views.shared.symbolic import Notation, factor_tex, to_sympy
from sphinx_llmsize.views.shared.tex_as_text import tex_line
from sphinx_llmsize.views.shared.wording import formula_line, separated

Addends = Sequence[sympy.Expr]
"""Sizes whose sum is shown as a whole, or one by one if that has fewer terms."""


def parameters_line(placed_stages: Iterable[PlacedStage], architecture: Architecture) -> Line:
    """A formula for the parameters of whole groups of stages; same layers share a bracket."""
    by_layers: dict[Size, list[Occurrence]] = {}
    has_norms = False
    for each in occurrences(with_equal_weights(placed_stages), architecture):
        if each.stage.group is Group.NORMS:
            has_norms = True
        else:
            by_layers.setdefault(each.layers, []).append(each)
    notation = Notation(architecture.sizes)
    terms = [_parameters(layers, stages, notation) for layers, stages in by_layers.items()]
    if has_norms:
        counts, norms = sum_of_norms(architecture)
        terms.append(Notation(architecture.sizes, counts).symbols(norms))
    return sum_line(terms, notation)


def in_layers(layers: Size, sums: Sequence[Addends], notation: Notation) -> Tex:
    """``L (2 D F + D)``, ``2 L D d_h (H + H_kv)``: several sums in equally many layers.

    Like terms of different sums are added.
    """
    whole = sympy.Add(*chain.from_iterable(sums))
    if whole == 0:
        return ()
    terms = [term for addends in sums for term in _terms(addends, notation)]
    if len(terms) == 1 or len(notation.symbols(whole)) < sum(map(len, terms)):
        return notation.symbols(to_sympy(layers) * whole)
    tex = " + ".join(map("".join, terms))
    return (tex,) if layers == ONE else (f"{factor_tex(layers)}{SPACE}({tex})",)


def sum_line(terms: Iterable[Tex], notation: Notation) -> Line:
    """The sum of the terms that are not empty."""
    lines = [tex_line(tex, notation.sizes) for tex in terms if tex]
    return formula_line(separated(lines, " + "))


def _parameters(layers: Size, stages: Sequence[Occurrence], notation: Notation) -> Tex:
    """The parameters of stages in equally many layers; a single matrix has its sides in order."""
    factors = stage_factors(stages[0].stage)
    if len(stages) == 1 and len(factors) > 1:
        return product_tex((to_sympy(layers), *factors), notation.symbols, SPACE)
    return in_layers(layers, [[to_sympy(each.stage.parameters) for each in stages]], notation)


def _terms(addends: Addends, notation: Notation) -> list[Tex]:
    """The sum as a whole, or its addends if they have fewer terms; empty for 0.

    ``D R + R H (d_nope + d_rope)`` is one by one.
    """
    whole = sympy.Add(*addends)
    if whole == 0:
        return []
    in_one = notation.symbols(whole)
    one_by_one = [notation.symbols(addend) for addend in addends if addend != 0]
    return one_by_one if sum(map(len, one_by_one)) < len(in_one) else [in_one]
