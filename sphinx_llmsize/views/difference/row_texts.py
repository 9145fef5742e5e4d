"""Texts on the rows of a pipeline: numbers, places, kinds of norms and shared weights."""

from __future__ import annotations

from collections.abc import Collection

from sphinx_llmsize.algebra import ONE
from sphinx_llmsize.architecture.stacks import Stack
from sphinx_llmsize.architecture.stages import NormKind, Stage
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _, ngettext
from sphinx_llmsize.views.difference.layer_arrangement import parallel_feed_forward

NORM_NAMES = {NormKind.RMS: N_("RMS norm"), NormKind.LAYER: N_("layer norm")}
"""Names of the kinds of norms, translated where they are shown."""


def norm_text(stage: Stage) -> str:
    """``RMS norm``; empty for other stages, and for norms of unknown kind."""
    return _(NORM_NAMES[stage.norm]) if stage.norm else ""


def place_text(stacks: Collection[Stack], stage: Stage) -> str:
    """``parallel to attention``: place of a feed-forward network; empty for other stages."""
    is_parallel = any(stage in parallel_feed_forward(stack.block) for stack in stacks)
    return _("parallel to attention") if is_parallel else ""


def sharing_text(model: Model, stacks: Collection[Stack]) -> str:
    """``2 sets of weights``, if layers of these stacks share them; otherwise empty."""
    sets = sum(model.architecture.count(s.layers) for s in stacks if s.shared_by != ONE)
    return ngettext("{n} set of weights", "{n} sets of weights", sets, n=sets) if sets else ""


def per_layer_text(number: str, used_in: int, layers: int) -> str:
    """``9.44M per layer, in 4 of 12``; only the number outside the layers.

    Args:
        number: number of parameters.
        used_in: number of layers that have the row.
        layers: number of layers of the section; 0 outside the layers.
    """
    if layers:
        number = _("{number} per layer", number=number)
    if used_in < layers:
        return _("{number}, in {layers} of {all}", number=number, layers=used_in, all=layers)
    return number
