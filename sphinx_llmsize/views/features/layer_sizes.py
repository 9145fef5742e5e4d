"""Sentence on layers of a model that differ in their sizes, or in which of the blocks they have."""

from __future__ import annotations

from collections.abc import Iterator

from sphinx_llmsize.architecture.stages import Group
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import N_, _
from sphinx_llmsize.views.features.kinds import FEED_FORWARD
from sphinx_llmsize.views.in_words.part_components import PlacedStages, layers_with
from sphinx_llmsize.views.in_words.part_details import inner_widths, numbers_or_range
from sphinx_llmsize.views.shared.encoders import is_encoder_decoder
from sphinx_llmsize.views.shared.wording import listed_text


def layer_sizes(model: Model) -> str:
    """Sentence on layers that differ in size; empty for models whose blocks all have the same size.

    Experts beside dense networks, mixers beside attention, and decoders beside encoders are
    differences of another kind.
    """
    if is_encoder_decoder(model):
        return ""
    details = listed_text(list(_different_blocks(model)))
    return _("Layers of several sizes: {details}.", details=details) if details else ""


def _different_blocks(model: Model) -> Iterator[str]:
    """``attention in 49 of 80 layers``, ``FFNs that are 5,376–36,864 wide``."""
    placed_stages = [placed for placed in model.architecture.placed_stages() if placed.stack]
    feed_forward = [placed for placed in placed_stages if placed.stage.group in FEED_FORWARD]
    if Group.MIXER not in model.architecture.groups:
        # a matrix in place of attention computes nothing from several tokens
        attention = [placed for placed in placed_stages if placed.stage.computes]
        yield from _in_some(model, N_("attention in {n} of {all} layers"), attention, placed_stages)
        yield from _in_some(model, N_("FFNs in {n} of {all} layers"), feed_forward, placed_stages)
    dense = [placed for placed in feed_forward if placed.stage.group is Group.FEED_FORWARD]
    widths = inner_widths(model, dense)
    if len(widths) > 1:
        yield _("FFNs that are {widths} wide", widths=numbers_or_range(widths))


def _in_some(
    model: Model, message: str, placed_stages: PlacedStages, all_stages: PlacedStages
) -> Iterator[str]:
    """The message with the number of layers that have these stages, if only some have them."""
    layers, all_layers = layers_with(model, placed_stages), layers_with(model, all_stages)
    if 0 < layers < all_layers:
        yield _(message, n=layers, all=all_layers)
