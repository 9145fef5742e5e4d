"""Sentences on attention to the keys that an indexer selects."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sphinx_llmsize.architecture.cost import elements_added_per_token
from sphinx_llmsize.architecture.parts.layer_kinds import SHARED_INDEX
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.formats import factor_text
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.part_components import layers_with


def sparse_attention(model: Model) -> str:
    """Sentences on the indexers of a model, and on what they cache; empty for other models."""
    indexers = tuple(_indexers(model))
    if not indexers:
        return ""
    return " ".join(filter(None, (_selection(model, indexers), _cache(model, indexers))))


def _indexers(model: Model) -> Iterator[PlacedStage]:
    """The stages that score keys; the compressors of some indexers have other stages."""
    for placed in model.architecture.placed_stages():
        is_indexer = any(tensor.component == "indexer" for tensor in placed.stage.tensors)
        if is_indexer and placed.stage.computes:
            yield placed


def _selection(model: Model, indexers: tuple[PlacedStage, ...]) -> str:
    """The layers that have an indexer, and those that use the selection of another layer."""
    number = layers_with(model, indexers)
    layers = layers_with(model, model.architecture.placed_stages())
    if number == layers:
        return _(
            "Sparse attention: in each layer, a query attends only to the keys that an indexer "
            "selects."
        )
    if any(SHARED_INDEX in stack.kinds for stack in model.architecture.stacks()):
        return ngettext(
            "Sparse attention: a query attends only to the keys that an indexer selects. Of "
            "{layers} layers, {n} has an indexer (own index); the others use the selection of an "
            "earlier layer (shared index).",
            "Sparse attention: a query attends only to the keys that an indexer selects. Of "
            "{layers} layers, {n} have an indexer (own index); the others use the selection of an "
            "earlier layer (shared index).",
            number,
            layers=layers,
            n=number,
        )
    return _(
        "Sparse attention: in {n} of {layers} layers, a query attends only to the keys that an "
        "indexer selects.",
        n=number,
        layers=layers,
    )


def _cache(model: Model, indexers: tuple[PlacedStage, ...]) -> str:
    """The elements that an indexer caches; empty if the indexers differ."""
    elements = {
        sum(elements_added_per_token(model.architecture, shape) for shape in placed.stage.caches)
        for placed in indexers
    }
    if len(elements) != 1 or not (number := elements.pop()):
        return ""
    return _(
        "An indexer caches {elements} elements for each token.",
        elements=factor_text(Fraction(number)),
    )
