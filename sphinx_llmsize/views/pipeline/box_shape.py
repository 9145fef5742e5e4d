"""Shapes of the weights in a box, in symbols."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import gcd

from sphinx_llmsize.algebra import Number, Size, Sum, factors_of, product
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.architecture.tensors import Shape, Tensor
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.views.pipeline.layer_items import StageItem
from sphinx_llmsize.views.shared.wording import TIMES, formula_line, shape_line

MAX_LENGTH = 30
"""Maximum number of characters of a shape beside a share."""
MAX_DIMENSION_LENGTH = 20
"""Maximum number of characters of a dimension, since lines only break between dimensions."""


def weights_shape(item: StageItem) -> Line:
    """The common shape of the matrices in symbols; empty without any that fits a box."""
    stage, *others = item.stages
    matrices = [tensor for tensor in stage.tensors if tensor.is_matrix]
    if not matrices or any(other.tensors != stage.tensors for other in others):
        return ()
    line = _common_matrix_shape(stage, matrices)
    return line if line and _fits(line) else ()


def _common_matrix_shape(stage: Stage, matrices: Sequence[Tensor]) -> Line:
    """``3 × D × F``, or ``3 × E × D × F`` for experts; empty if the shapes are too different."""
    # a router, which is not in each expert, may share their box
    if len({tensor.expert_count for tensor in matrices}) > 1:
        return ()
    shapes = [tensor.shape for tensor in matrices]
    if not stage.expert_count:
        return _common_shape(shapes)
    experts = stage.expert_count.total
    if of_all_experts := _common_shape([(experts, *shape) for shape in shapes]):
        return of_all_experts
    line = _common_shape(shapes)
    return formula_line((*shape_line((experts,)), TIMES, *line)) if line else ()


def _fits(shape: Line) -> bool:
    """True if a shape, and each of its dimensions, is not too long for a box."""
    text = "".join(map(str, shape))
    return len(text) <= MAX_LENGTH and max(map(len, text.split(TIMES))) <= MAX_DIMENSION_LENGTH


def _common_shape(shapes: list[Shape]) -> Line:
    """``3 × D × F`` or ``D × (H + 2H_kv)·d_h``; empty if no dimension is common to all shapes."""
    if not shapes:
        return ()
    first = shapes[0]
    if all(sorted(map(str, shape)) == sorted(map(str, first)) for shape in shapes):
        count = (thousands(len(shapes)), TIMES) if len(shapes) > 1 else ()
        return formula_line((*count, *shape_line(first)))
    if any(len(shape) != 2 for shape in shapes):  # noqa: PLR2004 - rows and columns
        return ()
    rows, columns = ({shape[side] for shape in shapes} for side in (0, 1))
    if len(rows) == 1:
        return _number_first((first[0], sum_of(shape[1] for shape in shapes)))
    if len(columns) == 1:
        return _number_first((sum_of(shape[0] for shape in shapes), first[1]))
    common = [size for size in first if all(size in shape for shape in shapes)]
    return _with_dimension(common[0], shapes) if common else ()


def _number_first(shape: Shape) -> Line:
    """``4 × D × D`` for D × 4D, the shape of several matrices side by side."""
    factors = [factors_of(size) for size in shape]
    numbers = [each for size in factors for each in size if isinstance(each, Number)]
    sizes = [[each for each in size if not isinstance(each, Number)] for size in factors]
    if not numbers or not all(sizes):
        return shape_line(shape)
    times = thousands(product(*numbers).evaluate({}))
    return formula_line((times, TIMES, *shape_line(tuple(product(*size) for size in sizes))))


def _with_dimension(common: Size, shapes: Iterable[Shape]) -> Line:
    """``2 × D × (H + H_kv)·d_h``: matrices of which D is the number of rows or of columns."""
    others = Counter(columns if rows == common else rows for rows, columns in shapes)
    times = gcd(*others.values())
    in_one = (size for size, number in others.items() for _index in range(number // times))
    line = shape_line((common, sum_of(in_one)))
    return formula_line((thousands(times), TIMES, *line)) if times > 1 else line


def sum_of(sizes: Iterable[Size]) -> Size:
    """The sum of sizes, with a common last factor outside: ``(H + 2H_kv)·d_h``."""
    terms = [factors_of(size) for size in sizes]
    first = terms[0]
    if len(first) > 1 and all(term[-1] == first[-1] for term in terms):
        return product(_sum_of_terms(product(*term[:-1]) for term in terms), first[-1])
    return _sum_of_terms(product(*term) for term in terms)


def _sum_of_terms(sizes: Iterable[Size]) -> Size:
    """The sum of sizes: ``H + 2H_kv``, ``7D`` for D and 6D, and a number for numbers."""
    coefficients: Counter[Size] = Counter()
    for size in sizes:
        number, others = _coefficient_of(size)
        coefficients[others] += number
    terms = tuple(product(number, others) for others, number in coefficients.items())
    return terms[0] if len(terms) == 1 else Sum(terms)


def _coefficient_of(size: Size) -> tuple[int, Size]:
    """The product of the numbers among a size's factors, and that of all others."""
    factors = factors_of(size)
    numbers = (each for each in factors if isinstance(each, Number))
    others = (each for each in factors if not isinstance(each, Number))
    return product(*numbers).evaluate({}), product(*others)
