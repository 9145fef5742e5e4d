"""Numbers of layers of two models that use different symbols for them: L, or L_enc and L_dec."""

from __future__ import annotations

from collections.abc import Collection

from sphinx_llmsize.algebra import Symbol
from sphinx_llmsize.config.symbols import L_DEC, L_ENC, L
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.stage_rows import sections

LAYER_NUMBERS = frozenset((L, L_ENC, L_DEC))
"""Symbols of numbers of layers."""
Layers = tuple[int, ...]
"""Numbers of layers of the sections of a pipeline, such as encoder and decoder."""


def incomparable_layers(difference: Difference) -> tuple[Layers, Layers] | None:
    """``(6, 6)`` and ``(24,)``: the layers of an encoder-decoder and of a decoder.

    None if no part was replaced, if both models use the same symbols for numbers of layers
    (differences are then changed keys), if one has no layers, or if the layers are equal.
    """
    before, after = map(_layers, difference.models)
    symbols, symbols_after = map(_symbols, difference.models)
    is_incomparable = difference.structure_changes and symbols != symbols_after
    if is_incomparable and before and after and before != after:
        return before, after
    return None


def _symbols(model: Model) -> Collection[Symbol]:
    """The symbols that the model's family uses for numbers of layers."""
    return LAYER_NUMBERS & model.config.sizes.keys()


def _layers(model: Model) -> Layers:
    """The number of layers in each section of the pipeline that has layers."""
    return tuple(section.layers for section in sections(model) if section.layers)


def sum_text(layers: Layers) -> str:
    """``6 + 6``: the layers of an encoder and a decoder."""
    return " + ".join(map(thousands, layers))
