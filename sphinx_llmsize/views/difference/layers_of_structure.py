"""Numbers of layers that change with the architecture: those of encoders and decoders."""

from __future__ import annotations

from sphinx_llmsize.config.symbols import L_DEC, L_ENC, L
from sphinx_llmsize.differences.difference import Difference
from sphinx_llmsize.formats import thousands
from sphinx_llmsize.model import Model
from sphinx_llmsize.views.difference.stage_rows import sections
from sphinx_llmsize.views.difference.text_pairs import NO_TEXTS, Texts, if_different

LAYER_NUMBERS = frozenset((L, L_ENC, L_DEC))
"""Symbols of numbers of layers."""


def layers_with_structure(difference: Difference) -> Texts:
    """``6 + 6`` and ``24``: the layers of models that have no comparable numbers of layers.

    Both are empty if all numbers of layers have the same meaning in both models, so that those that
    differ are changed keys, and for as many layers.
    """
    one, other = difference.models
    has_same_numbers = _numbers(one) == _numbers(other)
    if not difference.structure_changes or has_same_numbers:
        return NO_TEXTS
    return if_different(_layers(one), _layers(other))


def _numbers(model: Model) -> frozenset[object]:
    """The symbols of the model's numbers of layers."""
    return LAYER_NUMBERS & model.config.sizes.keys()


def _layers(model: Model) -> str:
    """The layers of each part of the pipeline: ``6 + 6`` of an encoder and a decoder."""
    return " + ".join(thousands(section.layers) for section in sections(model) if section.layers)
