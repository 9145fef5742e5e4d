"""Norms in a few words: ``65 RMS norms, plus Q and K norms in 32 layers``."""

from __future__ import annotations

from sphinx_llmsize.algebra import ONE, ZERO, Size, product
from sphinx_llmsize.architecture.stacks import PlacedStage
from sphinx_llmsize.architecture.stages import NormKind
from sphinx_llmsize.architecture.tensors import Role
from sphinx_llmsize.model import Model
from sphinx_llmsize.translation import _, ngettext
from sphinx_llmsize.views.in_words.description import (
    Description,
    layers_fact,
    with_details,
    with_parentheses,
)
from sphinx_llmsize.views.in_words.part_components import (
    PlacedStages,
    describe_stages,
    layers_with,
    parts_in_layers,
)


def describe_norms(
    model: Model, placed_stages: PlacedStages, placement: Description | None = None
) -> Description:
    """``65 RMS norms``, ``65 RMS norms (before each block), plus Q and K norms in 32 layers``.

    Args:
        model: the model.
        placed_stages: stages of its norms.
        placement: places of the norms in a layer; None if they aren't shown.
    """
    in_attention, others = split_by_attention(placed_stages)
    found = describe_norms_outside_attention(model, others)
    if placement and placement.text:
        found = with_details(found, [placement], with_parentheses(found.text, [placement]))
    if not in_attention:
        return found
    in_layers = describe_norms_in_layers(model, in_attention)
    text = _("{norms}, plus {others}", norms=found.text, others=in_layers.text)
    return with_details(found, [in_layers], text)


def split_by_attention(placed_stages: PlacedStages) -> tuple[PlacedStages, PlacedStages]:
    """The norms in attention, and all others.

    Norms in attention are those of queries and keys, and of the latents from which these are
    projected.
    """
    in_attention: list[PlacedStage] = []
    others: list[PlacedStage] = []
    for placed in placed_stages:
        is_in_attention = placed.stage.id.startswith(("qk_norm", "q_norm", "kv_norm"))
        (in_attention if is_in_attention else others).append(placed)
    return in_attention, others


def describe_norms_in_layers(model: Model, placed_stages: PlacedStages) -> Description:
    """``Q and K norms in 32 layers``; ``embedding norm`` for norms outside the layers."""
    found, layers = describe_stages(placed_stages), layers_with(model, placed_stages)
    if not layers:
        return found
    text = parts_in_layers(found.text, layers)
    return Description(found.about, frozenset((layers_fact(layers),)), text)


def describe_norms_outside_attention(model: Model, placed_stages: PlacedStages) -> Description:
    """``25 layer norms with biases``, ``65 RMS norms``, ``33 norms without weights``."""
    number = sum(model.architecture.count(_number_of_norms(placed)) for placed in placed_stages)
    roles = {tensor.role for placed in placed_stages for tensor in placed.stage.tensors}
    kind: NormKind | None = None
    if Role.BIAS in roles:  # an RMS norm has a scale only
        text = ngettext(
            "{n} layer norm with a bias", "{n} layer norms with biases", number, n=number
        )
    elif roles:
        kinds = {placed.stage.norm for placed in placed_stages if placed.stage.norm}
        kind = kinds.pop() if len(kinds) == 1 else None
        text = _norms_without_biases(number, kind)
    else:
        text = ngettext("{n} norm without weights", "{n} norms without weights", number, n=number)
    is_around = any(placed.stage.id.startswith("post_") for placed in placed_stages)
    if is_around:
        text = _("{norms} before and after each block", norms=text)
    about = ("norms", frozenset(roles) & {Role.BIAS} or bool(roles), kind, is_around)
    return Description(about, frozenset((("norms", number),)), text)


def _number_of_norms(placed: PlacedStage) -> Size:
    """Number of norms of a stage in all layers: a matrix of scales is one norm for each row.

    Norms of layers that are applied again are no further ones.
    """
    if placed.stack and placed.stack.repeats:
        return ZERO
    rows = (product(*tensor.shape[:-1]) for tensor in placed.stage.tensors)
    return product(placed.layers, next(rows, ONE))


def _norms_without_biases(number: int, kind: NormKind | None) -> str:
    """``65 RMS norms``, ``65 layer norms without biases``; ``65 norms`` of several kinds."""
    if kind is NormKind.RMS:
        return ngettext("{n} RMS norm", "{n} RMS norms", number, n=number)
    if kind is NormKind.LAYER:
        return ngettext(
            "{n} layer norm without a bias", "{n} layer norms without biases", number, n=number
        )
    return ngettext("{n} norm", "{n} norms", number, n=number)
