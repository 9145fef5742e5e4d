"""Growth of a stage's parameters with the hidden dimension D, and their share of the model."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import log2

from sphinx_llmsize.algebra import LayerSize, Product, Size, Sum, Symbol, product
from sphinx_llmsize.architecture.attention_heads import HEADS
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.changes.followers import FEED_FORWARDS, usual_followers
from sphinx_llmsize.changes.scale_sizes import scale_sizes, sizes_of
from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.config.symbols import D, H
from sphinx_llmsize.diagram_boxes import Growth
from sphinx_llmsize.errors import ConfigError
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.views.pipeline.layer_items import StageItem
from sphinx_llmsize.views.view_options import Coloring

SQUARE = 2
"""Degree of a polynomial in D from which on a tensor is said to grow with D²."""


def growing_symbols(model: Model) -> frozenset[Symbol]:
    """D, and the sizes that grow with it: as in the view ``scaling``, heads and widths."""
    degrees = _degrees_in(model)
    return frozenset(each for each in model.architecture.sizes if degrees.get(each.name, 0) > 0)


def shrinking_symbols(model: Model) -> frozenset[Symbol]:
    """Sizes that shrink as D grows: dimensions of heads that share a width that stays."""
    degrees = _degrees_in(model)
    return frozenset(each for each in model.architecture.sizes if degrees.get(each.name, 0) < 0)


def growth_of(stage: Stage, model: Model) -> Growth:
    """Growth of the largest part of a stage's weights; tied weights count too."""
    degrees = _degrees_in(model)
    weights: dict[Growth, int] = {}
    for tensor in stage.tensors:
        growth = _growth(sum(_degree(size, degrees) for size in tensor.shape))
        count = model.architecture.count(product(*tensor.shape))
        weights[growth] = weights.get(growth, 0) + count
    return max(weights, key=lambda growth: weights[growth], default=Growth.NONE)


def _growth(degree: int) -> Growth:
    """Growth of a tensor whose number of weights is proportional to D to the power of a degree."""
    if degree >= SQUARE:
        return Growth.SQUARE
    return Growth.LINEAR if degree > 0 else Growth.NONE


def _degrees_in(model: Model) -> dict[str, int]:
    """The degrees in a model, whose sizes may be traced on an interactive page."""
    if model.plain is not model:
        usual_followers(HIDDEN_DIM, sizes_of(model))  # it compares sizes, so the page does too
    return _degrees(model.plain)


@lru_cache(maxsize=64)  # a diagram needs them at each level of detail that it tries
def _degrees(model: Model) -> dict[str, int]:
    """The degree of each size as a power of D: 1 if it doubles with D, -1 if it halves.

    The keys are the names of their symbols. If the model can't be scaled, such as Reformer, whose
    position axes have fixed widths, its sizes that usually follow D have the degree 1.
    """
    followers = usual_followers(HIDDEN_DIM, sizes_of(model))
    before = model.architecture.sizes
    try:
        scaled, _values = scale_sizes(model, dict.fromkeys((HIDDEN_DIM, *followers), Fraction(2)))
    except ConfigError:
        degrees = {key.symbol.name: 1 for key in followers if key.symbol}
    else:
        after = {symbol.name: size for symbol, size in scaled.architecture.sizes.items()}
        degrees = {
            symbol.name: round(log2(after[symbol.name] / size))
            for symbol, size in before.items()
            if size and symbol.name in after
        }
    # sizes of some layers are named by their values: F_768 becomes F_1536
    grow_in_layers = {FEED_FORWARDS, HEADS} if degrees.get(H.name, 1) > 0 else {FEED_FORWARDS}
    of_layers = (symbol for symbol in before if isinstance(symbol, LayerSize))
    in_layers = {symbol.name: int(symbol.name[0] in grow_in_layers) for symbol in of_layers}
    return {**degrees, **in_layers, D.name: 1}


def _degree(size: Size, degrees: Mapping[str, int]) -> int:
    """Degree of a size as a power of D; that of its largest term for a sum."""
    if isinstance(size, Symbol):
        return degrees.get(size.name, 0)
    if isinstance(size, Product):
        return sum(_degree(factor, degrees) for factor in size.factors)
    if isinstance(size, Sum):
        return max(_degree(term, degrees) for term in size.terms)
    return 0


def shade_of(item: StageItem, model: Model, color: Coloring) -> float | None:
    """Share of the parameters of a box if colours show it, else None."""
    if color is Coloring.GROWTH:
        return None
    return float(quotient(model.architecture.count(item.parameters), model.total))
