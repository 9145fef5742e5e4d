"""Legend of several pipeline diagrams that have none of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.blocks import KeyItem, Line
from sphinx_llmsize.config.symbols import D, Length, reading_order
from sphinx_llmsize.diagram import Diagram
from sphinx_llmsize.inline import Key, Variable
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.pipeline.diagram_legend import (
    FRAMES_IN_ORDER,
    about_growing,
    growing_with_width,
    meaning_of,
    shown_variables,
)
from sphinx_llmsize.views.shared.drawn_sentences import key
from sphinx_llmsize.views.shared.wording import filled, joined_sentences, listed, variable


def gallery_legend(diagrams: Sequence[tuple[Model, Diagram]]) -> Line:
    """The meaning of the frames in any of the diagrams, of percentages, and of symbols.

    Args:
        diagrams: models, each with its brief diagram, which has a legend of its own.
    """
    items: dict[str, KeyItem] = {}
    for _model, diagram in diagrams:
        for piece in diagram.legend:
            if isinstance(piece, Key):
                items |= {item.frame: item for item in piece.items}
    # one symbol of each name
    symbols = {variable(symbol): symbol for symbol in _shown_symbols(diagrams)}
    in_order = sorted(symbols.values(), key=_place)
    meanings = [
        filled(_("{size} ({meaning})"), size=variable(symbol), meaning=meaning_of(symbol))
        for symbol in in_order
    ]
    all_growing = _growing(diagrams)
    growing = [size for size in map(variable, in_order) if size in all_growing]
    sentences = (
        (_("The frame of a box shows how the largest part of its weights grows."),),
        (_("Norms and residual connections are not drawn."),),
        (_("Percentages are shares of all parameters."),),
        filled(_("Symbols: {meanings}."), meanings=listed(meanings)),
        about_growing(growing) if growing else (),
    )
    frames = [items[frame] for frame in FRAMES_IN_ORDER if frame in items]
    return (*key(frames), *joined_sentences(*sentences))


def _shown_symbols(diagrams: Iterable[tuple[Model, Diagram]]) -> Iterator[Symbol]:
    """The symbols in boxes and beside arrows, some of them repeatedly, and the hidden dimension."""
    yield D
    for model, diagram in diagrams:
        shown = shown_variables(diagram.boxes)
        for symbol in {*model.architecture.sizes, *model.architecture.activation_symbols}:
            if variable(symbol) in shown:
                yield symbol


def _growing(diagrams: Iterable[tuple[Model, Diagram]]) -> set[Variable]:
    """The sizes that are assumed to scale with the hidden dimension in any of the models."""
    return {
        variable(symbol) for model, _diagram in diagrams for symbol in growing_with_width(model)
    }


def _place(symbol: Symbol) -> tuple[Any, ...]:
    """Place of a symbol in the legend: lengths of sequences are last."""
    return isinstance(symbol, Length), reading_order(symbol)
