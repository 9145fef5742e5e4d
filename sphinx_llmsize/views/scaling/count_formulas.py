"""Formulas of counts in the model's symbols, as in derivations: ``2 L D d_h (H + H_kv)``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import sympy

from sphinx_llmsize.algebra import ONE, Size, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.blocks import Line, Tex
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.views.shared.occurrences import Occurrence, occurrences
from sphinx_llmsize.views.shared.product_tex import SPACE, product_tex
from sphinx_llmsize.views.shared.stage_products import stage_factors, sum_of_norms, sum_of_stages
from sphinx_llmsize.views.shared.symbolic import Notation, factor_tex, to_sympy
from sphinx_llmsize.views.shared.tex_as_text import tex_line
from sphinx_llmsize.views.shared.wording import separated

SizesByLayers = dict[Size, sympy.Expr]
"""Size of what equally many layers have, by the number of layers."""


def parameters_line(placed_stages: Iterable[PlacedStage], architecture: Architecture) -> Line:
    """A formula for the parameters of whole groups of stages; same layers share a bracket."""
    by_layers: dict[Size, list[Occurrence]] = {}
    has_norms = False
    for each in occurrences(placed_stages, architecture):
        if each.stage.group is Group.NORMS:
            has_norms = True
        else:
            by_layers.setdefault(each.layers, []).append(each)
    notation = Notation(architecture.sizes)
    terms = [_in_layers(layers, stages, notation) for layers, stages in by_layers.items()]
    if has_norms:
        counts, norms = sum_of_norms(architecture)
        terms.append(Notation(architecture.sizes, counts).symbols(norms))
    return _line(terms, architecture)


def output_elements_line(architecture: Architecture) -> Line:
    """``L (4 H d_h + 4 D + F) + 2 D + V``: elements per token in the outputs of all steps.

    It is empty if there is no such formula.
    """
    by_layers = output_elements_by_layers(architecture)
    if by_layers is None:
        return ()
    layers_first = sorted(by_layers.items(), key=lambda item: item[0] == ONE)
    notation = Notation(architecture.sizes)
    return _line([_product(*each, notation) for each in layers_first], architecture)


def output_elements_by_layers(architecture: Architecture) -> SizesByLayers | None:
    """Elements per token in the outputs of all steps, as one size for each number of layers.

    None if a step's output isn't a vector for each token, or layers are applied several times.
    """
    by_layers: SizesByLayers = {}
    for each in occurrences(architecture.placed_stages(), architecture):
        lengths = [size for size in each.stage.output if isinstance(size, Length)]
        if [length.equals_tokens for length in lengths] != [True]:
            return None
        if any(stack.uses != stack.layers for stack in each.stacks):
            return None
        vector = to_sympy(product(*(size for size in each.stage.output if size not in lengths)))
        by_layers[each.layers] = by_layers.get(each.layers, sympy.Integer(0)) + vector
    return by_layers


def _in_layers(layers: Size, stages: Sequence[Occurrence], notation: Notation) -> Tex:
    """The parameters of stages in equally many layers; a single matrix has its sides in order.

    Each stage has a term of its own if the sum has more terms: ``D R + R H (d_nope + d_rope)``.
    """
    factors = stage_factors(stages[0].stage)
    if len(stages) == 1 and len(factors) > 1:
        return product_tex((to_sympy(layers), *factors), notation.symbols, SPACE)
    whole = sum_of_stages(stages)
    sizes = (to_sympy(each.stage.parameters) for each in stages)
    by_stage = [notation.symbols(size) for size in sizes if size != 0]
    if sum(map(len, by_stage)) >= len(notation.symbols(whole)):
        return _product(layers, whole, notation)
    tex = " + ".join(map("".join, by_stage))
    return (tex,) if layers == ONE else (f"{factor_tex(layers)}{SPACE}({tex})",)


def _product(layers: Size, size: sympy.Expr, notation: Notation) -> Tex:
    """``2 L D d_h (H + H_kv)``, ``L (2 D F + D)``; empty for a size of 0."""
    return notation.symbols(to_sympy(layers) * size) if size != 0 else ()


def _line(terms: Iterable[Tex], architecture: Architecture) -> Line:
    """The sum of the terms that are not empty."""
    lines = [tex_line(tex, architecture.sizes) for tex in terms if tex]
    return separated(lines, " + ")
