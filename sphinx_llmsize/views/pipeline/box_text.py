"""Lines of text in a box: shapes of the weights, their share of the model, heads of attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from math import gcd

from sphinx_llmsize.algebra import Number, Size, Sum, factors_of, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Shape, Tensor
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.formats import percent, short_or_exact, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.pipeline.layer_items import StageItem
from sphinx_llmsize.views.pipeline.merged_stages import placed_members_of
from sphinx_llmsize.views.shared.experts_text import experts_text
from sphinx_llmsize.views.shared.latents import shares_rope_key
from sphinx_llmsize.views.shared.weight_lines import weight_lines
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    activation_line,
    filled,
    joined,
    separated,
    shape_line,
    tied_text,
)

MAX_LENGTH = 30
"""Maximum number of characters of a shape beside a share."""
MAX_DIMENSION_LENGTH = 20
"""Maximum number of characters of a dimension, since lines only break between dimensions."""


class BoxShape(Enum):
    """Way to write the shape of the weights in a box."""

    SYMBOLS = "symbols"
    COUNT = "count"
    """The number of parameters of a layer, which is shorter."""
    NONE = "none"
    """Not at all."""


def full_lines(stage: Stage, architecture: Architecture) -> Iterator[Line]:
    """Each shape in symbols and in numbers, experts, inner activations and tied weights."""
    for weights in weight_lines(stage):
        yield joined((*weights.prefix, *weights.symbols))
        yield (weights.numbers(architecture),)
    if experts := experts_text(stage, architecture):
        yield (experts,)
    if stage.intermediate in stage.caches:  # a recurrent state
        yield filled(_("state: {shape}"), shape=activation_line(stage.intermediate))
    elif stage.intermediate:
        yield activation_line(stage.intermediate)
    if tied := tied_text(stage):
        yield (tied,)


def summary_lines(item: StageItem, model: Model, layers: Line, shape: BoxShape) -> Iterator[Line]:
    """Up to three lines: layers or shape; heads or inner activations; share, or "tied".

    A norm has no lines.

    Args:
        item: the stage.
        model: the model.
        layers: text about the layers with this stage, in place of the shape; empty for none.
        shape: how the shape is written.
    """
    stage = item.stages[0]
    if stage.group is Group.NORMS:
        return
    if layers:
        yield layers
    elif shape is not BoxShape.NONE and (text := _shape(item, model.architecture, shape)):
        yield text
    if line := _heads_or_activations(stage, model):
        yield line
    parameters = model.architecture.count(item.parameters)
    if has_share(item, model):
        yield (percent(quotient(parameters, model.total)),)
    elif stage.tied_to:
        yield (_("the rest tied") if parameters else _("tied"),)


def has_share(item: StageItem, model: Model) -> bool:
    """True if the share of the parameters is one of :func:`summary_lines`."""
    stage = item.stages[0]
    is_norm = stage.group is Group.NORMS
    return not (is_norm or stage.tied_to) and bool(model.architecture.count(item.parameters))


def on_one_line(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines as a single one, with separators; nothing if there are no lines."""
    if line := separated(lines, SEPARATOR):
        yield line


def _shape(item: StageItem, architecture: Architecture, shape: BoxShape) -> Line:
    """The common shape of the matrices, or the number of parameters of one layer.

    Empty without matrices.
    """
    matrices = [tensor for tensor in item.stages[0].tensors if tensor.is_matrix]
    if not matrices:
        return ()
    line = _common_matrix_shape(item.stages[0], matrices)
    are_equal = len({version.tensors for version in item.stages}) == 1
    if shape is BoxShape.SYMBOLS and are_equal and line and _fits(line):
        return line
    return _parameter_count(item, architecture)


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
    return joined((*shape_line((experts,)), TIMES, *line)) if line else ()


def _parameter_count(item: StageItem, architecture: Architecture) -> Line:
    """``4,096 per layer``, ``1.2M to 1.5M per layer`` or ``1.2M parameters``; empty for 0."""
    counts = [architecture.count(version.parameters) for version in item.stages]
    least, most = short_or_exact(min(counts)), short_or_exact(max(counts))
    if not any(counts):
        return ()
    is_in_layers = item.placed_stages[0].stack is not None
    if not is_in_layers or any(map(placed_members_of, item.stages)):
        number = short_or_exact(architecture.count(item.parameters))
        return (_("{number} parameters", number=number),)
    if least == most:
        return (_("{number} per layer", number=least),)
    return (_("{least} to {most} per layer", least=least, most=most),)


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
        return joined((*count, *shape_line(first)))
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
    return joined((times, TIMES, *shape_line(tuple(product(*size) for size in sizes))))


def _with_dimension(common: Size, shapes: Iterable[Shape]) -> Line:
    """``2 × D × (H + H_kv)·d_h``: matrices of which D is the number of rows or of columns."""
    others = Counter(columns if rows == common else rows for rows, columns in shapes)
    times = gcd(*others.values())
    in_one = (size for size, number in others.items() for _index in range(number // times))
    line = shape_line((common, sum_of(in_one)))
    return joined((thousands(times), TIMES, *line)) if times > 1 else line


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


def _heads_or_activations(stage: Stage, model: Model) -> Line:
    """``32 heads, 8 KV heads`` for attention scores, or the shape of inner activations.

    In MLA, a part of the keys is not computed from the latent: ``128 heads, 1 RoPE key``.
    Empty for a stage with matrices, whose own shapes are shown.
    """
    if any(tensor.is_matrix for tensor in stage.tensors):
        return ()
    counts = {product.count for product in stage.computes}
    sizes = model.architecture.sizes
    if not any(H in count.symbols() for count in counts) or H not in sizes:
        return activation_line(stage.intermediate) if stage.intermediate else ()
    heads = sizes[H]
    key_heads = sizes.get(H_KV, heads)
    text = ngettext("{number} head", "{number} heads", heads, number=thousands(heads))
    if shares_rope_key(stage):
        return (_("{heads}, 1 RoPE key", heads=text),)
    if key_heads == heads:
        return (text,)
    grouped = ngettext(
        "{heads}, {number} KV head",
        "{heads}, {number} KV heads",
        key_heads,
        heads=text,
        number=thousands(key_heads),
    )
    return (grouped,)
