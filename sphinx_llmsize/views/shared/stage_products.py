"""Parameters of stages as products, in the order in which formulas show their factors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sympy

from sphinx_llmsize.algebra import Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.views.shared.norm_vectors import norm_vectors
from sphinx_llmsize.views.shared.occurrences import Occurrence
from sphinx_llmsize.views.shared.product_tex import Factors
from sphinx_llmsize.views.shared.symbolic import factor_tex, to_sympy

COUNT_NAME = "N"
"""Start of the names of sympy's symbols for numbers of norm vectors.

Readers see their TeX, but sympy sorts terms by these names.
"""


def stage_factors(stage: Stage) -> Factors:
    """The sides of a stage's only matrix, in the order of its shape.

    Otherwise, the stage's parameters as a single factor.

    ``D·V`` for an LM head and ``V·D`` for an embedding, as in the parameter table.
    """
    if len(stage.tensors) == 1:
        sides = stage.tensors[0].shape
        differ = len(set(sides)) == len(sides)  # D × D is a square
        are_symbols = all(isinstance(side, Symbol) for side in sides)
        # a tied matrix has no parameters, and experts have several such matrices
        has_one_copy = stage.parameters == product(*sides)
        if differ and are_symbols and has_one_copy:
            return tuple(map(to_sympy, sides))
    return (to_sympy(stage.parameters),)


def sum_of_stages(stages: Iterable[Occurrence]) -> sympy.Expr:
    """Parameters of these stages in one layer."""
    return sympy.Add(*(to_sympy(each.stage.parameters) for each in stages))


def sum_of_norms(
    architecture: Architecture,
) -> tuple[Mapping[sympy.Symbol, tuple[str, int]], sympy.Expr]:
    """The sum of all norms, ``N_0·D``, with a symbol for each number such as ``2L + 1``.

    A symbol keeps sympy from multiplying out the number.

    Returns:
        TeX and value of each of these symbols, and the sum.
    """
    counts: dict[sympy.Symbol, tuple[str, int]] = {}
    terms = []
    for position, vectors in enumerate(norm_vectors(architecture)):
        number = to_sympy(vectors.count)
        if not number.is_Integer:
            number = sympy.Symbol(f"{COUNT_NAME}_{position}")
            counts[number] = (factor_tex(vectors.count), architecture.count(vectors.count))
        terms.append(sympy.Mul(number, *map(to_sympy, vectors.shape)))
    return counts, sympy.Add(*terms)
