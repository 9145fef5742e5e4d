"""Growth of a stage's parameters with the hidden dimension D, and their share of the model."""

from __future__ import annotations

from sphinx_llmsize.algebra import Product, Quantity, Size, Sum, Symbol
from sphinx_llmsize.architecture.attention_heads import HEADS
from sphinx_llmsize.architecture.stages import Stage
from sphinx_llmsize.changes.followers import FEED_FORWARDS, usual_followers
from sphinx_llmsize.changes.scale_sizes import sizes_of
from sphinx_llmsize.config.keys.common import HIDDEN_DIM
from sphinx_llmsize.config.symbols import D, H
from sphinx_llmsize.diagram_boxes import Growth
from sphinx_llmsize.model import Model
from sphinx_llmsize.traced import quotient
from sphinx_llmsize.views.pipeline.layer_items import StageItem
from sphinx_llmsize.views.view_options import Coloring

SQUARE = 2
"""Degree of a polynomial in D from which on a tensor is said to grow with D²."""


def growing_symbols(model: Model) -> frozenset[Symbol]:
    """D, and the sizes that are assumed to grow with it: heads and feed-forward widths.

    They include those that only some layers have, which have no key of their own.
    """
    keys = usual_followers(HIDDEN_DIM, sizes_of(model))
    followers = {key.symbol for key in keys if key.symbol}
    symbols = model.architecture.symbols
    widths = (symbol for symbol in symbols if symbol.name[0] == FEED_FORWARDS)
    # quantities are numbers of heads in some layers, without a key that could follow
    heads = (each for each in symbols if each.name[0] == HEADS and isinstance(each, Quantity))
    do_heads_grow = H in followers or H not in model.architecture.sizes
    return frozenset((D, *followers, *widths, *(heads if do_heads_grow else ())))


def growth_of(stage: Stage, growing: frozenset[Symbol]) -> Growth:
    """Growth of the tensor that grows the fastest; tied weights count too."""
    degrees = [sum(_degree(size, growing) for size in tensor.shape) for tensor in stage.tensors]
    degree = max(degrees, default=0)
    if degree >= SQUARE:
        return Growth.SQUARE
    return Growth.LINEAR if degree else Growth.NONE


def _degree(size: Size, growing: frozenset[Symbol]) -> int:
    """Degree of a size as a polynomial in D, to which all growing symbols are proportional."""
    if isinstance(size, Symbol):
        return int(size in growing)
    if isinstance(size, Product):
        return sum(_degree(factor, growing) for factor in size.factors)
    if isinstance(size, Sum):
        return max(_degree(term, growing) for term in size.terms)
    return 0


def shade_of(item: StageItem, model: Model, color: Coloring) -> float | None:
    """Share of the parameters of a box if colours show it, else None."""
    if color is Coloring.GROWTH:
        return None
    return float(quotient(model.architecture.count(item.parameters), model.total))
