"""Feed-forward networks without experts in a few words: ``gated FFN``."""

from __future__ import annotations

from sphinx_llmsize.architecture.components import have_gate
from sphinx_llmsize.translation import _
from sphinx_llmsize.views.in_words.description import Description
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    names_of,
    tensors_of,
    times_in_each_layer,
)


def describe_mlp(placed_stages: PlacedStages) -> Description:
    """``gated FFN``, ``FFN (2 in each layer)``; the components of other networks, as in RWKV."""
    components = tuple(dict.fromkeys(each.component for each in tensors_of(placed_stages)))
    if not is_mlp(placed_stages):
        return Description(("components", components), frozenset(), names_of(components))
    is_gated = have_gate(components)
    name = _("gated FFN") if is_gated else _("FFN")
    number = times_in_each_layer(placed_stages)
    if number > 1:
        times = _("{number} in each layer", number=number)
        name = _("{part} ({details})", part=name, details=times)
    return Description(("mlp", is_gated, number > 1), frozenset((number,)), name)


def is_mlp(placed_stages: PlacedStages) -> bool:
    """True for an MLP, unlike the channel mixing of RWKV."""
    return any(tensor.component.startswith("mlp_") for tensor in tensors_of(placed_stages))
