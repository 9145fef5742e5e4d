"""Feed-forward networks without experts in a few words: ``gated FFN``."""

from __future__ import annotations

from sphinx_llmsize.architecture.components import have_gate
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.in_words.description import Description, with_biases, with_parentheses
from sphinx_llmsize.views.in_words.layers_in_words import describe_times_in_each_layer
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    names_of,
    tensors_of,
)


def describe_mlp(
    placed_stages: PlacedStages,
    biases: Description | None = None,
    width: Description | None = None,
) -> Description:
    """``gated FFN``, ``FFN with biases (2 in each layer, 11,008 wide)``.

    Other networks, as in RWKV, are described by their components.

    Args:
        placed_stages: the stages.
        biases: their biases, to be added.
        width: their width, to be added.
    """
    components = tuple(dict.fromkeys(each.component for each in tensors_of(placed_stages)))
    times = None
    part = Description(("components", components), frozenset(), names_of(components))
    if is_mlp(placed_stages):
        is_gated, times = have_gate(components), describe_times_in_each_layer(placed_stages)
        name = _("gated FFN") if is_gated else _("FFN")
        facts = times.facts if times else frozenset()
        part = Description(("mlp", is_gated, times is not None), facts, name)
    part = with_biases(part, biases)
    facts = part.facts | (width.facts if width else frozenset())
    text = with_parentheses(part.text, filter(None, (times, width)))
    return Description(part.about, facts, text)


def is_mlp(placed_stages: PlacedStages) -> bool:
    """True for an MLP, unlike the channel mixing of RWKV."""
    return any(tensor.component.startswith("mlp_") for tensor in tensors_of(placed_stages))
