"""Formulas of costs per token in the model's symbols: ``L (4 H d_h + 4 D + F) + 2 D + V``."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy
from sympy import diff, expand

from sphinx_llmsize.algebra import ONE, Quantity, Size, Symbol, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.cost import grows, length_of
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.blocks import Line, Tex
from sphinx_llmsize.config.symbols import Length
from sphinx_llmsize.translation import _
from sphinx_llmsize.typography import NO_BREAK
from sphinx_llmsize.views.compute.flops_polynomial import is_polynomial
from sphinx_llmsize.views.compute.flops_sums import SYMPY_T, flops_notation, flops_of
from sphinx_llmsize.views.scaling.count_formulas import in_layers, sum_line
from sphinx_llmsize.views.scaling.polynomial_text import exact_text
from sphinx_llmsize.views.shared.occurrences import occurrences_by_group
from sphinx_llmsize.views.shared.symbolic import Notation, sympy_symbol, to_sympy
from sphinx_llmsize.views.shared.wording import formula_line

Addend = tuple[str, sympy.Expr]
"""An id and a size; the sizes with the same id are shown as one sum if that has fewer terms."""
MAX_WIDTH = 140
"""Width of the longest formula, in characters: about three lines of the table."""


def output_elements_line(architecture: Architecture) -> Line:
    """``L (4 H d_h + 4 D + F) + 2 D + V``: elements per token in the outputs of all steps.

    It is empty if it would be long, if layers are applied several times, or if a step's output
    isn't a vector for each token.
    """
    notation = Notation(architecture.sizes)
    return _short(sum_line(_by_layers(architecture, _output_elements, notation), notation))


def flops_line(architecture: Architecture, tokens: int) -> Line:
    """``L (4 D d_h (H + H_kv) + 4 T H d_h + 6 D F) + 2 V D``: FLOPs per token of T tokens.

    It is empty if it would be long, if layers are applied several times, if it has other lengths
    than T, or if a product isn't computed for each token.
    """
    if not is_polynomial(architecture):
        return ()
    sizes = {**architecture.sizes, **flops_notation(architecture, tokens).sizes}
    notation = Notation(sizes)
    return _short(sum_line(_by_layers(architecture, _flops, notation), notation))


def cache_line(architecture: Architecture, bytes_per_element: Fraction) -> Line:
    """``2 L H_kv d_h × 2 bytes``: bytes that each token adds to the KV cache.

    It is empty if it would be long, if layers are applied several times, or if an entry of the
    cache belongs to several tokens.
    """
    shapes = (shape for stage in architecture.stages() for shape in stage.caches)
    symbols = {symbol for shape in shapes for symbol in product(*shape).symbols()}
    values: dict[Symbol, int] = {s: s.value for s in symbols if isinstance(s, Quantity)}
    notation = Notation({**architecture.sizes, **values})
    terms = _by_layers(architecture, _added_to_cache, notation)
    elements = sum_line(terms, notation)
    if not elements or bytes_per_element == 1:
        return _short(elements)
    if sum(map(len, terms)) > 1:
        elements = formula_line(("(", *elements, ")"))
    size = _("{number} bytes", number=exact_text(bytes_per_element)).replace(" ", NO_BREAK)
    return _short((*elements, *formula_line((f"{NO_BREAK}× ", size))))


def _by_layers(
    architecture: Architecture,
    addends_of: Callable[[Stage], list[Addend] | None],
    notation: Notation,
) -> list[Tex]:
    """A term for each number of layers, then one for the stages outside the layers.

    Empty if a stage has no such sizes (None), or if layers are applied several times.
    """
    by_layers: dict[Size, dict[str, list[sympy.Expr]]] = {}
    for each in occurrences_by_group(architecture.placed_stages(), architecture):
        addends = addends_of(each.stage)
        is_repeated = any(stack.uses != stack.layers for stack in each.stacks)
        if addends is None or (addends and is_repeated):
            return []
        for id, size in addends:
            by_layers.setdefault(each.layers, {}).setdefault(id, []).append(size)
    layers_first = sorted(by_layers.items(), key=lambda item: item[0] == ONE)
    return [in_layers(layers, [*sums.values()], notation) for layers, sums in layers_first]


def _output_elements(stage: Stage) -> list[Addend] | None:
    """The elements per token in a stage's output; None if it isn't a vector for each token."""
    lengths = [size for size in stage.output if isinstance(size, Length)]
    if [length.equals_tokens for length in lengths] != [True]:
        return None
    vector = product(*(size for size in stage.output if size not in lengths))
    return [("", to_sympy(vector))]


def _flops(stage: Stage) -> list[Addend] | None:
    """The FLOPs per token of a stage, apart for weights and for products of activations.

    None if a product isn't computed for each token, as in a pooler.
    """
    parts = {"weights": stage.matmuls_with_weights, "activations": stage.computes}
    flops = {name: flops_of(matmuls) / SYMPY_T for name, matmuls in parts.items()}
    per_token = {f"{stage.group.value}.{name}": expand(size) for name, size in flops.items()}
    if not all(size.is_polynomial(SYMPY_T) for size in per_token.values()):
        return None
    return [(id, size) for id, size in per_token.items() if size != 0]


def _added_to_cache(stage: Stage) -> list[Addend] | None:
    """The elements that each token adds to a stage's cache; None if only groups of tokens do."""
    lengths = ((shape, length_of(shape)) for shape in stage.caches)
    growing = [(shape, length) for shape, length in lengths if length and grows(length)]
    if any(length.rate > 1 for _shape, length in growing):
        return None
    return [
        ("", diff(to_sympy(product(*shape)), sympy_symbol(length))) for shape, length in growing
    ]


def _short(line: Line) -> Line:
    """The formula; empty if it is too long to be read."""
    return line if len("".join(map(str, line))) <= MAX_WIDTH else ()
