"""Lines of text in a box: shapes of the weights, their share of the model, heads of attention."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sphinx_llmsize.algebra import Number, Product, Size, Sum, product
from sphinx_llmsize.architecture.architecture import Architecture
from sphinx_llmsize.architecture.stages import Group, Stage
from sphinx_llmsize.architecture.tensors import Shape
from sphinx_llmsize.blocks import Line
from sphinx_llmsize.config.symbols import H_KV, H
from sphinx_llmsize.diagram_boxes import SEPARATOR
from sphinx_llmsize.formats import percent, short_or_exact, thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.pipeline.gates import ROUTERS
from sphinx_llmsize.views.pipeline.layer_variants import StageItem
from sphinx_llmsize.views.shared.weight_lines import weight_lines
from sphinx_llmsize.views.shared.wording import (
    TIMES,
    activation_line,
    experts_text,
    filled,
    joined,
    shape_line,
    shape_numbers,
    tied_text,
)

MAX_LENGTH = 30
"""Number of characters of a shape that fits in a box together with a share."""
MAX_FACTOR = 20
"""Number of characters of a side of a shape that fits in a narrow box, as a line only breaks
between sides."""


def every_line(stage: Stage, architecture: Architecture) -> Iterator[Line]:
    """Each shape in symbols and in numbers, experts, inner activations and tied weights."""
    for weights in weight_lines(stage):
        yield joined((*weights.prefix, *shape_line(weights.shape)))
        yield (shape_numbers(weights.shape, architecture),)
    if experts := experts_text(stage, architecture):
        yield (experts,)
    if stage.intermediate in stage.caches:  # a state, which each token changes
        yield filled(_("state: {shape}"), shape=activation_line(stage.intermediate))
    elif stage.intermediate:
        yield activation_line(stage.intermediate)
    if tied := tied_text(stage):
        yield (tied,)


def summary(
    item: StageItem, model: Model, layers: Line = (), *, has_shape: bool = True
) -> Iterator[Line]:
    """Shape and share, or the heads of attention.

    Args:
        item: the stage.
        model: the model.
        layers: layers with this stage, to show in place of the shape.
        has_shape: shows the shape; narrow boxes have room for little more than the share.
    """
    stages, stage = item.stages, item.stages[0]
    if stage.group is Group.NORMS:
        return
    in_layers = item.placed_stages[0].stack is not None
    architecture = model.architecture
    shape = layers or (has_shape and _shape(stages, architecture, in_layers=in_layers))
    yield from filter(None, (shape, _heads(stage, model)))
    parameters = model.architecture.count(item.parameters)
    if stage.tied_to:
        yield (_("the rest tied") if parameters else _("tied"),)
    elif parameters and stage.id not in ROUTERS:  # slim boxes of hardly any parameters
        yield (percent(quotient(parameters, model.total)),)


def on_one_line(pieces: Iterable[Line]) -> Iterator[Line]:
    """One line with separators between the pieces; no line without pieces."""
    separated = (inline for piece in pieces for inline in (SEPARATOR, *piece))
    if line := tuple(separated)[1:]:
        yield joined(line)


def _shape(stages: tuple[Stage, ...], architecture: Architecture, *, in_layers: bool) -> Line:
    """The common shape of the matrices, or the number of parameters of one layer."""
    stage = stages[0]
    shapes = [tensor.shape for tensor in stage.tensors if tensor.is_matrix]
    experts = _experts(stage, architecture)
    line = _common_shape(shapes)
    if line and experts:
        line = joined((experts, TIMES, *line))
    are_equal = len({stage.tensors for stage in stages}) == 1
    if are_equal and line and _fits(line):
        return line
    counts = [architecture.count(stage.parameters) for stage in stages]
    least, most = short_or_exact(min(counts)), short_or_exact(max(counts))
    if not shapes or not any(counts):
        return ()
    if not in_layers:
        return (_("{number} parameters", number=least),)
    if least == most:
        return (_("{number} per layer", number=least),)
    return (_("{least} to {most} per layer", least=least, most=most),)


def _fits(shape: Line) -> bool:
    """True if a shape, and each of its sides, is not too long for a box."""
    text = "".join(map(str, shape))
    return len(text) <= MAX_LENGTH and max(map(len, text.split(TIMES))) <= MAX_FACTOR


def _common_shape(shapes: list[Shape]) -> Line:
    """``2 × D × F`` or ``D × (H + 2·H_kv)·d_h``; empty if the shapes have no side in common."""
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
        return shape_line((first[0], _sum(shape[1] for shape in shapes)))
    if len(columns) == 1:
        return shape_line((_sum(shape[0] for shape in shapes), first[1]))
    return ()


def _sum(sizes: Iterable[Size]) -> Size:
    """The sum of sizes: ``2·D`` for equal ones, ``(H + 2·H_kv)·d_h`` for a common last factor."""
    terms = [_factors(size) for size in sizes]
    last = terms[0][-1]
    common = last if len(terms[0]) > 1 and all(term[-1] == last for term in terms) else None
    rest = Counter(product(*term[:-1]) if common else product(*term) for term in terms)
    parts = tuple(product(number, size) for size, number in rest.items())
    if all(isinstance(part, Number) for part in parts):
        total: Size = Number(sum(part.evaluate({}) for part in parts))
    else:
        total = parts[0] if len(parts) == 1 else Sum(parts)
    return product(total, common) if common else total


def _factors(size: Size) -> tuple[Size, ...]:
    return size.factors if isinstance(size, Product) else (size,)


def label_of(stage: Stage, architecture: Architecture) -> str:
    """``256 experts, 8 active``: the number of experts and how many a token uses, or the label."""
    return experts_text(stage, architecture) or _(stage.label)


def _experts(stage: Stage, architecture: Architecture) -> str:
    """Number of experts of the stage; empty if it has none."""
    count = stage.expert_count
    return thousands(architecture.count(count.total)) if count else ""


def _heads(stage: Stage, model: Model) -> Line:
    """``32 heads, 8 key/value heads`` for the scores of attention, else the inner activations."""
    if any(tensor.is_matrix for tensor in stage.tensors):
        return ()
    counts = {product.count for product in stage.computes}
    sizes = model.architecture.sizes
    if not any(H in count.symbols() for count in counts) or H not in sizes:
        return activation_line(stage.intermediate) if stage.intermediate else ()
    heads, groups = sizes[H], sizes.get(H_KV, sizes[H])
    text = ngettext("{number} head", "{number} heads", heads, number=thousands(heads))
    if groups == heads:
        return (text,)
    grouped = ngettext(
        "{heads}, {number} key/value head",
        "{heads}, {number} key/value heads",
        groups,
        heads=text,
        number=thousands(groups),
    )
    return (grouped,)
